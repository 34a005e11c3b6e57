"""How far an application has followed others, and events recorded together with that."""

from collections.abc import Sequence

import apsw
from attrs import frozen
from eventsourcing.persistence import (
    IntegrityError,
    StoredEvent,
    Tracking,
    TrackingRecorder,
)

from adapters.eventsourcing_library.shared.process_recorder import LogProcessRecorder
from adapters.eventsourcing_library.shared.recorders import positions, to_append
from adapters.eventsourcing_library.shared.translation import OriginatorIdType, library_errors
from adapters.eventsourcing_library.sqlite.recorders import SqliteApplicationRecorder
from adapters.sqlite.connection.database import Database
from adapters.sqlite.log.log import SqliteLog


@frozen
class TrackingTable:
    """`tracking_<application>`: the last position seen of each upstream application."""

    database: Database
    application: int

    @property
    def name(self) -> str:
        return f"tracking_{self.application}"

    def create(self, connection: apsw.Connection) -> None:
        connection.execute(f"""
            CREATE TABLE IF NOT EXISTS {self.name} (
                upstream TEXT PRIMARY KEY,
                position INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID
        """)

    def record(self, connection: apsw.Connection, tracking: Tracking) -> None:
        """Move on, inside a job.

        Raises:
            IntegrityError: The position has been passed already.
        """
        moved = connection.execute(
            f"""
            INSERT INTO {self.name} VALUES (?, ?)
            ON CONFLICT (upstream) DO UPDATE SET position = excluded.position
            WHERE position < excluded.position RETURNING position
            """,
            (tracking.application_name, tracking.notification_id),
        ).fetchall()
        if not moved:
            raise IntegrityError(
                f"{tracking.application_name} was already followed "
                f"to {tracking.notification_id} or beyond"
            )

    def position(self, upstream: str) -> int | None:
        sql = f"SELECT position FROM {self.name} WHERE upstream = ?"
        found = self.database.rows(sql, (upstream,))
        return found[0][0] if found else None


class SqliteTrackingRecorder(TrackingRecorder):
    """Remembers positions. A subclass may write rows of its own in the same job."""

    def __init__(self, table: TrackingTable) -> None:
        self.tracking = table

    def insert_tracking(self, tracking: Tracking) -> None:
        def job(connection: apsw.Connection) -> None:
            self.tracking.record(connection, tracking)

        with library_errors():
            self.tracking.database.submit(job).result()

    def max_tracking_id(self, application_name: str) -> int | None:
        with library_errors():
            return self.tracking.position(application_name)


class SqliteProcessRecorder(LogProcessRecorder, SqliteTrackingRecorder, SqliteApplicationRecorder):
    def __init__(self, log: SqliteLog, ids: OriginatorIdType, table: TrackingTable) -> None:
        SqliteTrackingRecorder.__init__(self, table)
        SqliteApplicationRecorder.__init__(self, log, ids)

    def _insert_tracked(
        self, stored_events: Sequence[StoredEvent], tracking: Tracking
    ) -> Sequence[int]:
        def track(connection: apsw.Connection) -> None:
            self.tracking.record(connection, tracking)

        with library_errors():
            return positions(self.log.submit_after(track, to_append(stored_events)).result())
