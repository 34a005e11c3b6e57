"""
A table of the catalogue as a SQLite table of the same name.

    PK   SK   position   row    <the attributes that indexes are built on>
                         JSON   nothing where the row has none: it is then not in the index

Rows that end lie in one more index, by the second of their end: those who sweep find them there.
Keys compare as their UTF-8 bytes do, as on DynamoDB. Every statement finds its rows through the
primary key or an index; none looks at the whole table.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import apsw
import orjson
from attrs import frozen

from adapters.row_layouts.catalogue import PK, SK, Index, Table
from adapters.row_layouts.engine import ASIDE, Row, RowKey
from adapters.sqlite.connection.bulk_insert import Insertion

ABOVE_ALL = b"\xff"
"""Greater than every text, because UTF-8 has no such byte."""


@frozen
class Span:
    """Which part of a partition is wanted, and in which order."""

    begins_with: str = ""
    descending: bool = False
    limit: int | None = None
    after: tuple[str, ...] | None = None

    def bindings(self) -> tuple[Any, ...]:
        prefix = self.begins_with
        # One row beyond the limit tells that there are more.
        limit = -1 if self.limit is None else self.limit + 1
        return (prefix, prefix.encode() + ABOVE_ALL, *(self.after or ()), limit)


@frozen
class RowTable:
    """The statements on one table, and what they are given."""

    table: Table

    # Reading.

    @cached_property
    def get(self) -> str:
        return f"SELECT row FROM {self._name} WHERE PK = ? AND SK = ?"

    @cached_property
    def get_many(self) -> str:
        """The rows under several keys, each a pair: one statement costs half of one for each.

        CROSS JOIN makes SQLite find each by the primary key.
        """
        return f"""
            SELECT row FROM json_each(?) AS wanted CROSS JOIN {self._name}
            ON PK = wanted.value ->> 0 AND SK = wanted.value ->> 1
        """

    def select(self, index: Index | None, span: Span) -> str:
        """The rows of one partition of the table or of an index."""
        partition = index.hash if index else PK
        return f"""
            SELECT row FROM {self._name}
            WHERE {partition} = ? AND {" AND ".join(_bounds(self.order(index), span))}
            ORDER BY {", ".join(_directed(self.order(index), span))} LIMIT ?
        """

    @cached_property
    def select_many(self) -> str:
        """The rows of several partitions.

        CROSS JOIN makes SQLite go through the partitions as they are given and find the rows of
        each by the primary key, in its order: without sorting, so that a limit saves work.
        """
        return f"""
            SELECT row FROM json_each(?) AS wanted CROSS JOIN {self._name}
            ON PK = wanted.value LIMIT ?
        """

    @cached_property
    def scan(self) -> str:
        """All rows beyond a key, and what lies beside them. As bytes: they may be no text."""
        columns = ", ".join(("CAST(row AS BLOB)", *self._beside))
        return f"""
            SELECT {columns} FROM {self._name}
            WHERE (PK, SK) > (?, ?) ORDER BY PK, SK LIMIT ?
        """

    def scanned(self, found: tuple[Any, ...]) -> Row:
        """The row; the columns say where it lies, and how queries find it."""
        beside = dict(zip(self._beside, found[1:], strict=True))
        try:
            row = orjson.loads(found[0])
        except ValueError as error:
            return {PK: beside[PK], SK: beside[SK], ASIDE: f"it is not JSON: {error}"}
        other = {name: value for name, value in beside.items() if row.get(name) != value}
        return {**row, PK: beside[PK], SK: beside[SK], ASIDE: other} if other else row

    def order(self, index: Index | None) -> tuple[str, ...]:
        return index.order if index else (SK,)

    # Writing.

    @cached_property
    def put(self) -> Insertion:
        columns = self.columns
        changed = ", ".join(f"{column} = excluded.{column}" for column in columns[2:])
        return Insertion(
            f"{self._name} ({', '.join(columns)})",
            len(columns),
            f"ON CONFLICT (PK, SK) DO UPDATE SET {changed} WHERE position < excluded.position",
        )

    def put_bindings(self, row: Row) -> tuple[Any, ...]:
        indexed = (row.get(attribute) for attribute in self._indexed)
        return (row[PK], row[SK], row["position"], orjson.dumps(row).decode(), *indexed)

    @cached_property
    def delete(self) -> str:
        return f"DELETE FROM {self._name} WHERE PK = ? AND SK = ? AND position <= ?"

    def delete_bindings(self, key: RowKey, position: int) -> tuple[Any, ...]:
        return (key.pk, key.sk, position)

    @cached_property
    def sweep(self) -> str:
        """Delete some of the rows that ended by a second."""
        return f"""
            DELETE FROM {self._name} WHERE rowid IN (
                SELECT rowid FROM {self._name} WHERE {self._end} <= ? LIMIT ?
            )
        """

    # Creating.

    @cached_property
    def columns(self) -> tuple[str, ...]:
        return (PK, SK, "position", "row", *self._indexed)

    @cached_property
    def indexes(self) -> dict[str, tuple[str, ...]]:
        """The names of its indexes, each with the columns that it is ordered by."""
        return {
            f"{self.table.name}/{index.name}": (index.hash, *index.order)
            for index in self.table.indexes
        }

    @cached_property
    def end_index(self) -> str:
        return f"{self.table.name}/{self.table.ttl}"

    def create(self, connection: apsw.Connection) -> None:
        indexed = "".join(f"{attribute} TEXT, " for attribute in self._indexed)
        connection.execute(f"""
            CREATE TABLE IF NOT EXISTS {self._name} (
                PK TEXT NOT NULL,
                SK TEXT NOT NULL,
                position INTEGER NOT NULL,
                row TEXT NOT NULL,
                {indexed}
                PRIMARY KEY (PK, SK)
            ) STRICT
        """)
        for name, columns in self.indexes.items():
            connection.execute(f"""
                CREATE INDEX IF NOT EXISTS "{name}"
                ON {self._name} ({", ".join(columns)}) WHERE {columns[0]} IS NOT NULL
            """)
        if self.table.ttl:
            connection.execute(f"""
                CREATE INDEX IF NOT EXISTS "{self.end_index}"
                ON {self._name} ({self._end}) WHERE {self._end} IS NOT NULL
            """)

    @cached_property
    def drop(self) -> str:
        return f"DROP TABLE IF EXISTS {self._name}"

    @cached_property
    def _name(self) -> str:
        return f'"{self.table.name}"'

    @property
    def _beside(self) -> tuple[str, ...]:
        return (PK, SK, "position", *self._indexed)

    @cached_property
    def _end(self) -> str:
        # A damaged row has no end: it is found by whoever compares, and stops nobody else.
        return f"CASE WHEN json_valid(row) THEN json_extract(row, '$.{self.table.ttl}') END"

    @cached_property
    def _indexed(self) -> tuple[str, ...]:
        """The attributes, other than the row's own key, that indexes are built on."""
        attributes = (a for index in self.table.indexes for a in (index.hash, index.range))
        return tuple(dict.fromkeys(a for a in attributes if a not in (PK, SK)))


def _bounds(order: tuple[str, ...], span: Span) -> Iterator[str]:
    """Two bounds and perhaps a cursor, which then bounds more tightly than one of the two.

    The plus keeps SQLite from starting at that one and walking up to the cursor.
    """
    lowest, highest = f"{order[0]} >= ?", f"{order[0]} < CAST(? AS TEXT)"
    cursor = span.after is not None
    yield f"+{lowest}" if cursor and not span.descending else lowest
    yield f"+{highest}" if cursor and span.descending else highest
    if cursor:
        sign = "<" if span.descending else ">"
        yield f"({', '.join(order)}) {sign} ({', '.join('?' * len(order))})"


def _directed(order: tuple[str, ...], span: Span) -> Iterator[str]:
    return (f"{column} DESC" if span.descending else column for column in order)
