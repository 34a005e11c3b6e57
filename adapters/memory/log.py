"""The event log in memory: the twin of the durable ones, for fast tests."""

import asyncio
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime
from threading import Lock

from adapters.eventstore.appending.continuation import continued, refuse_empty
from adapters.eventstore.log import Append, LogEntry, NewEvent, Receipt, StreamConflict
from application.reads.history import End


def utc_now() -> datetime:
    return datetime.now(UTC)


class MemoryLog:
    """Keeps what every log promises, for as long as the process lives. Any thread may use it.

    Guard version 0 means that the stream does not exist: streams that are guarded begin at 1.
    An append without events is refused with a ValueError.
    """

    def __init__(self, *, now: Callable[[], datetime] = utc_now) -> None:
        self._now = now
        self._guard = Lock()
        self._entries: list[LogEntry] = []
        self._streams: defaultdict[str, list[LogEntry]] = defaultdict(list)
        self._waiting: dict[asyncio.Future[None], int] = {}

    def submit(self, append: Append) -> Future[Receipt]:
        refuse_empty(append)
        future: Future[Receipt] = Future()
        try:
            future.set_result(self._stored(append))
        except StreamConflict as conflict:
            future.set_exception(conflict)
        return future

    async def append(self, append: Append) -> Receipt:
        return self.submit(append).result()

    async def last_version(self, stream: str) -> int | None:
        with self._guard:
            return self._last_version(stream)

    async def stream(
        self, stream: str, *, after: int = -1, upto: int | None = None, limit: int | None = None
    ) -> Sequence[LogEntry]:
        with self._guard:
            entries = self._streams.get(stream, [])
            wanted = [
                e for e in entries if after < e.version and (upto is None or e.version <= upto)
            ]
        return wanted[:limit]

    async def read(self, after: int, limit: int) -> Sequence[LogEntry]:
        with self._guard:
            return self._entries[max(after, 0) :][:limit]

    async def position_at(self, moment: datetime) -> int:
        with self._guard:
            return bisect_right(self._entries, moment, key=lambda entry: entry.recorded_at)

    async def version_at(self, stream: str, position: int) -> int | None:
        with self._guard:
            entries = self._streams.get(stream, [])
            count = bisect_right(entries, position, key=lambda entry: entry.position)
        return entries[count - 1].version if count else None

    async def head(self) -> int:
        return len(self._entries)

    async def end(self) -> End:
        return End(len(self._entries))

    async def beyond(self, position: int, *, timeout: float) -> bool:
        passed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        with self._guard:
            self._waiting[passed] = position
        try:
            if len(self._entries) <= position:
                await asyncio.wait((passed,), timeout=timeout)
            return len(self._entries) > position
        finally:
            with self._guard:
                self._waiting.pop(passed, None)

    # Storing.

    def _stored(self, append: Append) -> Receipt:
        with self._guard:
            continued(append, self._last_version)
            first, at = len(self._entries) + 1, self._recorded_at()
            for event in append.events:
                self._keep(event, at)
            self._wake()
            return Receipt(first, len(self._entries), at)

    def _recorded_at(self) -> datetime:
        now = self._now()
        at = now.replace(microsecond=now.microsecond // 1000 * 1000)
        return max(at, self._entries[-1].recorded_at) if self._entries else at

    def _keep(self, event: NewEvent, at: datetime) -> None:
        entry = LogEntry(
            len(self._entries) + 1,
            at,
            event.stream,
            event.version,
            event.name,
            event.data,
            event.event_id,
            event.meta,
        )
        self._entries.append(entry)
        self._streams[event.stream].append(entry)

    def _wake(self) -> None:
        for passed, position in list(self._waiting.items()):
            if len(self._entries) > position:
                del self._waiting[passed]
                passed.get_loop().call_soon_threadsafe(_resolve, passed)

    def _last_version(self, stream: str) -> int | None:
        entries = self._streams.get(stream)
        return entries[-1].version if entries else None


def _resolve(passed: asyncio.Future[None]) -> None:
    if not passed.done():
        passed.set_result(None)
