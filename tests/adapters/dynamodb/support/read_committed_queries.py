"""
A Query is read-committed: it may show some items of a transaction and not the others.

    it may miss     items of a transaction that was on its way when the Query began: its caller had
                    no answer yet, also over several sends
    it may not      miss an item that anybody was shown before it began; reading a single item is
                    serializable, so whoever was shown one that way has been shown the transaction
"""

from collections.abc import Iterator, Mapping
from math import inf
from random import Random
from typing import Any

import orjson
from attrs import define, field

from adapters.dynamodb.transport.errors import Canceled
from adapters.dynamodb.transport.transport import Item, Operation

TOKEN = "ClientRequestToken"


@define
class Put:
    """Which transactions put an item, and since when every Query must show it."""

    tokens: set[str] = field(factory=set)
    """Several when one that failed is drafted again within a millisecond."""
    since: float = inf


@define
class HalfShown:
    _puts: dict[bytes, Put] = field(factory=dict)
    """By the whole item: others may try to put another one at the same key."""
    ticks: int = 0
    """Counts what callers are told."""

    def begins(self, operation: Operation, request: Mapping[str, Any]) -> None:
        if operation is Operation.TRANSACT_WRITE_ITEMS and TOKEN in request:
            for item in _put_by(request):
                self._puts.setdefault(_content(item), Put()).tokens.add(request[TOKEN])

    def answered(
        self, operation: Operation, request: Mapping[str, Any], reply: Mapping[str, Any]
    ) -> None:
        self.ticks += 1
        if operation is Operation.TRANSACT_WRITE_ITEMS and TOKEN in request:
            self._done({request[TOKEN]})
        self._showed_alone(reply.get("Item"))
        for item in reply.get("Items", ()):
            self._showed(item)

    def canceled(self, error: Canceled) -> None:
        self.ticks += 1
        for reason in error.reasons:
            self._showed_alone(reason.item)

    def part_of(self, reply: dict[str, Any], began: int, dice: Random) -> dict[str, Any]:
        """The Query's reply without some of the items that may not be there yet."""
        shown = [item for item in reply["Items"] if not self._may_miss(item, began, dice)]
        return {**reply, "Items": shown, "Count": len(shown)}

    def _may_miss(self, item: Item, began: int, dice: Random) -> bool:
        put = self._known(item)
        return put is not None and put.since > began and dice.random() < 0.5

    def _known(self, item: Item | None) -> Put | None:
        return self._puts.get(_content(item)) if item else None

    def _showed(self, item: Item | None) -> None:
        put = self._known(item)
        if put is not None:
            put.since = min(put.since, self.ticks)

    def _showed_alone(self, item: Item | None) -> None:
        put = self._known(item)
        if put is not None:
            self._done(put.tokens)

    def _done(self, tokens: set[str]) -> None:
        for put in self._puts.values():
            if put.tokens & tokens:
                put.since = min(put.since, self.ticks)


def _put_by(request: Mapping[str, Any]) -> Iterator[Item]:
    for action in request["TransactItems"]:
        if "Put" in action:
            yield action["Put"]["Item"]


def _content(item: Item) -> bytes:
    return orjson.dumps(item, option=orjson.OPT_SORT_KEYS)
