"""Reading a store file beside the process that owns it."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
from attrs import frozen

from adapters.eventstore.log import LogEntry
from adapters.sqlite.connection.connections import READS, refuse_unsafe_library
from adapters.sqlite.connection.errors import SURROUNDINGS, unavailable
from adapters.sqlite.connection.location import Location
from adapters.sqlite.log import applications
from adapters.sqlite.log.reader import LogReader
from adapters.sqlite.log.table import LogTable

LOOK_SECONDS = 0.1


@frozen
class ReadFile:
    """A connection that cannot write. In WAL mode it neither waits for the writer nor delays it."""

    path: Path
    connection: apsw.Connection

    def rows(self, sql: str, bindings: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Raises Unavailable if SQLite cannot read now."""
        try:
            return self.connection.execute(sql, bindings).fetchall()
        except SURROUNDINGS as error:
            raise unavailable(self.path.name, error) from error


@contextmanager
def read_file(path: Path, *, busy_timeout: float) -> Iterator[ReadFile]:
    """Open a store file that exists, whoever owns its folder.

    Raises:
        SqliteTooOld: The SQLite library may corrupt the file.
        Unavailable: The file cannot be opened.
    """
    refuse_unsafe_library(apsw.sqlite_lib_version())
    try:
        connection = apsw.Connection(Location.on_disk(path).uri, flags=READS)
    except apsw.Error as error:
        raise unavailable(str(path), error) from error
    try:
        connection.set_busy_timeout(int(busy_timeout * 1000))
        yield ReadFile(path, connection)
    finally:
        connection.close()


@frozen
class LogBeside:
    """A log that another process may be writing."""

    file: ReadFile
    table: LogTable

    @classmethod
    def of(cls, file: ReadFile, name: str = "statestore") -> "LogBeside":
        """Raises Unavailable if the file holds no log of that name."""
        return cls(file, LogTable(applications.find(file, name)))

    @property
    def reader(self) -> LogReader:
        return LogReader(self.file, self.table)

    async def read(self, after: int, limit: int) -> Sequence[LogEntry]:
        return self.reader.entries(after, limit)

    async def head(self) -> int:
        return self.reader.head()

    async def beyond(self, position: int, *, timeout: float) -> bool:
        """Nobody tells what another process writes: it is looked for."""
        clock = asyncio.get_running_loop().time
        ends = clock() + timeout
        while self.reader.head() <= position:
            if clock() >= ends:
                return False
            await asyncio.sleep(min(LOOK_SECONDS, max(ends - clock(), 0)))
        return True
