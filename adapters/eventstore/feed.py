"""
The log as projections read it: decoded facts in order.

What this program does not understand is shown as such, in its place: whether to go on without it
is for those to decide who follow.
"""

from collections.abc import Sequence
from typing import Protocol

from attrs import define, field, frozen

from adapters.eventstore.inspection.readability import NOT_UNDERSTOOD, why
from adapters.eventstore.log import LogEntry
from adapters.eventstore.mapper import Mapper
from application.recorded import Recorded, Unreadable
from domain.streams import StreamId


class Entries(Protocol):
    """A log that is only read."""

    async def read(self, after: int, limit: int) -> Sequence[LogEntry]: ...

    async def head(self) -> int: ...

    async def beyond(self, position: int, *, timeout: float) -> bool: ...


@frozen
class LogFeed:
    log: Entries
    mapper: Mapper

    async def read(self, after: int, limit: int) -> Sequence[Recorded]:
        return [self._recorded(entry) for entry in await self.log.read(after, limit)]

    async def head(self) -> int:
        return await self.log.head()

    async def beyond(self, position: int, *, timeout: float) -> bool:
        return await self.log.beyond(position, timeout=timeout)

    def _recorded(self, entry: LogEntry) -> Recorded:
        """Raises Unavailable if it cannot be told now, such as without the keys."""
        try:
            return self.mapper.recorded(entry)
        except NOT_UNDERSTOOD as error:
            return _unreadable(entry, error)


def _unreadable(entry: LogEntry, error: Exception) -> Recorded:
    return Recorded(
        position=entry.position,
        at=entry.recorded_at,
        stream=StreamId(entry.stream),
        version=entry.version,
        fact=Unreadable(entry.name, why(error)),
        event_id=entry.event_id,
        by="",
        correlation_id="",
    )


@define
class RecentFeed:
    """Remembers what was read last: all who follow the end of the log share its decoding."""

    feed: LogFeed
    most: int = 4_000
    _recent: list[Recorded] = field(factory=list)

    async def read(self, after: int, limit: int) -> Sequence[Recorded]:
        known = self._known(after, limit)
        if known:
            return known
        facts = await self.feed.read(after, limit)
        if limit > 1:
            # Whoever only looks at the next one, as `/health` does, reads for nobody else.
            self._remember(facts)
        return facts

    async def head(self) -> int:
        return await self.feed.head()

    async def beyond(self, position: int, *, timeout: float) -> bool:
        return await self.feed.beyond(position, timeout=timeout)

    def forget_all(self) -> None:
        """Decode everything anew: somebody was erased."""
        self._recent = []

    def _known(self, after: int, limit: int) -> Sequence[Recorded]:
        start = after + 1 - self._recent[0].position if self._recent else -1
        return self._recent[start : start + limit] if start >= 0 else ()

    def _remember(self, facts: Sequence[Recorded]) -> None:
        if not facts or (self._recent and facts[-1].position <= self._recent[-1].position):
            return
        follows = bool(self._recent) and facts[0].position == self._recent[-1].position + 1
        recent = [*(self._recent if follows else ()), *facts]
        self._recent = recent[-self.most :]
