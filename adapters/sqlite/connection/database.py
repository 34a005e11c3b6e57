"""
A SQLite database with one writer and many readers.

Writes are jobs for the one writing thread. Jobs that wait share a transaction, and each is
answered only when that transaction is durable. Reads run on the caller's own thread.
"""

import asyncio
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import apsw

from adapters.eventstore.appending.write_outcomes import Failed, Waiting
from adapters.sqlite.connection.errors import SURROUNDINGS, unavailable
from adapters.sqlite.connection.location import Location
from adapters.sqlite.connection.shared_file import SharedFile
from adapters.sqlite.connection.transaction import Participant, Run
from adapters.sqlite.connection.writer import refuse
from application.errors import Unavailable

T = TypeVar("T")
Item = TypeVar("Item")
P = TypeVar("P", bound=Participant)

Job = Callable[[apsw.Connection], T]
Together = Callable[[apsw.Connection, Sequence[Item]], Sequence[T | Failed]]


class Database:
    """One user's hold on a database. Users of the same file share its writer and its readers."""

    def __init__(self, file: SharedFile) -> None:
        self._file = file
        self._closed = False

    @classmethod
    def open(cls, name: str | Path, *, busy_timeout: float = 5.0) -> Self:
        """Open a file (path or `file:` URI), or a private database in memory (`:memory:`).

        Who opens a file first decides the busy timeout, in seconds.

        Raises:
            FolderInUse: Another process owns the file's folder.
            SqliteTooOld: The SQLite library may corrupt the file.
            Unavailable: The file cannot be opened.
        """
        return cls(SharedFile.use(Location.of(name), busy_timeout=busy_timeout))

    # Writing.

    def submit(self, job: Job[T]) -> Future[T]:
        """Queue a job for the writer; the future ends when the job is durable.

        A job that raises fails alone. It must leave the transaction to the writer, and may not
        wait for another job.

        Raises (through the future):
            Unavailable: SQLite cannot write now, or the database is closed; nothing was stored.
        """
        return self.submit_together(_alone(job), None)

    async def write(self, job: Job[T]) -> T:
        """`submit`, awaited without holding a thread. A caller that is cancelled while it waits
        does not learn whether the job was stored.
        """
        return await self.queue_together(_alone(job), None)

    def submit_together(self, run: Together[Item, T], item: Item) -> Future[T]:
        """Queue an item; `run` gets it with its neighbours and returns an outcome for each.

        When `run` raises, it is called again with each item alone.
        """
        future: Future[T] = Future()
        self._put(run, item, future)
        return future

    def queue_together(
        self, run: Together[Item, T], item: Item, *, expects_others: bool = False
    ) -> asyncio.Future[T]:
        """`submit_together` for the running event loop; it may wait for others who come later."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._put(run, item, future, expects_others)
        return future

    def participant(self, key: Hashable, make: Callable[[], P]) -> P:
        """The database's one participant of this key, made if there is none yet."""
        return self._file.participant(key, make)

    # Reading.

    def reader(self) -> apsw.Connection:
        """The calling thread's read-only connection. Read results to their end: a half-read one
        keeps the log of the database from being emptied.

        Raises:
            Unavailable: The database is closed or cannot be opened.
        """
        if self._closed:
            raise Unavailable(self._file.what, "it is closed")
        return self._file.readers.mine()

    def rows(self, sql: str, bindings: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query, read on the calling thread.

        Raises:
            Unavailable: SQLite cannot read now, or the database is closed.
        """
        try:
            return self.reader().execute(sql, bindings).fetchall()
        except SURROUNDINGS as error:
            raise unavailable(self._file.what, error) from error

    # Ending.

    def close(self) -> None:
        """Let go. After the last user the file itself closes, once all that waits is stored."""
        if not self._closed:
            self._closed = True
            self._file.leave()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _put(self, run: Run, item: Any, waiting: Waiting, expects_others: bool = False) -> None:
        if self._closed:
            refuse(waiting, self._file.what)
        else:
            self._file.writer.put(run, item, waiting, expects_others)


def _alone(job: Job[T]) -> Together[None, T]:
    """Each job gets a `run` of its own, so that no two of them are neighbours."""
    return lambda connection, _: [job(connection)]
