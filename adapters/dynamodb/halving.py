"""
Where the log, or one of its streams, stood at an earlier time.

Batches and spans are in order: the half in which the place cannot lie is left out, again and
again, so that even a long log takes few reads.
"""

from attrs import frozen

from adapters.dynamodb.items import decimal_of, int_of
from adapters.dynamodb.keys import part_of
from adapters.dynamodb.log_batches import last_position
from adapters.dynamodb.log_reader import Head, LogReader
from adapters.dynamodb.spans import Span
from adapters.dynamodb.stream_reader import StreamReader
from adapters.tables.catalogue import SK
from application.errors import Unavailable


@frozen
class Halving:
    log: LogReader
    streams: StreamReader

    async def position_at(self, ms: int, head: Head) -> int:
        """The last position recorded then or before, in a log that ends there.

        Raises:
            Unavailable: A batch on the way is missing.
        """
        if head.ms <= ms:
            return head.position
        below, above = 0, head.position
        while below + 1 < above:
            first, last, at = await self._batch((below + above) // 2)
            below, above = (last, above) if at <= ms else (below, first)
        return below

    async def _batch(self, position: int) -> tuple[int, int, int]:
        """The first and the last position of the batch that holds one, and its time."""
        item = await self.log.item_at(position)
        if item is None:
            raise Unavailable("the log", f"position {position} cannot be seen")
        return part_of(decimal_of(item, SK))[0], last_position(item), int_of(item, "at")

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
        newest = await self.streams.span(stream)
        if newest is None or newest.batch <= position:
            return newest
        found: Span | None = None
        below, above = 0, newest.first
        while below < above:
            span = await self.streams.span(stream, (below + above) // 2)
            if span is None:
                return None
            if span.batch <= position:
                found, below = span, span.last + 1
            else:
                above = 0 if span.begins else span.first
        return found
