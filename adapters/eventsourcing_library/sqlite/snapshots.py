"""Snapshots of aggregates: any version, each stored once."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import apsw
from attrs import frozen
from eventsourcing.persistence import AggregateRecorder, IntegrityError, StoredEvent

from adapters.eventsourcing_library.shared.translation import (
    OriginatorIdType,
    library_errors,
    originator_id,
)
from adapters.sqlite.connection.database import Database
from adapters.sqlite.log.reader import NO_LIMIT, UNBOUNDED


@frozen
class SnapshotTable:
    """`snapshots_<application>`: what is kept of an aggregate, apart for each purpose."""

    database: Database
    application: int
    purpose: str

    @property
    def name(self) -> str:
        return f"snapshots_{self.application}"

    def create(self, connection: apsw.Connection) -> None:
        connection.execute(f"""
            CREATE TABLE IF NOT EXISTS {self.name} (
                purpose TEXT NOT NULL,
                stream TEXT NOT NULL,
                version INTEGER NOT NULL,
                name TEXT NOT NULL,
                data BLOB NOT NULL,
                PRIMARY KEY (purpose, stream, version)
            ) STRICT, WITHOUT ROWID
        """)

    def put(self, connection: apsw.Connection, stored: Sequence[StoredEvent]) -> None:
        rows = [
            (self.purpose, str(s.originator_id), s.originator_version, s.topic, s.state)
            for s in stored
        ]
        connection.executemany(f"INSERT INTO {self.name} VALUES (?, ?, ?, ?, ?)", rows)

    def select(self, stream: str, bounds: tuple[int, int, int], *, newest_first: bool) -> list[Any]:
        order = "DESC" if newest_first else "ASC"
        sql = f"""
            SELECT version, name, data FROM {self.name}
            WHERE purpose = ? AND stream = ? AND version > ? AND version <= ?
            ORDER BY version {order} LIMIT ?
        """
        return self.database.rows(sql, (self.purpose, stream, *bounds))


class SqliteSnapshotRecorder(AggregateRecorder):
    """Stores snapshots; versions may be sparse, duplicates are refused."""

    def __init__(self, table: SnapshotTable, ids: OriginatorIdType) -> None:
        self._table = table
        self._ids: OriginatorIdType = ids

    def insert_events(
        self, stored_events: Sequence[StoredEvent], **kwargs: Any
    ) -> Sequence[int] | None:
        def job(connection: apsw.Connection) -> None:
            self._table.put(connection, stored_events)

        try:
            with library_errors():
                self._table.database.submit(job).result()
        except apsw.ConstraintError as error:
            raise IntegrityError(f"a snapshot is already stored: {error}") from error
        return None

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        bounds = (
            -1 if gt is None else gt,
            UNBOUNDED if lte is None else lte,
            NO_LIMIT if limit is None else limit,
        )
        with library_errors():
            rows = self._table.select(str(originator_id), bounds, newest_first=desc)
        return [self._stored(str(originator_id), *row) for row in rows]

    def _stored(self, stream: str, version: int, name: str, data: bytes) -> StoredEvent:
        return StoredEvent(originator_id(stream, self._ids), version, name, data)
