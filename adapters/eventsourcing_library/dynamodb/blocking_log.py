"""The log for callers that have a thread and no event loop."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future

from attrs import frozen

from adapters.dynamodb.log.companions import Companion
from adapters.dynamodb.log.log import DynamoLog
from adapters.dynamodb.transport.loop_thread import LoopThread
from adapters.eventstore.appending.head_watch import HeadWatch
from adapters.eventstore.log import Append, LogEntry, Receipt, Scanned
from application.errors import Unavailable

SCANNED = 500
"""Entries that are looked through at a time when only some names are wanted."""

_LOOKS_FOR = 60.0
_TRIES_AGAIN = 1.0


@frozen
class BlockingDynamoLog:
    """Reads hold the calling thread, while the work is done on the log's own one."""

    log: DynamoLog
    thread: LoopThread

    @property
    def watch(self) -> HeadWatch:
        return self.log.watch

    def submit(self, append: Append, companions: Sequence[Companion] = ()) -> Future[Receipt]:
        return self.log.submit(append, companions)

    def read_stream(
        self,
        stream: str,
        *,
        after: int = -1,
        upto: int | None = None,
        limit: int | None = None,
        newest_first: bool = False,
    ) -> Sequence[LogEntry]:
        return self.thread.run(
            self.log.stream(stream, after=after, upto=upto, limit=limit, newest_first=newest_first)
        )

    def read_entries(
        self, after: int, limit: int, *, upto: int | None = None, names: Sequence[str] = ()
    ) -> Scanned:
        return self.thread.run(self._scanned(after, limit, upto, frozenset(names)))

    def head_now(self) -> int:
        return self.thread.run(self.log.head())

    def follow(self) -> Future[None]:
        """Look for what other processes record, until the future is cancelled."""
        return self.thread.start(self._follow())

    async def _follow(self) -> None:
        while True:
            try:
                await self.log.beyond(self.log.head_now(), timeout=_LOOKS_FOR)
            except Unavailable:
                # Whoever waits is told by the reads that fail; looking goes on.
                await asyncio.sleep(_TRIES_AGAIN)

    async def _scanned(
        self, after: int, limit: int, upto: int | None, names: frozenset[str]
    ) -> Scanned:
        found: list[LogEntry] = []
        reached = after
        while len(found) < limit and (upto is None or reached < upto):
            asked = SCANNED if names else limit - len(found)
            page = await self.log.read(reached, asked)
            wanted = [entry for entry in page if upto is None or entry.position <= upto]
            found += (entry for entry in wanted if not names or entry.name in names)
            reached = wanted[-1].position if wanted else reached
            if len(page) < asked:
                # The end, or something that cannot be seen yet: what was found first is told.
                break
        if len(found) > limit:
            return Scanned(found[:limit], found[limit - 1].position)
        return Scanned(found, reached)
