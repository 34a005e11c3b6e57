"""The facts of a stream that were recorded from a moment on, read from its end."""

from collections.abc import Sequence
from datetime import datetime

from attrs import frozen

from application.reads.reader import StreamReads
from application.recorded import Recorded
from domain.streams import StreamId

_STEP = 50
_MOST = 1_000
"""So many facts are looked at; older ones of a busier stream are left out."""


@frozen
class RecentFacts:
    facts: Sequence[Recorded]
    """In order."""
    more: bool
    """Whether there may be older ones among them: they were not looked at."""


async def recorded_since(streams: StreamReads, stream: StreamId, since: datetime) -> RecentFacts:
    end = await streams.version(stream)
    found: list[Recorded] = []
    for last in range(end, max(end - _MOST, 0), -_STEP):
        first = max(last - _STEP, 0)
        page = await streams.facts(stream, after=first, limit=last - first)
        recent = [recorded for recorded in page if recorded.at >= since]
        found = [*recent, *found]
        if len(recent) < len(page):
            return RecentFacts(found, more=False)
    return RecentFacts(found, more=end > _MOST)
