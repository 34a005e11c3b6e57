"""
Writing a projection's rows, so that any writer may stop anywhere, and the next begins again.

    1  copies of rows            single puts, many at a time; each only over an earlier position
    2  rows that are shown       the same, once all copies are there
    3  rows that are remembered  one transaction with the progress; nothing without the other

A fold starts from what is remembered and from how far it got, and both move at once (3). Until then
the same facts are folded again from the same memory to the same rows, whose positions make the
second put of each harmless (1, 2). A row that is ahead of the progress is not changed by earlier
facts, so what would be copied from it then is wrong; but the right copy is there already (1).

What is taken away leaves a tombstone with its position, so that a writer who was overtaken does not
bring it back either.

    PK                     SK     reached
    checkpoint#signal-state  STATE  4711
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from attrs import define, field, frozen

from adapters.dynamodb.items.item_table import ItemTable, surroundings
from adapters.dynamodb.items.typed_values import int_of, number
from adapters.dynamodb.log.companions import Companion
from adapters.dynamodb.retry.transactions import store_all
from adapters.dynamodb.rows.row_changes import Write
from adapters.dynamodb.rows.row_items import key_item
from adapters.dynamodb.transport.errors import ConditionFailed
from adapters.dynamodb.transport.transport import Operation, Transport
from adapters.row_layouts.catalogue import PK
from adapters.row_layouts.engine import RowKey
from application.errors import OutcomeUnknown, Unavailable

IN_FLIGHT = 32


class Passed(Exception):
    """The projection has gone as far already, or farther."""


@define
class Later(Exception):
    """A row of the same or a later position is there."""

    write: Write


@frozen
class RowWriter:
    """`table` is where progress is kept."""

    transport: Transport
    table: str
    _turns: asyncio.Semaphore = field(factory=lambda: asyncio.Semaphore(IN_FLIGHT))

    async def reached(self, projection: str) -> int:
        request = {"TableName": self.table, "Key": _place(projection), "ConsistentRead": True}
        with surroundings(f"the table {self.table}"):
            answer = await self.transport.call(Operation.GET_ITEM, request)
        return int_of(answer["Item"], "reached") if "Item" in answer else 0

    async def forget(self, projection: str) -> None:
        request = {"TableName": self.table, "Key": _place(projection)}
        with surroundings(f"the table {self.table}"):
            await self.transport.call(Operation.DELETE_ITEM, request)

    async def show(self, writes: Iterable[Write]) -> None:
        """Put each, unless there is a later one."""
        puts = [self._in_turn(write.put()) for write in writes]
        # All end before one's failure is raised: none may still be writing when we start over.
        for outcome in await asyncio.gather(*puts, return_exceptions=True):
            if outcome is not None:
                raise outcome

    async def remember(self, projection: str, writes: Sequence[Write], *, upto: int) -> None:
        """Put all together with the progress, unless that has passed already."""
        moving = self._moving(projection, upto)
        if not writes:
            return await self._put(moving)
        try:
            await self._together(moving, writes)
        except Passed:
            return None
        except Later as later:
            rest = [write for write in writes if write is not later.write]
            await self.remember(projection, rest, upto=upto)
        except OutcomeUnknown as error:
            # Whatever became of it, folding again from the progress is right.
            raise Unavailable(error.what, error.reason) from error

    async def _in_turn(self, put: Mapping[str, Any]) -> None:
        async with self._turns:
            await self._put(put)

    async def _put(self, put: Mapping[str, Any]) -> None:
        # If the condition fails, a later one is there, or this very one, whose reply was lost.
        with surroundings(f"the table {put['TableName']}"), suppress(ConditionFailed):
            await self.transport.call(Operation.PUT_ITEM, put)

    async def _together(self, moving: Mapping[str, Any], writes: Sequence[Write]) -> None:
        rows = [Companion({"Put": write.put()}, _later(write)) for write in writes]
        table = ItemTable(self.transport, self.table)
        await store_all(table, [Companion({"Put": moving}, Passed), *rows])

    def _moving(self, projection: str, upto: int) -> dict[str, Any]:
        return {
            "TableName": self.table,
            "Item": {**_place(projection), "reached": number(upto)},
            "ConditionExpression": f"attribute_not_exists({PK}) OR reached < :upto",
            "ExpressionAttributeValues": {":upto": number(upto)},
        }


def _later(write: Write) -> Callable[[], Exception]:
    return lambda: Later(write)


def _place(projection: str) -> dict[str, Any]:
    return key_item(RowKey("", f"checkpoint#{projection}", "STATE"))
