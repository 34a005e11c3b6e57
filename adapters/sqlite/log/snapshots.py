"""Snapshots in the SQLite file of the log."""

from concurrent.futures import Future

import apsw
from attrs import frozen

from adapters.eventstore.snapshots import Snapshot
from adapters.sqlite.connection.database import Database

_CREATE = """
CREATE TABLE IF NOT EXISTS snapshots (
    stream TEXT NOT NULL,
    kind TEXT NOT NULL,
    schema INTEGER NOT NULL,
    version INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (stream, kind)
)
"""
_LATEST = "SELECT schema, version, data FROM snapshots WHERE stream = ? AND kind = ?"
_KEEP = """
INSERT INTO snapshots VALUES (?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET schema = excluded.schema, version = excluded.version, data = excluded.data
WHERE excluded.version >= snapshots.version
"""
_CLEAR = "DELETE FROM snapshots"


@frozen
class SqliteSnapshots:
    database: Database

    def __attrs_post_init__(self) -> None:
        self._run(_CREATE).result()

    async def latest(self, stream: str, kind: str) -> Snapshot | None:
        for schema, version, data in self.database.rows(_LATEST, (stream, kind)):
            return Snapshot(stream, kind, schema, version, data)
        return None

    def keep(self, snapshot: Snapshot) -> None:
        one = snapshot
        # Nobody waits for it: a snapshot that fails to be stored is only missing.
        self._run(_KEEP, (one.stream, one.kind, one.schema, one.version, one.data))

    async def clear(self) -> None:
        await self.database.write(lambda connection: _execute(connection, _CLEAR))

    def _run(self, sql: str, bindings: tuple[str | int | bytes, ...] = ()) -> Future[None]:
        return self.database.submit(lambda connection: _execute(connection, sql, bindings))


def _execute(
    connection: apsw.Connection, sql: str, bindings: tuple[str | int | bytes, ...] = ()
) -> None:
    connection.execute(sql, bindings)
