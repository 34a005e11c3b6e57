"""Taking a log over from a file of another one, into SQLite."""

import asyncio
from collections.abc import Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter

import apsw
from attrs import frozen

from adapters.eventstore.log import LogEntry
from adapters.sqlite.log.log import SqliteLog


@frozen
class SqliteImport:
    log: SqliteLog

    async def head(self) -> int:
        return await self.log.head()

    async def read(self, after: int, limit: int) -> Sequence[LogEntry]:
        return await self.log.read(after, limit)

    async def store(self, entries: Sequence[LogEntry]) -> None:
        # They share a transaction. Once one fails, so do those behind it: they are out of place.
        moments = groupby(entries, key=attrgetter("recorded_at"))
        await asyncio.gather(*(self._stored(list(together)) for _, together in moments))

    async def _stored(self, entries: Sequence[LogEntry]) -> None:
        await self.log.database.write(partial(self._write, entries))

    def _write(self, entries: Sequence[LogEntry], connection: apsw.Connection) -> None:
        self.log.writer.write_recorded(connection, entries)
