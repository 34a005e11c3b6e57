"""
A Query is read-committed: while a transaction is on its way it may show some of its items only.

A transaction is on its way until its caller was answered, also over several sends.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import orjson
from attrs import define, field

from adapters.dynamodb.transport import Operation

Key = bytes


@define
class HalfShown:
    _on_their_way: dict[str, frozenset[Key]] = field(factory=dict)
    """Keys of the items by the token of the transaction that puts them."""

    def begins(self, operation: Operation, request: Mapping[str, Any]) -> None:
        if operation is Operation.TRANSACT_WRITE_ITEMS and "ClientRequestToken" in request:
            self._on_their_way[request["ClientRequestToken"]] = frozenset(_put_by(request))

    def answered(self, operation: Operation, request: Mapping[str, Any]) -> None:
        if operation is Operation.TRANSACT_WRITE_ITEMS:
            self._on_their_way.pop(request.get("ClientRequestToken", ""), None)

    def part_of(self, reply: dict[str, Any], dice: Random) -> dict[str, Any]:
        """The Query's reply without some of the items that may not be there yet."""
        hidden = {
            key
            for keys in self._on_their_way.values()
            for key in sorted(keys)
            if dice.random() < 0.5
        }
        shown = [item for item in reply["Items"] if _key(item) not in hidden]
        return {**reply, "Items": shown, "Count": len(shown)}


def _put_by(request: Mapping[str, Any]) -> Iterator[Key]:
    for action in request["TransactItems"]:
        if "Put" in action:
            yield _key(action["Put"]["Item"])


def _key(item: Mapping[str, Any]) -> Key:
    return orjson.dumps([item["PK"], item["SK"]])
