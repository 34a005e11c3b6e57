"""What there is of a table in a store file, and in what it differs from the catalogue."""

from collections.abc import Iterator, Sequence

import orjson
from attrs import frozen

from adapters.row_layouts.catalogue import CATALOGUE, Table
from adapters.row_layouts.engine import Row, RowKey
from adapters.sqlite.connection.row_queries import Rows
from adapters.sqlite.rows.row_table import RowTable

_COLUMNS = "SELECT name FROM pragma_table_info(?)"
_INDEXES = "SELECT name FROM pragma_index_list(?) WHERE origin = 'c'"
_INDEX_COLUMNS = "SELECT name FROM pragma_index_xinfo(?) WHERE key ORDER BY seqno"
_BYTES = """
    SELECT coalesce(sum(pgsize), 0) FROM dbstat
    WHERE name IN (SELECT name FROM sqlite_schema WHERE tbl_name = ?)
"""


_ROW_TABLES = {table.name: RowTable(table) for table in CATALOGUE}


@frozen
class FoundTable:
    rows: int
    bytes: int
    """With its indexes, as the file holds them."""
    differences: tuple[str, ...]


@frozen
class TablesBeside:
    """Rows of a store file that another process may be writing."""

    database: Rows

    async def get(self, keys: Sequence[RowKey], *, strong: bool = False) -> Sequence[Row]:
        """Those of the catalogue's tables that the file has."""
        return [
            orjson.loads(row)
            for key in keys
            if self._has(key.table)
            for (row,) in self.database.rows(_ROW_TABLES[key.table].get, (key.pk, key.sk))
        ]

    def _has(self, table: str) -> bool:
        return bool(self.database.rows(_COLUMNS, (table,)))


def look_at(database: Rows, table: Table) -> FoundTable | None:
    """Nothing if the file has no such table.

    Raises:
        Unavailable: SQLite cannot read now.
    """
    columns = tuple(name for (name,) in database.rows(_COLUMNS, (table.name,)))
    if not columns:
        return None
    ((count,),) = database.rows(f'SELECT count(*) FROM "{table.name}"')
    ((size,),) = database.rows(_BYTES, (table.name,))
    return FoundTable(count, size, tuple(_differences(database, RowTable(table), columns)))


def _differences(database: Rows, table: RowTable, columns: tuple[str, ...]) -> Iterator[str]:
    if columns != table.columns:
        yield f"its columns are {', '.join(columns)}, must be {', '.join(table.columns)}"
    found = {name for (name,) in database.rows(_INDEXES, (table.table.name,))}
    for name, wanted in table.indexes.items():
        if name not in found:
            yield f"its index {name} is missing, must be on {', '.join(wanted)}"
            continue
        ordered = tuple(column for (column,) in database.rows(_INDEX_COLUMNS, (name,)))
        if ordered != wanted:
            yield f"its index {name} is on {', '.join(ordered)}, must be on {', '.join(wanted)}"
    if table.table.ttl and table.end_index not in found:
        yield f"its index {table.end_index} is missing, by which rows that end are found"
