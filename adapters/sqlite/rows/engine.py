"""Tables in a SQLite file, the same that holds the event log."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, Unpack

import apsw
import orjson
from attrs import frozen

from adapters.row_layouts.catalogue import CATALOGUE, Index, Table
from adapters.row_layouts.engine import Delete, Put, Row, RowKey, RowPage, Which
from adapters.sqlite.connection.bulk_insert import Insertion
from adapters.sqlite.connection.database import Database
from adapters.sqlite.rows.row_table import RowTable, Span

CREATE_PROGRESS = """
    CREATE TABLE IF NOT EXISTS projection_progress (
        projection TEXT PRIMARY KEY,
        reached INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
"""
REACHED = "SELECT reached FROM projection_progress WHERE projection = ?"
ALL_REACHED = """
    SELECT projection, reached FROM projection_progress
    WHERE projection IN (SELECT value FROM json_each(?))
"""
MOVE = Insertion(
    "projection_progress", 2, "ON CONFLICT (projection) DO UPDATE SET reached = excluded.reached"
)
FORGET = "DELETE FROM projection_progress WHERE projection = ?"

Step = tuple[str | Insertion, tuple[Any, ...]]
"""A statement and what it is given."""


@frozen
class Filing:
    """What a projection files, and how far it is then."""

    projection: str
    upto: int
    steps: Sequence[Step]


class SqliteEngine:
    """Reads run at once on the caller's thread; writes are jobs of the database's one writer."""

    def __init__(self, database: Database, tables: Iterable[Table] = CATALOGUE) -> None:
        self._database = database
        self._tables = {table.name: RowTable(table) for table in tables}
        database.submit(self._create).result()

    # Reading.

    async def get(self, keys: Sequence[RowKey], *, strong: bool = False) -> Sequence[Row]:
        if len(keys) == 1:
            (key,) = keys
            found = self._database.rows(self._tables[key.table].get, (key.pk, key.sk))
        else:
            found = self._get_many(keys)
        return [orjson.loads(row) for (row,) in found]

    def _get_many(self, keys: Sequence[RowKey]) -> list[tuple[Any, ...]]:
        by_table: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        for key in keys:
            by_table[key.table].append((key.pk, key.sk))
        return [
            row
            for name, places in by_table.items()
            for row in self._database.rows(
                self._tables[name].get_many, (orjson.dumps(places).decode(),)
            )
        ]

    async def query(
        self, table: str, pk: str, *, strong: bool = False, **which: Unpack[Which]
    ) -> RowPage:
        return self._page(self._tables[table], None, pk, Span(**which))

    async def query_many(
        self, table: str, pks: Sequence[str], *, limit: int, strong: bool = False
    ) -> RowPage:
        wanted = orjson.dumps(list(pks)).decode()
        found = self._database.rows(self._tables[table].select_many, (wanted, limit + 1))
        rows = [orjson.loads(row) for (row,) in found]
        return RowPage(rows[:limit], (rows[limit]["PK"],) if len(rows) > limit else None)

    async def query_index(
        self, table: str, index: str, hash_key: str, **which: Unpack[Which]
    ) -> RowPage:
        asked = self._tables[table]
        return self._page(asked, asked.table.index(index), hash_key, Span(**which))

    async def scan(
        self, table: str, *, limit: int, after: tuple[str, ...] | None = None
    ) -> RowPage:
        asked = self._tables[table]
        found = self._database.rows(asked.scan, (*(after or ("", "")), limit + 1))
        rows = [asked.scanned(one) for one in found[:limit]]
        return RowPage(rows, (rows[-1]["PK"], rows[-1]["SK"]) if len(found) > limit else None)

    async def reached(self, projection: str) -> int:
        rows = self._database.rows(REACHED, (projection,))
        return rows[0][0] if rows else 0

    def _page(self, asked: RowTable, index: Index | None, partition: str, span: Span) -> RowPage:
        sql = asked.select(index, span)
        found = self._database.rows(sql, (partition, *span.bindings()))
        rows = [orjson.loads(row) for (row,) in found[: span.limit]]
        if len(rows) == len(found):
            return RowPage(rows)
        return RowPage(rows, tuple(rows[-1][attribute] for attribute in asked.order(index)))

    # Writing.

    async def write(
        self,
        projection: str,
        changes: Sequence[Put | Delete],
        *,
        upto: int,
        copies: Sequence[Put | Delete] = (),
        remembered: Sequence[Put | Delete] = (),
    ) -> None:
        steps = [self._step(change) for change in (*copies, *changes, *remembered)]

        await self._database.queue_together(_file, Filing(projection, upto, steps))

    async def forget(self, projection: str) -> None:
        await self._database.write(lambda connection: _run(connection, [(FORGET, (projection,))]))

    async def ensure(self, tables: Sequence[Table]) -> None:
        made = {table.name: RowTable(table) for table in tables}

        def job(connection: apsw.Connection) -> None:
            for table in made.values():
                table.create(connection)

        await self._database.write(job)
        self._tables.update(made)

    async def drop(self, tables: Sequence[Table]) -> None:
        dropped = [RowTable(table).drop for table in tables]
        for table in tables:
            self._tables.pop(table.name, None)  # Nobody sweeps what is not there.
        await self._database.write(
            lambda connection: _run(connection, [(sql, ()) for sql in dropped])
        )

    async def sweep(self, ended_by: datetime, *, most: int) -> int:
        """Throw away rows that ended by then, so many at most, and tell how many it were."""
        second, tables = int(ended_by.timestamp()), [*self._tables.values()]

        def job(connection: apsw.Connection) -> int:
            swept = 0
            for table in tables:
                if table.table.ttl and swept < most:
                    connection.execute(table.sweep, (second, most - swept))
                    swept += connection.changes()
            return swept

        return await self._database.write(job)

    def _step(self, change: Put | Delete) -> Step:
        if isinstance(change, Delete):
            table = self._tables[change.key.table]
            return table.delete, table.delete_bindings(change.key, change.position)
        table = self._tables[change.table]
        return table.put, table.put_bindings(change.row)

    def _create(self, connection: apsw.Connection) -> None:
        connection.execute(CREATE_PROGRESS)
        for table in self._tables.values():
            table.create(connection)


def _file(connection: apsw.Connection, filings: Sequence[Filing]) -> Sequence[None]:
    """File for several projections at once; what somebody has filed already is left out."""
    names = orjson.dumps([one.projection for one in filings]).decode()
    found: list[Any] = connection.execute(ALL_REACHED, (names,)).fetchall()
    reached: dict[str, int] = dict(found)
    steps: list[Step] = []
    moved: dict[str, int] = {}
    for one in filings:
        if one.upto > reached.get(one.projection, 0):
            steps += one.steps
            moved[one.projection] = reached[one.projection] = one.upto
    _run(connection, steps)
    MOVE.run(connection, [*moved.items()])
    return [None] * len(filings)


def _run(connection: apsw.Connection, steps: Sequence[Step]) -> None:
    for statement, neighbours in groupby(steps, key=itemgetter(0)):
        rows = [bindings for _, bindings in neighbours]
        if isinstance(statement, Insertion):
            statement.run(connection, rows)
        else:
            connection.executemany(statement, rows)
