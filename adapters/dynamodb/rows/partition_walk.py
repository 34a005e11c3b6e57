"""
Walking along one partition of a table or of an index.

A page goes on after a place that is found by its sort key, whether or not a row is still there.
DynamoDB keeps no order among index entries with the same sort key: they are read together and put
into the order of the rows' own keys.
"""

from collections.abc import AsyncIterator
from typing import Any

from attrs import frozen

from adapters.dynamodb.items.typed_values import text
from adapters.row_layouts.catalogue import PK, SK, Index
from adapters.row_layouts.engine import Row, RowPage

Place = tuple[str, ...]


@frozen
class Walk:
    """Which part of a partition is wanted, and in which order."""

    partition: str
    index: Index | None = None
    begins_with: str = ""
    descending: bool = False
    limit: int | None = None
    after: Place | None = None

    def request(self) -> dict[str, Any]:
        """What is asked, but for the table and the consistency."""
        condition, bound = self._condition()
        values = {":partition": text(self.partition)} | ({":bound": text(bound)} if bound else {})
        return {
            "KeyConditionExpression": f"{self._hash} = :partition{condition}",
            "ExpressionAttributeValues": values,
            "ScanIndexForward": not self.descending,
            **({"IndexName": self.index.name} if self.index else {}),
            **({"Limit": self._page_size()} if self.limit is not None else {}),
        }

    async def page(self, rows: AsyncIterator[Row]) -> RowPage:
        """The page, of the rows as DynamoDB shows them."""
        found: list[Row] = []
        async for row in self._in_order(rows):
            if len(found) == self.limit:
                return RowPage(found, self._place(found[-1]))
            found.append(row)
        return RowPage(found)

    @property
    def _hash(self) -> str:
        return self.index.hash if self.index else PK

    @property
    def _range(self) -> str:
        return self.index.range if self.index else SK

    def _place(self, row: Row) -> Place:
        return self.index.place(row) if self.index else (row[SK],)

    def _page_size(self) -> int:
        # One row beyond tells that there are more. In an index, the row that the last page ended
        # with is read again, and one more tells that no other shares the last one's sort key.
        return (self.limit or 0) + (3 if self.index else 1)

    def _condition(self) -> tuple[str, str]:
        if self.after is not None and not self._begins_beyond(self.after[0]):
            sign = "<" if self.descending else ">"
            return f" AND {self._range} {sign}{'=' if self.index else ''} :bound", self.after[0]
        if self.begins_with:
            return f" AND begins_with({self._range}, :bound)", self.begins_with
        return "", ""

    def _begins_beyond(self, sort_key: str) -> bool:
        """Whether all that begins as it must comes after this sort key anyway."""
        if sort_key.startswith(self.begins_with):
            return False
        return (sort_key > self.begins_with) is self.descending

    async def _in_order(self, rows: AsyncIterator[Row]) -> AsyncIterator[Row]:
        equals: list[Row] = []
        async for row in rows:
            if not row[self._range].startswith(self.begins_with):
                break
            # No two rows of a table share a sort key: what comes next need not be known.
            if self.index is None or (equals and row[self._range] != equals[0][self._range]):
                for one in self._sorted(equals or [row]):
                    yield one
                equals = []
            if self.index is not None:
                equals.append(row)
        for one in self._sorted(equals):
            yield one

    def _sorted(self, rows: list[Row]) -> list[Row]:
        wanted = [row for row in rows if self._comes(self._place(row))]
        return sorted(wanted, key=self._place, reverse=self.descending)

    def _comes(self, place: Place) -> bool:
        if self.after is None:
            return True
        return place < self.after if self.descending else place > self.after
