"""
Long lists that are read from a part of a partition, or from parts of several.

Where a part begins and ends is a matter of its sort keys, so that no row outside it is looked at.
"""

from collections.abc import AsyncGenerator, Callable, Iterator, Sequence

from attrs import frozen

from adapters.read_models.listing import LATER_READ, filled, foreign_cursor
from adapters.row_layouts.catalogue import Index, Table
from adapters.row_layouts.engine import Row, RowReads
from application.reads.paging import Cursor, Page, PageRequest

_ANY = "!"
"""Stands for a row's own key where only the sort key counts; keys must not be empty."""


@frozen
class Stretch:
    """A part of an index partition: after the sort key `start`, up to `stop`."""

    partition: str
    begins_with: str = ""
    descending: bool = False
    start: str | None = None
    stop: str | None = None

    def first(self, index: Index) -> Cursor | None:
        return None if self.start is None else (self.start, *(_ANY for _ in index.order[1:]))

    def ends_before(self, sort_key: str) -> bool:
        if self.stop is None:
            return False
        return sort_key < self.stop if self.descending else sort_key > self.stop


@frozen
class Stretches:
    """The rows of some stretches, one after the other. A cursor begins with the stretch."""

    engine: RowReads
    table: Table
    index: Index
    parts: Sequence[Stretch]

    async def page(self, request: PageRequest, wanted: Callable[[Row], bool]) -> Page[Row]:
        """The next rows that are wanted: as many as asked for, if there are so many.

        Raises:
            Invalid: The cursor is from another list.
        """
        return await filled(self._rows(request), request, wanted)

    async def _rows(self, request: PageRequest) -> AsyncGenerator[tuple[Cursor, Row], None]:
        limit = request.size + 1
        for number, part, after in self._remaining(request.after):
            more, going_on = after, True
            while going_on:
                page = await self.engine.query_index(
                    self.table.name,
                    self.index.name,
                    part.partition,
                    begins_with=part.begins_with,
                    descending=part.descending,
                    limit=limit,
                    after=more,
                )
                for row in page.rows:
                    if part.ends_before(row[self.index.range]):
                        going_on = False
                        break
                    yield (str(number), *self.index.place(row)), row
                more, limit = page.next, max(limit, LATER_READ)
                going_on = going_on and more is not None

    def _remaining(self, cursor: Cursor | None) -> Iterator[tuple[int, Stretch, Cursor | None]]:
        """The stretches that are left, each with the place to go on after."""
        at = 0 if cursor is None else self._number(cursor)
        for number, part in enumerate(self.parts[at:], start=at):
            resumed = cursor is not None and number == at
            yield number, part, cursor[1:] if resumed and cursor else part.first(self.index)

    def _number(self, cursor: Cursor) -> int:
        known = {str(number): number for number in range(len(self.parts))}
        if len(cursor) != 1 + len(self.index.order) or cursor[0] not in known:
            raise foreign_cursor()
        return known[cursor[0]]
