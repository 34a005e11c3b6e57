"""
The file of the evidence cache, apart from that of the log, whose writer it must not delay.

It outlasts a power cut to the last commit all the same: a batch that it has is sorted into
segments, and then nothing tells any more that it should be there. But all of it can be made again
from the archive. So a file that is damaged, or that another version of this program wrote, is moved
aside for whoever wants to look at it. The next one that is moved takes its place.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import apsw
import structlog
from attrs import define, field, frozen

from adapters.sqlite.connection.database import Database
from adapters.sqlite.connection.errors import DAMAGED, SURROUNDINGS, unavailable
from adapters.sqlite.connection.folder_lock import FolderLock
from application.errors import Unavailable

VERSION = 2
"""Another one, too, whenever evidence is told otherwise: what was told before is not made anew."""
ASIDE = ".aside"

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
_LOOKS = (
    "SELECT * FROM evidence ORDER BY rowid DESC LIMIT 1",
    "SELECT ttl FROM evidence WHERE ttl IS NOT NULL ORDER BY ttl LIMIT 1",
    "SELECT evidence_id FROM evidence ORDER BY evidence_id DESC LIMIT 1",
    "SELECT created_at FROM evidence ORDER BY dataset_urn, created_at, evidence_id LIMIT 1",
)

_CHECK = "PRAGMA integrity_check(5)"

SPOILT = (*DAMAGED, apsw.SQLError)
"""What is wrong with the file itself. Our statements do not change: if one is not understood, a
column has another name, or SQLite does not know the format."""

_log = structlog.get_logger()


class Unusable(Exception):
    """The file is no cache that this program can go on with."""


@frozen
class EvidenceFile:
    path: Path
    busy_timeout: float = 5.0

    def opened(self) -> Database:
        """The cache's database, empty if there was none that can be used.

        Raises:
            FolderInUse: Another process owns the folder.
            SqliteTooOld: The SQLite library may corrupt the file.
            Unavailable: No file can be opened there.
        """
        # Held meanwhile: nobody moves a file that another process is writing.
        with self._lock():
            try:
                return _opened(self.path, self.busy_timeout)
            except Unusable as error:
                self._move_aside(str(error))
                return _opened(self.path, self.busy_timeout)

    def begun_anew(self, *, because: str | None) -> Database:
        """A new file in place of one that nobody has open; that one is moved aside if it is told
        why, else it is gone. Raises as `opened` does."""
        with self._lock():
            if because is None:
                for file in self._files():
                    file.unlink(missing_ok=True)
            else:
                self._move_aside(because)
            return _opened(self.path, self.busy_timeout)

    def _move_aside(self, because: str) -> None:
        for file in self._files():
            aside = file.with_name(file.name.replace(self.path.name, self.path.name + ASIDE))
            aside.unlink(missing_ok=True)
            if file.exists():
                file.rename(aside)
        _log.warning("evidence_cache_begun_anew", moved=self.path.name + ASIDE, because=because)

    def _files(self) -> Sequence[Path]:
        """The database first: what is left of its log belongs to no other."""
        return [Path(f"{self.path}{end}") for end in ("", "-wal", "-shm")]

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

    def faults(self) -> Sequence[str]:
        """What SQLite finds wrong in it, its indexes included.

        Raises:
            Unavailable: It cannot be looked at now, or that was interrupted.
        """
        try:
            path, flags = str(self.file.path), apsw.SQLITE_OPEN_READONLY
            if not self.file.path.exists():
                return ["it is gone"]
            with closing(apsw.Connection(path, flags=flags)) as connection:
                connection.set_busy_timeout(int(self.file.busy_timeout * 1000))
                connection.set_progress_handler(lambda: self._is_over, 10_000)
                _check_schema(connection)
                told = [str(line) for (line,) in connection.execute(_CHECK)]
        except (*SPOILT, Unusable, UnicodeDecodeError) as error:
            return [str(error)]
        except SURROUNDINGS as error:
            raise unavailable(self.file.path.name, error) from error
        return [] if told == ["ok"] else told

    def interrupt(self) -> None:
        self._is_over = True


def _opened(path: Path, busy_timeout: float) -> Database:
    try:
        database = Database.open(path, busy_timeout=busy_timeout)
    except Unavailable as error:
        raise _told(error) from error
    try:
        database.submit(_made_or_checked).result()
    except Unavailable as error:
        database.close()
        raise _told(error) from error
    except (apsw.SQLError, UnicodeDecodeError) as error:
        database.close()
        raise Unusable(str(error)) from error
    except BaseException:
        database.close()
        raise
    return database


def _told(error: Unavailable) -> Exception:
    """A full disk or a lock passes; what is wrong with the file itself does not."""
    return Unusable(error.because) if isinstance(error.__cause__, SPOILT) else error


def _made_or_checked(connection: apsw.Connection) -> None:
    connection.pragma("cache_size", -PAGES_KILOBYTES)
    if connection.execute(_EMPTY).get:
        for statement in CREATE:
            connection.execute(statement)
        return
    version = connection.pragma("user_version")
    if version != VERSION:
        raise Unusable(f"it is of version {version}, not {VERSION}")
    _check_schema(connection)
    _look(connection)


def _check_schema(connection: apsw.Connection) -> None:
    found = [sql.strip() for (sql,) in connection.execute(_FOUND)]
    if found != _EXPECTED:
        raise Unusable(f"it holds {found or 'nothing'}")


def _look(connection: apsw.Connection) -> None:
    """A little of everything: to read all of it would take long. The rest is found when read."""
    try:
        for sql in _LOOKS:
            with suppress(UnicodeDecodeError):  # Of one row: whoever reads that tells.
                connection.execute(sql).fetchall()
    except SURROUNDINGS:
        raise
    except apsw.Error as error:
        raise Unusable(str(error)) from error
