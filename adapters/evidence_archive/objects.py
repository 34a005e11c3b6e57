"""Objects of the archive over a blob store: whole, or block by block; never what is damaged."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from attrs import Factory, define, field
from cachetools import LRUCache

from adapters.blobs.store import BlobStore
from adapters.evidence_archive.object_format import (
    TRAILER,
    Block,
    Row,
    Span,
    Top,
    all_rows,
    blocks_of,
    damaged,
    index_length,
    rows_of,
    sealed,
    top_of,
)
from adapters.evidence_archive.object_names import SEGMENTS, Namer, Stored, stored
from application.errors import Unavailable

T = TypeVar("T")

FULL = 4 * 1024 * 1024
"""An object of this size is not made larger: whole objects must fit into memory."""

_TAIL = 32 * 1024
_SPANS_HELD = 200_000
_BYTES_HELD = 8 * 1024 * 1024
_FOLDERS_HELD = 10_000
_AT_ONCE = 16
_LOOKS = 10
_BEHIND = 2
"""Threads that sorting and forgetting take, however much there is: callers wait for the others."""


class Gone(Exception):
    """An object that was listed is there no longer: others sorted it into something else."""


@define
class Objects:
    blobs: BlobStore
    namer: Namer
    _tops: "LRUCache[str, Top]" = field(
        factory=lambda: LRUCache(_SPANS_HELD, getsizeof=lambda top: len(top.spans) + 1)
    )
    _blocks: "LRUCache[tuple[str, int], bytes]" = field(
        factory=lambda: LRUCache(_BYTES_HELD, getsizeof=len)
    )
    _folders: "LRUCache[str, Sequence[Stored]]" = Factory(lambda: LRUCache(_FOLDERS_HELD))
    _calls: asyncio.Semaphore = Factory(lambda: asyncio.Semaphore(_AT_ONCE))
    _behind: asyncio.Semaphore = Factory(lambda: asyncio.Semaphore(_BEHIND))

    async def listed(self, folder: str) -> Sequence[Stored]:
        """All that is ours below a folder, in the order it was written within a folder."""
        async with self._calls:
            return list(stored(await self.blobs.names(f"{folder}/")))

    async def remembered(self, folder: str, *, afresh: bool) -> Sequence[Stored]:
        """As it was listed last, unless afresh: what others wrote since may be missing."""
        known = None if afresh else self._folders.get(folder)
        if known is None:
            known = self._folders[folder] = await self.listed(folder)
        return known

    def forget_listings(self) -> None:
        self._folders.clear()

    async def seen(self, look: Callable[[], Awaitable[T]]) -> T:
        """Look again when something was sorted away in between."""
        for _ in range(_LOOKS):
            try:
                return await look()
            except Gone:
                self.forget_listings()
        raise Unavailable("the evidence archive", "what is listed there is gone again and again")

    async def top(self, one: Stored) -> Top:
        held = self._tops.get(one.name)
        if held is None:
            held = self._tops[one.name] = await self._read_top(one)
        return held

    async def rows(self, top: Top, span: Span) -> list[Row]:
        data = self._blocks.get((top.name, span.start))
        if data is None:
            data = await self._part(top.name, span.start, span.length)
            rows = rows_of(top.name, span, data)
            # What others forget is forgotten here: evidence in segments is always read from there.
            if span.length < _BYTES_HELD and not top.name.startswith(SEGMENTS):
                self._blocks[top.name, span.start] = data
            return rows
        return rows_of(top.name, span, data)

    async def whole(self, one: Stored) -> tuple[Top, bytes]:
        async with self._calls:
            data = await self.blobs.get(one.name)
        if data is None:
            raise Gone
        if len(data) != one.size:
            raise damaged(one.name, f"it has {len(data):,} bytes instead of {one.size:,}")
        return top_of(one.name, one.stem, data), data

    async def all_rows(self, one: Stored) -> list[Row]:
        top, data = await self.whole(one)
        return await asyncio.to_thread(lambda: list(all_rows(top, data)))

    async def rows_where(self, one: Stored, wanted: Callable[[Row], bool]) -> list[Row]:
        """Asked in a thread; what is not wanted takes no memory."""
        top, data = await self.whole(one)
        return await asyncio.to_thread(lambda: list(filter(wanted, all_rows(top, data))))

    async def write(
        self,
        folder: str,
        rows: Iterable[Row],
        key: Callable[[Row], str],
        recorded: Callable[[Row], int] = lambda row: 0,
    ) -> Sequence[Stored]:
        """Put rows, in the order of their keys, into as many objects as are needed.

        They are gone through in a thread.
        """
        async with self._behind:
            made = await asyncio.to_thread(lambda: list(self._made(folder, rows, key, recorded)))
            for one, data in made:
                await self.put(one, data)
        return [one for one, _ in made]

    async def put(self, one: Stored, data: bytes) -> None:
        async with self._calls:
            await self.blobs.put(one.name, data)
        self._folders.pop(one.folder, None)

    async def delete(self, names: Iterable[Stored]) -> None:
        async def deleted(one: Stored) -> None:
            async with self._behind, self._calls:
                await self.blobs.delete(one.name)
            self._folders.pop(one.folder, None)

        await asyncio.gather(*map(deleted, names))

    def _made(
        self,
        folder: str,
        rows: Iterable[Row],
        key: Callable[[Row], str],
        recorded: Callable[[Row], int],
    ) -> Iterator[tuple[Stored, bytes]]:
        latest = 0

        def watched() -> Iterator[Row]:
            nonlocal latest
            for row in rows:
                latest = max(latest, recorded(row))
                yield row

        blocks = blocks_of(watched(), key)
        while first := list(islice(blocks, 1)):
            stem = self.namer.stem(folder)
            taken = list(_until_full(first[0], blocks))
            data, count = sealed(stem, taken), sum(block.rows for block in taken)
            yield self.namer.named(stem, latest=latest, rows=count, size=len(data)), data

    async def _read_top(self, one: Stored) -> Top:
        tail = await self._end(one, _TAIL)
        needed = index_length(one.name, tail) + TRAILER
        if needed > len(tail):
            tail = await self._end(one, needed)
        return top_of(one.name, one.stem, tail)

    async def _end(self, one: Stored, length: int) -> bytes:
        start = max(0, one.size - length)
        return await self._part(one.name, start, one.size - start)

    async def _part(self, name: str, start: int, length: int) -> bytes:
        async with self._calls:
            data = await self.blobs.part(name, start, length)
        if data is None:
            raise Gone
        return data


def _until_full(first: Block, blocks: Iterator[Block]) -> Iterator[Block]:
    yield first
    size = len(first.data)
    while size < FULL and (block := next(blocks, None)):
        size += len(block.data)
        yield block
