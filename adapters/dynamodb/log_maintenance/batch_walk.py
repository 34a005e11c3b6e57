"""
Walking the log's own items, sound or not, in the order of positions.

Readers of the log stop where something is missing; this walk goes on behind it and tells what it
met: a batch with its entries, or what is wrong with it.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from decimal import Decimal
from itertools import groupby

from attrs import frozen

from adapters.dynamodb.items.item_table import Range
from adapters.dynamodb.items.typed_values import decimal_of, int_of
from adapters.dynamodb.log.batches import Batch, last_position, whole_batches
from adapters.dynamodb.log.keys import part_of
from adapters.dynamodb.log.packing import Damaged
from adapters.dynamodb.log_reading.log_reader import PAGE_ITEMS, Head, LogReader
from adapters.dynamodb.transport.transport import Item
from adapters.eventstore.inspection.inspector import Kind
from adapters.eventstore.log import LogEntry
from adapters.row_layouts.catalogue import SK
from application.errors import Unavailable

_LOOKS, _PAUSE = 5, 0.1
_MALFORMED = (ArithmeticError, LookupError, TypeError, ValueError)


@frozen
class Met:
    """One batch on the walk: its entries, or the kind of its damage and what that is."""

    block: int
    first: int
    last: int | None
    """Nothing if that cannot be told."""
    ms: int = 0
    entries: Sequence[LogEntry] = ()
    kind: Kind | None = None
    what: str = ""
    blob: str | None = None
    """Where the events are, if not in the batch itself."""


@frozen
class Announced:
    """The blocks that are announced."""

    firsts: Mapping[int, int]
    """The first position of each."""
    damaged: Mapping[Decimal, str]
    """By sort key: what is wrong with an item that announces a block."""

    @property
    def blocks(self) -> list[int]:
        return [*self.firsts, *(int(at) for at in self.damaged if at == int(at))]


@frozen
class BatchWalk:
    reader: LogReader

    async def announced(self) -> Announced:
        firsts: dict[int, int] = {}
        damaged: dict[Decimal, str] = {}
        pk = self.reader.keys.blocks
        async for page in self.reader.table.pages(pk, Range(), limit=PAGE_ITEMS):
            for item in page:
                try:
                    firsts[int_of(item, SK)] = int_of(item, "first")
                except _MALFORMED as error:
                    damaged[decimal_of(item, SK)] = f"malformed: {error!r}"
        return Announced(firsts, damaged)

    async def end(self, announced: Announced) -> Head:
        """The end of the log, even where blocks are not announced, or announced and empty."""
        for block in sorted({0, *announced.blocks}, reverse=True):
            newest = await self.reader.table.newest(self.reader.keys.block(block))
            if newest is not None:
                return await self._end(block, newest)
        return Head()

    async def _end(self, block: int, newest: Item) -> Head:
        try:
            end = await self.reader.head(Head(block=block))
            await self._settled(end)
        except _MALFORMED:
            # The last batch does not tell where it ends: it is looked at nevertheless.
            return Head(_first(newest), block=block)
        return end

    async def met(self, end: Head) -> AsyncIterator[Met]:
        """Every batch that begins up to the end."""
        for block in range((end.block or 0) + 1):
            async for items in self._together(block):
                one = await self._looked_at(block, items)
                if one.first <= end.position:
                    yield one

    async def _settled(self, end: Head) -> None:
        # The last transaction may still be on its way, and show only some of its items.
        for _ in range(_LOOKS):
            if await self.reader.batches(end.position):
                return
            await asyncio.sleep(_PAUSE)

    async def _together(self, block: int) -> AsyncIterator[list[Item]]:
        """The items of each batch of a block."""
        held: list[Item] = []
        pk = self.reader.keys.block(block)
        async for page in self.reader.table.pages(pk, Range(), limit=PAGE_ITEMS):
            for first, items in groupby(page, key=_first):
                if held and _first(held[0]) != first:
                    yield held
                    held = []
                held += items
        if held:
            yield held

    async def _looked_at(self, block: int, items: Sequence[Item]) -> Met:
        first = _first(items[0])
        try:
            last = last_position(items[0])
            if self.reader.keys.block_of(first) != block:
                return Met(block, first, last, kind=Kind.DAMAGED_BATCH, what="in another block")
            whole = list(whole_batches(items))
        except _MALFORMED as error:
            return Met(block, first, None, kind=Kind.DAMAGED_BATCH, what=f"malformed: {error!r}")
        if not whole:
            what = f"only {len(items)} of its parts are there"
            return Met(block, first, last, kind=Kind.INCOMPLETE_BATCH, what=what)
        return await self._opened(block, whole[0])

    async def _opened(self, block: int, batch: Batch) -> Met:
        try:
            entries = await self.reader.entries(batch)
        except Damaged as error:
            kind = Kind.MISSING_BLOB if error.where == batch.blob else Kind.DAMAGED_BATCH
            what = str(error)
            return Met(block, batch.first, batch.last, kind=kind, what=what, blob=batch.blob)
        except Unavailable as error:
            if batch.blob is None:
                raise
            what, kind = str(error), Kind.MISSING_BLOB
            return Met(block, batch.first, batch.last, kind=kind, what=what, blob=batch.blob)
        return Met(block, batch.first, batch.last, batch.ms, entries, blob=batch.blob)


def _first(item: Item) -> int:
    return part_of(decimal_of(item, SK))[0]
