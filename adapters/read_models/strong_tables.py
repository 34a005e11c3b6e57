"""
Tables that show all that was written before, for those who waited until it was.

By key and by partition an engine can do so. An index cannot: it lags behind its table. So the
rows that it names are read again by their keys, and shown as they are now, or not at all where they
no longer belong there. What the index does not name yet stays missing.
"""

from collections.abc import Sequence
from typing import Unpack

from attrs import frozen

from adapters.row_layouts.catalogue import CATALOGUE, PK, SK, Index
from adapters.row_layouts.engine import Row, RowKey, RowPage, RowReads, Which

_INDEXES = {(table.name, index.name): index for table in CATALOGUE for index in table.indexes}


@frozen
class StrongTables:
    """All reads are strong, whatever the caller asks for."""

    tables: RowReads

    async def get(self, keys: Sequence[RowKey], *, strong: bool = True) -> Sequence[Row]:
        return await self.tables.get(keys, strong=True)

    async def query(
        self, table: str, pk: str, *, strong: bool = True, **which: Unpack[Which]
    ) -> RowPage:
        return await self.tables.query(table, pk, strong=True, **which)

    async def query_many(
        self, table: str, pks: Sequence[str], *, limit: int, strong: bool = True
    ) -> RowPage:
        return await self.tables.query_many(table, pks, limit=limit, strong=True)

    async def query_index(
        self, table: str, index: str, hash_key: str, **which: Unpack[Which]
    ) -> RowPage:
        """A row that has moved within its partition still stands where the index has it: pages
        go on from there.
        """
        page = await self.tables.query_index(table, index, hash_key, **which)
        if not page.rows:
            return page
        by, begins_with = _INDEXES[table, index], which.get("begins_with", "")
        rows = await self.get([_key(table, row) for row in page.rows])
        now = {_key(table, row): row for row in rows if _belongs(row, by, hash_key, begins_with)}
        named = [(row, now.get(_key(table, row))) for row in page.rows]
        shown = [{**fresh, by.range: row[by.range]} for row, fresh in named if fresh is not None]
        return RowPage(shown, page.next)


def _key(table: str, row: Row) -> RowKey:
    return RowKey(table, row[PK], row[SK])


def _belongs(row: Row, by: Index, hash_key: str, begins_with: str) -> bool:
    return by.holds(row) and row[by.hash] == hash_key and row[by.range].startswith(begins_with)
