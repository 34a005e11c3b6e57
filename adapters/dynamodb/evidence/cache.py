"""
Recent evidence in the table `observability-evidence-cache`, for as many processes as there are.

Puts go in batches of 25 (S0-317), which know no conditions. So they look first, in batches of 100
(S0-210), and leave out what is there: the evidence that came first stays, and so does its pin. A
read costs a tenth of the write that it may save. What a look cannot see is a pin that is set while
a put of the same evidence is on its way for the second time: whoever decides about pins sets them
again every few minutes, long before what has lost its pin would end.

DynamoDB throws away what has ended by itself, sooner or later; what is pinned has no ttl.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Mapping, Sequence
from datetime import timedelta
from typing import Any, TypeVar

from attrs import define, field

from adapters.dynamodb.evidence.partition_walk import EvidenceWalk
from adapters.dynamodb.items.item_table import surroundings
from adapters.dynamodb.items.typed_values import number, text, text_of
from adapters.dynamodb.rows.row_items import row_item, row_of
from adapters.dynamodb.transport.errors import ConditionFailed
from adapters.dynamodb.transport.transport import Item, Operation, Transport
from adapters.row_layouts.engine import Row
from adapters.row_layouts.evidence_rows import PINNED, end_of, from_row, second, to_row
from adapters.row_layouts.expiry import alive
from application.errors import Damaged
from application.evidence.archive import EvidenceAsked
from application.evidence.cache import Telling
from application.ports.clock import Clock
from application.reads.paging import Page, PageRequest
from domain.evidence.evidence import Evidence
from domain.ids import EvidenceId
from domain.retention import KEPT_FOR

T = TypeVar("T")

MOST_WRITES, MOST_KEYS = 25, 100
"""Of a BatchWriteItem and of a BatchGetItem."""
IN_FLIGHT = 16

_KEY = "evidence_id"
_NAMES = {"#ttl": "ttl"}


@define
class DynamoEvidenceCache:
    """It belongs to the event loop of its transport."""

    transport: Transport
    table: str
    clock: Clock
    telling: Telling
    kept_for: timedelta = KEPT_FOR.evidence
    _turns: asyncio.Semaphore = field(factory=lambda: asyncio.Semaphore(IN_FLIGHT), init=False)
    _damaged: EvidenceId | None = field(default=None, init=False)
    """The row that was found damaged last."""

    # Writing.

    async def put(
        self, evidence: Sequence[Evidence], *, pinned: Collection[EvidenceId] = ()
    ) -> None:
        fresh = self._fresh(evidence, pinned := frozenset(pinned))
        there = await self._shown(fresh)
        rows = [
            to_row(one, self.kept_for, pinned=name in pinned)
            for name, one in fresh.items()
            if name not in there
        ]
        await self._write([{"PutRequest": {"Item": row_item(row)}} for row in rows])
        await self.pin([name for name, row in there.items() if name in pinned - _pinned(there)])

    def _fresh(
        self, evidence: Sequence[Evidence], pinned: Collection[EvidenceId]
    ) -> dict[EvidenceId, Evidence]:
        """The first of each id, without what has ended already and would not be shown."""
        now, fresh = second(self.clock.now()), dict[EvidenceId, Evidence]()
        for one in evidence:
            if one.evidence_id in pinned or end_of(one, self.kept_for) > now:
                fresh.setdefault(one.evidence_id, one)
        return fresh

    async def pin(self, ids: Collection[EvidenceId]) -> Collection[EvidenceId]:
        done = await self._each(ids, self._pin)
        return {name for name, pinned in zip(ids, done, strict=True) if not pinned}

    async def _pin(self, name: EvidenceId) -> bool:
        """Whether it is there; a second time does no harm."""
        return await self._updated(
            name,
            update=f"SET {PINNED} = :yes REMOVE #ttl",
            condition=f"attribute_exists({_KEY}) AND (attribute_not_exists(#ttl) OR #ttl > :now)",
            values={":yes": {"BOOL": True}, ":now": number(second(self.clock.now()))},
        )

    async def unpin(self, ids: Collection[EvidenceId]) -> None:
        there = await self._items(ids)
        await self._each(_pinned(there), lambda name: self._unpin(name, there[name]))

    async def _unpin(self, name: EvidenceId, item: Item) -> None:
        await self._updated(
            name,
            update=f"SET #ttl = :end REMOVE {PINNED}",
            condition=f"attribute_exists({PINNED})",
            values={":end": number(end_of(self._evidence(row_of(item)), self.kept_for))},
        )

    async def _updated(
        self, name: EvidenceId, *, update: str, condition: str, values: Mapping[str, Any]
    ) -> bool:
        request = {
            "TableName": self.table,
            "Key": _key(name),
            "UpdateExpression": update,
            "ConditionExpression": condition,
            "ExpressionAttributeNames": _NAMES,
            "ExpressionAttributeValues": values,
        }
        with surroundings(self._what):
            try:
                await self.transport.call(Operation.UPDATE_ITEM, request)
            except ConditionFailed:
                return False
        return True

    async def sweep(self) -> int:
        return 0

    @property
    def is_suspect(self) -> bool:
        return self._damaged is not None

    async def check(self) -> None:
        """Read the damaged row again: another process may have dropped it."""
        if self._damaged is not None:
            await self.named([self._damaged])
            self._damaged = None

    async def clear(self) -> None:
        async for items in self._scanned():
            keys = [{_KEY: item[_KEY]} for item in items]
            await self._write([{"DeleteRequest": {"Key": key}} for key in keys])
        self._damaged = None

    async def _write(self, requests: Sequence[Mapping[str, Any]]) -> None:
        parts = [requests[at : at + MOST_WRITES] for at in range(0, len(requests), MOST_WRITES)]
        await self._each(parts, self._write_part)

    async def _write_part(self, requests: Sequence[Mapping[str, Any]]) -> None:
        # All of it may be done twice, so what is unknown is a failure like any other.
        with surroundings(self._what):
            request = {"RequestItems": {self.table: requests}}
            await self.transport.call(Operation.BATCH_WRITE_ITEM, request)

    # Reading.

    async def named(self, ids: Collection[EvidenceId]) -> Mapping[EvidenceId, Evidence]:
        shown = await self._shown(ids)
        return {name: self._evidence(row_of(item)) for name, item in shown.items()}

    async def told(self, ids: Collection[EvidenceId]) -> Mapping[EvidenceId, bytes]:
        """Made for each reader: to store them would cost more than it saves, by the kilobyte."""
        return {name: self.telling(one) for name, one in (await self.named(ids)).items()}

    async def of_dataset(self, asked: EvidenceAsked, page: PageRequest) -> Page[Evidence]:
        now = self.clock.now()
        found = await EvidenceWalk(self.transport, self.table, asked, page).page(now)
        return found.map(self._evidence)

    async def ids(self) -> AsyncIterator[Sequence[EvidenceId]]:
        async for items in self._scanned():
            now = self.clock.now()
            yield [EvidenceId(text_of(item, _KEY)) for item in items if alive(_end(item), now)]

    async def _scanned(self) -> AsyncIterator[Sequence[Item]]:
        """The key and the end of every item."""
        request: dict[str, Any] = {
            "TableName": self.table,
            "ProjectionExpression": f"{_KEY}, #ttl",
            "ExpressionAttributeNames": _NAMES,
            "ConsistentRead": True,
        }
        while request:
            with surroundings(self._what):
                answer = await self.transport.call(Operation.SCAN, request)
            yield answer["Items"]
            start = answer.get("LastEvaluatedKey")
            request = {**request, "ExclusiveStartKey": start} if start else {}

    async def _shown(self, ids: Collection[EvidenceId]) -> Mapping[EvidenceId, Item]:
        now, items = self.clock.now(), await self._items(ids)
        return {name: item for name, item in items.items() if alive(_end(item), now)}

    async def _items(self, ids: Collection[EvidenceId]) -> Mapping[EvidenceId, Item]:
        names = list(dict.fromkeys(ids))
        parts = [names[at : at + MOST_KEYS] for at in range(0, len(names), MOST_KEYS)]
        read = await self._each(parts, self._read_part)
        return {EvidenceId(text_of(item, _KEY)): item for items in read for item in items}

    async def _read_part(self, names: Sequence[EvidenceId]) -> Sequence[Item]:
        wanted = {"Keys": [_key(name) for name in names], "ConsistentRead": True}
        with surroundings(self._what):
            request = {"RequestItems": {self.table: wanted}}
            answer = await self.transport.call(Operation.BATCH_GET_ITEM, request)
        items: Sequence[Item] = answer["Responses"].get(self.table, ())
        return items

    def _evidence(self, row: Row) -> Evidence:
        try:
            return from_row(row)
        except (ValueError, KeyError, TypeError) as error:
            self._damaged = EvidenceId(str(row[_KEY]))
            raise Damaged(f"{self._damaged} in the evidence cache", str(error)) from error

    # Both.

    async def _each(
        self, what: Collection[T], do: Callable[[T], Coroutine[Any, Any, Any]]
    ) -> Sequence[Any]:
        async def in_turn(one: T) -> Any:
            async with self._turns:
                return await do(one)

        # All end before one's failure is raised: none is still writing when the caller goes on.
        outcomes = await asyncio.gather(*map(in_turn, what), return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                raise outcome
        return outcomes

    @property
    def _what(self) -> str:
        return f"the table {self.table}"


def _key(name: EvidenceId) -> dict[str, Any]:
    return {_KEY: text(name)}


def _pinned(items: Mapping[EvidenceId, Item]) -> set[EvidenceId]:
    return {name for name, item in items.items() if PINNED in item}


def _end(item: Item) -> Mapping[str, Any]:
    return {"ttl": int(item["ttl"]["N"])} if "ttl" in item else {}
