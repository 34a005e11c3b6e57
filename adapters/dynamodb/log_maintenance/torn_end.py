"""
The end of a log that came back from a copy: of its last append, only some items may be there.

    a part of a large batch, spans without their batch, a block that is announced and empty

Nothing was appended after it, so without them the log is as it was just before. An append that is
on its way looks the same for a moment: only whoever has the log for itself may cut it off.
"""

from collections.abc import Mapping, Sequence
from uuid import uuid4

from attrs import frozen

from adapters.dynamodb.items.item_table import Range
from adapters.dynamodb.items.scanning import scan
from adapters.dynamodb.items.typed_values import decimal_of
from adapters.dynamodb.log.keys import part_of
from adapters.dynamodb.log.spans import read_span
from adapters.dynamodb.log_maintenance.batch_walk import BatchWalk
from adapters.dynamodb.log_reading.log_reader import PAGE_ITEMS, Head, LogReader
from adapters.dynamodb.transport.errors import DynamoError
from adapters.dynamodb.transport.transport import Item, Operation
from adapters.row_layouts.catalogue import PK, SK
from application.errors import Unavailable

DEADLINE = 30.0


@frozen
class TornEnd:
    reader: LogReader

    async def cut(self) -> int:
        """Take away what is there of a last append that is not whole; tells how many items.

        Nothing is touched where more than one append is missing: what is left may be the last
        copy of its events.
        """
        walk = BatchWalk(self.reader)
        announced = await walk.announced()
        end = await walk.end(announced)
        parts = await self._parts(end)
        begins = _first(parts[0]) if parts else end.position + 1
        if begins > 1 and not await self.reader.batches(begins - 1):
            return 0
        spans = await self._spans(begins)
        if any(_batch(span) != begins for span in spans):
            return 0
        blocks = [at for at, first in announced.firsts.items() if first >= begins]
        await self._remove_batch(parts)
        await self._remove([*spans, *[await self._block(at) for at in blocks]], begins)
        return len(parts) + len(spans) + len(blocks)

    async def _parts(self, end: Head) -> Sequence[Item]:
        """The items of the last batch, if some are missing."""
        if end.position == 0 or await self.reader.batches(end.position):
            return []
        pk = self.reader.keys.block(end.block or 0)
        newest = await self.reader.table.newest(pk)
        assert newest, "the end was found there"
        pages = self.reader.table.pages(pk, Range(_first(newest)), limit=PAGE_ITEMS)
        return [item async for page in pages for item in page]

    async def _spans(self, begins: int) -> Sequence[Item]:
        prefix = self.reader.keys.stream("")
        pages = scan(self.reader.table, begins_with=prefix)
        return [item async for page in pages for item in page if _batch(item) >= begins]

    async def _block(self, number: int) -> Item:
        (item,) = await self.reader.table.query(
            self.reader.keys.blocks, Range(number, number), limit=1
        )
        return item

    async def _remove_batch(self, parts: Sequence[Item]) -> None:
        table = self.reader.table
        for part in parts:
            request = {"TableName": table.name, "Key": _key(part)}
            try:
                await table.transport.call(Operation.DELETE_ITEM, request)
            except DynamoError as error:
                raise Unavailable("the end of the log", str(error)) from error

    async def _remove(self, items: Sequence[Item], begins: int) -> None:
        """Each only while there is no batch: whoever appends after all loses nothing."""
        table = self.reader.table
        there_is_none = {
            "TableName": table.name,
            "Key": self.reader.keys.batch(begins).item(),
            "ConditionExpression": f"attribute_not_exists({PK})",
        }
        for item in items:
            delete = {"TableName": table.name, "Key": _key(item)}
            actions = [{"ConditionCheck": there_is_none}, {"Delete": delete}]
            try:
                await table.transact(actions, token=str(uuid4()), deadline=DEADLINE)
            except DynamoError as error:
                raise Unavailable("the end of the log", str(error)) from error


def _first(item: Item) -> int:
    return part_of(decimal_of(item, SK))[0]


def _batch(span: Item) -> int:
    """Which batch it was stored with; what is no span is left to the inspection."""
    try:
        return read_span(span).batch
    except (LookupError, TypeError, ValueError):
        return 0


def _key(item: Item) -> Mapping[str, object]:
    return {PK: item[PK], SK: item[SK]}
