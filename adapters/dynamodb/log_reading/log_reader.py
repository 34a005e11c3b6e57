"""
Reading the log of one application from its table.

A Query is no snapshot: it may show a part of a transaction. Readers therefore stop at the first
gap, and look again. Nothing that was read once ever changes.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence

from attrs import evolve, field, frozen

from adapters.dynamodb.items.item_table import ItemTable, Range
from adapters.dynamodb.items.typed_values import bytes_of, decimal_of, int_of
from adapters.dynamodb.log.batches import Batch, last_position, whole_batches
from adapters.dynamodb.log.keys import Keys, part_key, part_of
from adapters.dynamodb.log.packing import LARGEST_AT_ONCE
from adapters.dynamodb.log.payloads import Payloads
from adapters.dynamodb.log_reading.page_prefetch import PageAhead
from adapters.dynamodb.log_reading.read_ahead import Ahead, ReadAhead
from adapters.dynamodb.transport.transport import Item
from adapters.eventstore.log import LogEntry
from adapters.row_layouts.catalogue import SK
from application.errors import Unavailable

PAGE_ITEMS = 64
MOST_AT_ONCE = 500
"""More events than these are unpacked on another thread: well packed, many are few bytes."""
LOOKS, FIRST_PAUSE = 7, 0.02
"""For what must be there and is not seen. The pauses double: two and a half seconds altogether."""


@frozen
class Head:
    """The end of the log: its last position, when that was recorded, and in which block it lies."""

    position: int = 0
    ms: int = 0
    block: int | None = None
    in_parts: int | None = None
    """Where its last batch begins, if that has several parts."""


@frozen
class LogReader:
    table: ItemTable
    keys: Keys
    payloads: Payloads = field(factory=Payloads)
    _ahead: ReadAhead = field(factory=ReadAhead)
    _coming: PageAhead = field(factory=PageAhead)

    async def close(self) -> None:
        """Do without what is still being fetched ahead."""
        await self._coming.close()

    # Entries.

    async def read(self, after: int, limit: int) -> list[LogEntry]:
        """Entries with position > after, at most `limit`.

        What an item holds beyond the limit is kept for whoever goes on from there: a Query counts
        items, and reading one for every few events is what makes a replay expensive. While such a
        reader is busy with a full page, the next one is fetched. Only as many batches are opened
        as the limit takes, and the event loop goes on between them.
        """
        ahead = self._ahead.take(after)
        entries, batches, goes_on = ahead.entries, ahead.batches, bool(ahead)
        while len(entries) < limit:
            if not batches:
                batches.extend(await self._page(entries, after, limit, goes_on=goes_on))
            if not batches:
                break
            opened = await self.entries(batches.popleft())
            entries += [entry for entry in opened if entry.position > after]
            await asyncio.sleep(0)
        self._ahead.keep(Ahead(entries[limit:], batches))
        return entries[:limit]

    async def _page(
        self, entries: Sequence[LogEntry], after: int, limit: int, *, goes_on: bool
    ) -> Sequence[Batch]:
        """The batches behind what was read so far."""
        # That ends with a batch: the next one can only begin right behind it.
        find = self._from if entries else self.batches
        reached = entries[-1].position if entries else after
        items = min(limit - len(entries), PAGE_ITEMS)
        batches = await self._coming.take(reached + 1) or await find(reached + 1, items)
        if goes_on and len(batches) == PAGE_ITEMS:
            await self._fetch_behind(batches[-1])
        return batches

    async def _fetch_behind(self, batch: Batch) -> None:
        self._coming.fetch(batch.last + 1, self._from(batch.last + 1, PAGE_ITEMS))
        # The request leaves now, before the event loop is busy with decoding.
        await asyncio.sleep(0)

    async def entries(self, batch: Batch) -> list[LogEntry]:
        """A batch's events, fetched from the blob store if they are there.

        Raises:
            Damaged: They are not what was stored, or gone.
        """
        if batch.blob is not None:
            batch = evolve(batch, content=await self.payloads.fetch(batch.blob))
        if batch.n <= MOST_AT_ONCE and len(batch.content) <= LARGEST_AT_ONCE:
            return batch.entries()
        return await asyncio.to_thread(batch.entries)

    # Batches.

    async def batches(self, position: int, items: int = PAGE_ITEMS) -> Sequence[Batch]:
        """Some batches from the one that holds the position on, without a gap between them.

        Nothing at the end of the log, and where a batch cannot be seen whole yet.
        """
        found = await self._from(position, items)
        if found:
            return found
        first = await self._first_of(position)
        return () if first is None else await self._from(first, items)

    async def batch(self, first: int) -> Batch | None:
        """The batch that begins at a position, once all its parts are there."""
        found = await self._from(first, 1)
        return found[0] if found else None

    async def walk(self, after: int = 0) -> AsyncIterator[Batch]:
        """All batches that hold positions beyond `after`, a page in memory at a time."""
        while found := await self.batches(after + 1):
            for batch in found:
                yield batch
            after = found[-1].last

    async def _from(self, first: int, items: int) -> Sequence[Batch]:
        """About a page of batches, at least one if one begins there."""
        pk = self.keys.block(self.keys.block_of(first))
        held: list[Item] = []
        async for page in self.table.pages(pk, Range(first=first), limit=items):
            held += page
            found = list(_adjoining(whole_batches(held), first))
            # Of a batch in many parts the first page shows only some.
            if found or _first(held[-1]) != first:
                return found
        return ()

    async def _first_of(self, position: int) -> int | None:
        """Where the batch begins that holds the position, if it begins before it."""
        item = await self.item_at(position)
        return None if item is None or _first(item) == position else _first(item)

    async def item_at(self, position: int) -> Item | None:
        """The batch that holds the position, or a part of it; nothing if none can be seen."""
        block = self.keys.block_of(position)
        item = await self.table.newest(self.keys.block(block), part_key(position, 0))
        item = item or await self._last_before(block)
        return None if item is None or position > last_position(item) else item

    async def _last_before(self, block: int) -> Item | None:
        """The last item before a block. Blocks may be empty: a batch can be larger than one."""
        begun = await self.table.newest(self.keys.blocks, block - 1) if block else None
        return begun and await self.table.newest(self.keys.block(int_of(begun, SK)))

    # The end.

    async def head(self, known: Head) -> Head:
        """Where the log ends now; what was known of it earlier saves a read."""
        block = known.block
        if block is None:
            newest = await self.table.newest(self.keys.blocks)
            if newest is None:
                return Head()
            block = int_of(newest, SK)
        return await self._end(block)

    async def _end(self, block: int) -> Head:
        while True:
            item = await self._newest_of(block)
            in_parts = _first(item) if "parts" in item else None
            end = Head(last_position(item), int_of(item, "at"), block, in_parts)
            block = self.keys.block_of(end.position + 1)
            if block == end.block or await self._is_free(end.position + 1):
                return end

    async def _newest_of(self, block: int) -> Item:
        """A block is announced in the transaction of its first batch, which may be seen later."""
        for look in range(LOOKS):
            item = await self.table.newest(self.keys.block(block))
            if item is not None:
                return item
            await asyncio.sleep(FIRST_PAUSE * 2**look)
        raise Unavailable("the log", f"its block {block} is announced and empty")

    async def holder(self, first: int) -> bytes | None:
        """The id of the batch that begins at the position, if one does."""
        item = await self.table.get(self.keys.batch(first))
        return None if item is None else bytes_of(item, "id")

    async def grew(self, head: Head) -> bool:
        """Whether the log has gone on, asked as cheaply as can be."""
        return not await self._is_free(head.position + 1, strong=False)

    async def _is_free(self, position: int, *, strong: bool = True) -> bool:
        return await self.table.get(self.keys.batch(position), strong=strong) is None


def _adjoining(batches: Iterable[Batch], position: int) -> Iterator[Batch]:
    for batch in batches:
        if batch.first != position:
            return
        yield batch
        position = batch.last + 1


def _first(item: Item) -> int:
    return part_of(decimal_of(item, SK))[0]
