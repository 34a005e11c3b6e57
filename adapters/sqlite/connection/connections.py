"""How connections to the database are opened: one that writes, one reader per thread."""

from threading import Lock, local
from weakref import WeakSet

import apsw
from attrs import define

from adapters.sqlite.connection.errors import unavailable
from adapters.sqlite.connection.location import Location
from application.errors import Unavailable

# Below it a checkpoint may corrupt a database in WAL mode (the WAL-reset bug, 3.7.0 to 3.51.2).
OLDEST_SAFE = (3, 51, 3)

WRITES = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI
READS = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI

# A checkpoint every 16 MB of log instead of 4: it syncs the whole database inside a commit.
CHECKPOINT_PAGES = 4_000
LARGEST_IDLE_WAL = 64 * 1024 * 1024


@define
class SqliteTooOld(Exception):
    """This SQLite library may corrupt the database."""

    found: str

    def __str__(self) -> str:
        oldest = ".".join(map(str, OLDEST_SAFE))
        return (
            f"SQLite {self.found} may corrupt a database in WAL mode: "
            f"{oldest} or newer is needed (pip install --upgrade apsw)"
        )


def refuse_unsafe_library(version: str) -> None:
    if tuple(map(int, version.split("."))) < OLDEST_SAFE:
        raise SqliteTooOld(version)


def open_writer(location: Location, *, busy_timeout: float) -> apsw.Connection:
    """Open the connection that writes: durable at every commit, readers beside it."""
    refuse_unsafe_library(apsw.sqlite_lib_version())
    connection = _opened(location, WRITES, busy_timeout)
    try:
        _prepare(connection, location)
    except apsw.Error as error:
        connection.close()
        raise unavailable(str(location), error) from error
    return connection


def _prepare(connection: apsw.Connection, location: Location) -> None:
    mode = connection.pragma("journal_mode", "WAL")
    if location.file and mode != "wal":
        raise apsw.CantOpenError(f"its file system allows no WAL, only the mode {mode}")
    connection.pragma("synchronous", "FULL")
    connection.pragma("wal_autocheckpoint", CHECKPOINT_PAGES)
    connection.pragma("journal_size_limit", LARGEST_IDLE_WAL)
    connection.pragma("cache_size", -32_000)
    connection.pragma("temp_store", "MEMORY")


def _opened(location: Location, flags: int, busy_timeout: float) -> apsw.Connection:
    try:
        connection = apsw.Connection(location.uri, flags=flags)
    except apsw.Error as error:
        raise unavailable(str(location), error) from error
    connection.set_busy_timeout(int(busy_timeout * 1000))
    return connection


class Readers:
    """A read-only connection for each thread that asks, kept until the thread or the file ends."""

    def __init__(self, location: Location, *, busy_timeout: float) -> None:
        self._location = location
        self._busy_timeout = busy_timeout
        self._mine = local()
        self._all: WeakSet[apsw.Connection] = WeakSet()
        self._guard = Lock()
        self._closed = False

    def mine(self) -> apsw.Connection:
        """The calling thread's connection.

        Raises:
            Unavailable: The database is closed or cannot be opened.
        """
        connection: apsw.Connection | None = getattr(self._mine, "connection", None)
        if connection is None or self._closed:
            connection = self._mine.connection = self._open()
        return connection

    def _open(self) -> apsw.Connection:
        with self._guard:
            if self._closed:
                raise Unavailable(str(self._location), "it is closed")
            connection = _opened(self._location, READS, self._busy_timeout)
            self._all.add(connection)
            return connection

    def close(self) -> None:
        with self._guard:
            self._closed = True
            for connection in list(self._all):
                _close_if_idle(connection)


def _close_if_idle(connection: apsw.Connection) -> None:
    try:
        connection.close()
    except apsw.ThreadingViolationError:
        # Its thread is reading at this moment: the connection ends with that thread.
        return
