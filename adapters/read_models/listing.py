"""
Long lists of rows, a page at a time.

A cursor says which partition of the index the page ended in and after which row, not how many
rows came before: rows that appear or vanish meanwhile make no other row come twice or not at all.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing

from attrs import frozen

from adapters.row_layouts.catalogue import SK, Index, Table
from adapters.row_layouts.engine import Row, RowReads
from application.reads.paging import Cursor, Page, PageRequest
from domain.errors import Invalid, Violation

MOST_READ = 2_000
"""Rows that are looked at for one page; then it ends, however few were wanted."""

LATER_READ = 100


async def whole_partitions(
    engine: RowReads, table: str, pks: Sequence[str], *, strong: bool = False
) -> Sequence[Row]:
    """All rows of some partitions together, in the order of their sort keys."""
    pages = await asyncio.gather(*(engine.query(table, pk, strong=strong) for pk in pks))
    return sorted((row for page in pages for row in page.rows), key=lambda row: row[SK])


@frozen
class Listing:
    """The rows of some partitions of an index, one partition after the other."""

    engine: RowReads
    table: Table
    index: Index
    partitions: Sequence[str]
    begins_with: str = ""

    async def page(self, request: PageRequest, wanted: Callable[[Row], bool]) -> Page[Row]:
        """The next rows that are wanted: as many as asked for, if there are so many.

        Raises:
            Invalid: The cursor is from another list.
        """
        return await filled(self._rows(request), request, wanted)

    async def _rows(self, request: PageRequest) -> AsyncGenerator[tuple[Cursor, Row], None]:
        limit = request.size + 1
        for partition, after in self._remaining(request.after):
            more: Cursor | None = after
            while more is not None:
                page = await self.engine.query_index(
                    self.table.name,
                    self.index.name,
                    partition,
                    begins_with=self.begins_with,
                    limit=limit,
                    after=more or None,
                )
                for row in page.rows:
                    yield (partition, *self.index.place(row)), row
                more, limit = page.next, max(limit, LATER_READ)

    def _remaining(self, cursor: Cursor | None) -> Iterator[tuple[str, Cursor]]:
        """The partitions that are left, each with the place to go on after."""
        if cursor is None:
            cursor = (self.partitions[0],)
        self._check(cursor)
        yield cursor[0], cursor[1:]
        at = self.partitions.index(cursor[0])
        for partition in self.partitions[at + 1 :]:
            yield partition, ()

    def _check(self, cursor: Cursor) -> None:
        whole = 1 + len(self.index.order)
        if not cursor or cursor[0] not in self.partitions or len(cursor) not in (1, whole):
            raise foreign_cursor()


async def filled(
    rows: AsyncGenerator[tuple[Cursor, Row], None],
    request: PageRequest,
    wanted: Callable[[Row], bool],
) -> Page[Row]:
    """A page of the rows that are wanted, each of which comes with the place to go on after it."""
    found: list[Row] = []
    places: list[Cursor] = []
    last, read = request.after, 0
    async with aclosing(rows):
        async for place, row in rows:
            if read >= MOST_READ:
                return Page(found, last, places)
            if wanted(row):
                if len(found) == request.size:
                    return Page(found, last, places)
                found.append(row)
                places.append(place)
            last, read = place, read + 1
    return Page(found, None, places)


def foreign_cursor() -> Invalid:
    return Invalid([Violation("page_token", "MALFORMED", "must be one that this list gave out")])
