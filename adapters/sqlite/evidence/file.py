"""
The file of the evidence cache, apart from that of the log, whose writer it must not delay.

It outlasts a power cut to the last commit all the same: a batch that it has is sorted into
segments, and then nothing tells any more that it should be there. But all of it can be made again
from the archive: a file that is damaged, or that another version of this program wrote, is deleted
as soon as the archive can fill another one.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import apsw
from attrs import define, field, frozen

from adapters.sqlite.connection.database import Database
from adapters.sqlite.connection.errors import DAMAGED, SURROUNDINGS, unavailable
from adapters.sqlite.connection.folder_lock import FolderLock
from application.errors import Damaged, Unavailable

VERSION = 2
"""Another one, too, whenever evidence is told otherwise: what was told before is not made anew."""

CREATE = (
    """
    CREATE TABLE evidence (
        evidence_id TEXT NOT NULL UNIQUE,
        dataset_urn TEXT NOT NULL,
        created_at TEXT NOT NULL,
        ttl INTEGER,
        "row" BLOB NOT NULL,
        row_checksum INTEGER NOT NULL,
        told BLOB NOT NULL,
        told_checksum INTEGER NOT NULL
    ) STRICT
    """,
    "CREATE INDEX evidence_by_time ON evidence (dataset_urn, created_at, evidence_id)",
    "CREATE INDEX evidence_by_end ON evidence (ttl) WHERE ttl IS NOT NULL",
    f"PRAGMA user_version = {VERSION}",
)
PAGES_KILOBYTES = 16_000
"""Held by the writer. It only appends, so a few pages of each dataset are enough."""

_EMPTY = "SELECT count(*) = 0 FROM sqlite_schema"
_FOUND = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid"
_EXPECTED = [statement.strip() for statement in CREATE if "CREATE" in statement]
_CHECK = "PRAGMA integrity_check(1)"

SPOILT = (*DAMAGED, apsw.SQLError)
"""What is wrong with the file itself. Our statements do not change: if one is not understood, a
column has another name, or SQLite does not know the format."""


def damaged(reason: str) -> Damaged:
    return Damaged("the file of the evidence cache", reason)


@contextmanager
def damage_told() -> Iterator[None]:
    """Raise Damaged for what is wrong with the file itself. A full disk or a lock passes; this does
    not."""
    try:
        yield
    except (*SPOILT, UnicodeDecodeError) as error:
        raise damaged(str(error)) from error
    except Unavailable as error:
        if isinstance(error.__cause__, SPOILT):
            raise damaged(error.reason) from error
        raise


@frozen
class EvidenceFile:
    path: Path
    busy_timeout: float = 5.0

    def opened(self) -> Database:
        """The cache's database, empty if there was no file.

        Raises:
            FolderInUse: Another process owns the folder.
            SqliteTooOld: The SQLite library may corrupt the file.
            Damaged: This program cannot go on with the file.
            Unavailable: No file can be opened there.
        """
        # Held meanwhile: no file is deleted that another process is writing.
        with self._lock():
            return _opened(self.path, self.busy_timeout)

    def begun_anew(self) -> Database:
        """A new file in place of one that is not open. Raises as `opened` does."""
        with self._lock():
            # The database first: what is left of its log belongs to no other.
            for end in ("", "-wal", "-shm"):
                Path(f"{self.path}{end}").unlink(missing_ok=True)
            return _opened(self.path, self.busy_timeout)

    @contextmanager
    def _lock(self) -> Iterator[None]:
        try:
            lock = FolderLock.take(self.path.parent)
            try:
                yield
            finally:
                lock.release()
        except OSError as error:
            raise unavailable(self.path.name, error) from error


@define
class Looking:
    """Looks at all of a file, on a connection of its own: it may take its time on any thread."""

    file: EvidenceFile
    _is_over: bool = field(default=False, init=False)

    def look(self) -> None:
        """
        Raises:
            Damaged: SQLite finds something wrong in it, its indexes included.
            Unavailable: It cannot be looked at now, or that was interrupted.
        """
        path, flags = str(self.file.path), apsw.SQLITE_OPEN_READONLY
        if not self.file.path.exists():
            raise damaged("it is gone")
        try:
            with damage_told(), closing(apsw.Connection(path, flags=flags)) as connection:
                connection.set_busy_timeout(int(self.file.busy_timeout * 1000))
                connection.set_progress_handler(lambda: self._is_over, 10_000)
                _check_schema(connection)
                told = str(connection.execute(_CHECK).get)
        except SURROUNDINGS as error:
            raise unavailable(self.file.path.name, error) from error
        if told != "ok":
            raise damaged(told)

    def interrupt(self) -> None:
        self._is_over = True


def _opened(path: Path, busy_timeout: float) -> Database:
    with damage_told():
        database = Database.open(path, busy_timeout=busy_timeout)
        try:
            database.submit(_made_or_checked).result()
        except BaseException:
            database.close()
            raise
    return database


def _made_or_checked(connection: apsw.Connection) -> None:
    connection.pragma("cache_size", -PAGES_KILOBYTES)
    if connection.execute(_EMPTY).get:
        for statement in CREATE:
            connection.execute(statement)
        return
    version = connection.pragma("user_version")
    if version != VERSION:
        raise damaged(f"it is of version {version}, not {VERSION}")
    _check_schema(connection)


def _check_schema(connection: apsw.Connection) -> None:
    found = [sql.strip() for (sql,) in connection.execute(_FOUND)]
    if found != _EXPECTED:
        raise damaged(f"it holds {found or 'nothing'}")
