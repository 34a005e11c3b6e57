"""
Where the log, or one of its streams, stood at an earlier time.

Batches and spans are in order: where the place must lie is narrowed down, again and again, so that
even a long log takes few reads.
"""

from attrs import field, frozen
from cachetools import LRUCache

from adapters.dynamodb.items.typed_values import decimal_of, int_of
from adapters.dynamodb.log.batches import last_position
from adapters.dynamodb.log.keys import part_of
from adapters.dynamodb.log.spans import Span
from adapters.dynamodb.log_reading.landmarks import Landmarks, Mark
from adapters.dynamodb.log_reading.log_reader import Head, LogReader
from adapters.dynamodb.log_reading.stream_reader import StreamReader
from adapters.row_layouts.catalogue import SK
from application.errors import Unavailable

MOST_STREAMS = 1_000
SPANS_OF_A_STREAM = 100
_BEFORE_ALL = Mark(at=-1, first=-1, last=-1)


@frozen
class EarlierPlaces:
    log: LogReader
    streams: StreamReader
    _moments: Landmarks = field(factory=Landmarks)
    """Batches, by when they were recorded."""
    _spans: LRUCache[str, Landmarks] = field(factory=lambda: LRUCache(MOST_STREAMS))
    """Spans of streams, by their batches."""

    async def position_at(self, ms: int, head: Head) -> int:
        """The last position recorded then or before, in a log that ends there.

        Raises:
            Unavailable: A batch on the way is missing.
        """
        if head.ms <= ms:
            return head.position
        begin, end = Mark(-1, 0, 0), Mark(head.ms, head.position, head.position)
        return (await self._moments.last_by(ms, begin, end, self._batch)).last

    async def _batch(self, position: int) -> Mark:
        """The batch that holds a position."""
        item = await self.log.item_at(position)
        if item is None:
            raise Unavailable("the log", f"position {position} cannot be seen")
        first = part_of(decimal_of(item, SK))[0]
        return Mark(int_of(item, "at"), first, last_position(item))

    async def version_at(self, stream: str, position: int) -> int | None:
        """The stream's last version up to the position; nothing if it did not exist then."""
        span = await self._span_at(stream, position)
        if span is None:
            return None
        # The batch may go on behind the position.
        entries = await self.streams.entries(stream, span) or ()
        versions = [entry.version for entry in entries if entry.position <= position]
        if versions:
            return versions[-1]
        return None if span.begins else span.first - 1

    async def _span_at(self, stream: str, position: int) -> Span | None:
        """The last span of the stream whose batch begins at the position or before."""
        known = self._spans.setdefault(stream, Landmarks(SPANS_OF_A_STREAM))
        _, end = known.around(position)
        if end is None:
            newest = await self.streams.span(stream)
            if newest is None or newest.batch <= position:
                return newest
            end = _mark(newest)
        seen: dict[int, Span] = {}

        async def look(version: int) -> Mark:
            span = await self.streams.span(stream, version)
            if span is None:
                raise Unavailable("the log", f"version {version} of {stream} cannot be seen")
            mark = _mark(span)
            seen[mark.last] = span
            return mark

        last = await known.last_by(position, _BEFORE_ALL, end, look)
        if last is _BEFORE_ALL:
            return None
        return seen.get(last.last) or await self.streams.span(stream, last.last)


def _mark(span: Span) -> Mark:
    # A stream's first span lies at 0, whatever its first version.
    return Mark(span.batch, 0 if span.begins else span.first, span.last)
