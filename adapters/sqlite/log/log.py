"""The event log in a SQLite file."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime

import apsw

from adapters.eventstore.appending.continuation import refuse_empty
from adapters.eventstore.appending.head_watch import HeadWatch
from adapters.eventstore.log import Append, LogEntry, Receipt, Scanned
from adapters.eventstore.milliseconds import milliseconds
from adapters.sqlite.connection.database import Database
from adapters.sqlite.log import applications
from adapters.sqlite.log.reader import LogReader
from adapters.sqlite.log.table import LogTable
from adapters.sqlite.log.writer import LogWriter
from application.reads.history import End


def utc_now() -> datetime:
    return datetime.now(UTC)


class SqliteLog:
    """One application's log. Applications of different names in one file do not meet.

    Guard version 0 means that the stream does not exist: streams that are guarded begin at 1.
    An append without events is refused with a ValueError. Logs of one name in one file share
    what they know, and the first of them decides the clock and how many streams are kept hot.
    """

    def __init__(
        self,
        database: Database,
        name: str = "statestore",
        *,
        now: Callable[[], datetime] = utc_now,
        hot_streams: int = 50_000,
        create: bool = True,
    ) -> None:
        self.database = database
        self.application = _created(database, name) if create else applications.find(database, name)
        table = LogTable(self.application)
        self.reader = LogReader(database, table)
        self.writer = database.participant(
            ("log", name), lambda: LogWriter(table, now, hot_streams)
        )
        if create:
            database.submit(self.writer.look).result()

    def submit(self, append: Append) -> Future[Receipt]:
        refuse_empty(append)
        return self.database.submit_together(self.writer.write, append)

    def submit_after(
        self, job: Callable[[apsw.Connection], object], append: Append
    ) -> Future[Receipt]:
        """Run a job and store the append, both in one transaction or neither."""
        refuse_empty(append)

        def both(connection: apsw.Connection) -> Receipt:
            job(connection)
            return self.writer.write_one(connection, append)

        return self.database.submit(both)

    async def append(self, append: Append) -> Receipt:
        refuse_empty(append)
        return await self.database.queue_together(self.writer.write, append, expects_others=True)

    async def last_version(self, stream: str) -> int | None:
        known = self.writer.heads.get(stream)
        return self.reader.last_version(stream) if known is None else known

    async def stream(
        self, stream: str, *, after: int = -1, upto: int | None = None, limit: int | None = None
    ) -> Sequence[LogEntry]:
        return self.reader.stream(stream, after=after, upto=upto, limit=limit)

    async def read(self, after: int, limit: int) -> Sequence[LogEntry]:
        return self.reader.entries(after, limit)

    async def position_at(self, moment: datetime) -> int:
        return self.reader.position_at(milliseconds(moment), upto=self.head_now())

    async def version_at(self, stream: str, position: int) -> int | None:
        last = await self.last_version(stream)
        return None if last is None else self.reader.version_at(stream, position, upto=last)

    async def head(self) -> int:
        return self.head_now()

    async def end(self) -> End:
        return End(self.head_now())

    async def beyond(self, position: int, *, timeout: float) -> bool:
        return await self.writer.watch.beyond(position, self.head_now, timeout)

    # Reads that hold the calling thread.

    @property
    def watch(self) -> HeadWatch:
        return self.writer.watch

    def read_stream(
        self,
        stream: str,
        *,
        after: int = -1,
        upto: int | None = None,
        limit: int | None = None,
        newest_first: bool = False,
    ) -> Sequence[LogEntry]:
        return self.reader.stream(
            stream, after=after, upto=upto, limit=limit, newest_first=newest_first
        )

    def read_entries(
        self, after: int, limit: int, *, upto: int | None = None, names: Sequence[str] = ()
    ) -> Scanned:
        head = self.head_now()
        entries = self.reader.entries(after, limit, upto=upto, names=names)
        last = entries[-1].position if entries else after
        if len(entries) == limit:
            return Scanned(entries, last)
        # What is durable can be seen: the rows were looked through to the end.
        return Scanned(entries, max(last, head if upto is None else min(upto, head)))

    def head_now(self) -> int:
        known = self.writer.head
        return self.reader.head() if known is None else known


def _created(database: Database, name: str) -> int:
    def create(connection: apsw.Connection) -> int:
        number = applications.register(connection, name)
        LogTable(number).create(connection)
        return number

    return database.submit(create).result()
