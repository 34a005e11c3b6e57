"""The library's way to our recorders, configured by its environment variables."""

from typing import Protocol, TypeVar

import apsw
from eventsourcing.persistence import (
    AggregateRecorder,
    ApplicationRecorder,
    InfrastructureFactory,
    ProcessRecorder,
)
from eventsourcing.utils import Environment, EnvType

from adapters.eventsourcing_library.shared.environment import (
    chosen,
    creates_tables,
    needed,
    originator_id_type,
)
from adapters.eventsourcing_library.shared.translation import library_errors
from adapters.eventsourcing_library.sqlite.recorders import (
    SqliteAggregateRecorder,
    SqliteApplicationRecorder,
)
from adapters.eventsourcing_library.sqlite.snapshots import SnapshotTable, SqliteSnapshotRecorder
from adapters.eventsourcing_library.sqlite.tracking import (
    SqliteProcessRecorder,
    SqliteTrackingRecorder,
    TrackingTable,
)
from adapters.sqlite.connection.database import Database
from adapters.sqlite.log import applications
from adapters.sqlite.log.log import SqliteLog

TTable = TypeVar("TTable", bound="Table")


class Table(Protocol):
    def create(self, connection: apsw.Connection) -> None: ...


class Factory(InfrastructureFactory[SqliteTrackingRecorder]):
    """Recorders of one application, named by the environment, in one SQLite database.

    SQLITE_DBNAME         a path, a `file:` URI, or `:memory:`
    SQLITE_LOCK_TIMEOUT   seconds to wait for a locked file (default 5)
    ORIGINATOR_ID_TYPE    `uuid` (default) or `text`
    CREATE_TABLE          `no` when the tables must exist already (default yes)
    """

    SQLITE_DBNAME = "SQLITE_DBNAME"
    SQLITE_LOCK_TIMEOUT = "SQLITE_LOCK_TIMEOUT"

    def __init__(self, env: Environment | EnvType | None) -> None:
        super().__init__(env)
        self._ids = originator_id_type(self.env)
        self._name = self.env.name or "statestore"
        with library_errors():
            name = needed(self.env, self.SQLITE_DBNAME, "database")
            self.database = Database.open(name, busy_timeout=self._lock_timeout())

    def aggregate_recorder(self, purpose: str = "events") -> AggregateRecorder:
        if purpose == "events":
            return SqliteAggregateRecorder(self._log(), self._ids)
        table = SnapshotTable(self.database, self._application(), purpose)
        return SqliteSnapshotRecorder(self._created(table), self._ids)

    def application_recorder(self) -> ApplicationRecorder:
        kind = chosen(self.env, self.APPLICATION_RECORDER_TOPIC, SqliteApplicationRecorder)
        return kind(self._log(), self._ids)

    def tracking_recorder(
        self, tracking_recorder_class: type[SqliteTrackingRecorder] | None = None
    ) -> SqliteTrackingRecorder:
        kind = tracking_recorder_class or chosen(
            self.env, self.TRACKING_RECORDER_TOPIC, SqliteTrackingRecorder
        )
        return kind(self._tracking())

    def process_recorder(self) -> ProcessRecorder:
        kind = chosen(self.env, self.PROCESS_RECORDER_TOPIC, SqliteProcessRecorder)
        return kind(self._log(), self._ids, self._tracking())

    def close(self) -> None:
        self.database.close()

    # What the recorders stand on.

    def _log(self) -> SqliteLog:
        with library_errors():
            return SqliteLog(self.database, self._name, create=self._creates())

    def _tracking(self) -> TrackingTable:
        return self._created(TrackingTable(self.database, self._application()))

    def _application(self) -> int:
        with library_errors():
            if self._creates():
                return self.database.submit(
                    lambda connection: applications.register(connection, self._name)
                ).result()
            return applications.find(self.database, self._name)

    def _created(self, table: TTable) -> TTable:
        if self._creates():
            with library_errors():
                self.database.submit(table.create).result()
        return table

    # What the environment says.

    def _creates(self) -> bool:
        return creates_tables(self.env)

    def _lock_timeout(self) -> float:
        text = (self.env.get(self.SQLITE_LOCK_TIMEOUT) or "5").strip()
        try:
            return float(text or "5")
        except ValueError:
            raise OSError(f"{self.SQLITE_LOCK_TIMEOUT} must be seconds, not '{text}'") from None
