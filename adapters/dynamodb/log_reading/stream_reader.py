"""Reading single streams: their spans in order, with the events in them or in the log."""

from collections.abc import AsyncIterator, Sequence
from decimal import Decimal

from attrs import frozen

from adapters.dynamodb.items.item_table import LARGEST_KEY, ItemTable, Range
from adapters.dynamodb.items.typed_values import int_of
from adapters.dynamodb.log.keys import Keys
from adapters.dynamodb.log.spans import Span, read_span
from adapters.dynamodb.log_reading.log_reader import LogReader
from adapters.eventstore.log import LogEntry
from adapters.row_layouts.catalogue import SK

PAGE_SPANS = 200


@frozen
class Wanted:
    """Versions with after < version <= upto, at most `limit`, the newest first if asked for."""

    after: int = -1
    upto: int | None = None
    limit: int | None = None
    newest_first: bool = False

    def covers(self, version: int) -> bool:
        return self.after < version and (self.upto is None or version <= self.upto)

    def filled(self, entries: Sequence[LogEntry]) -> bool:
        return self.limit is not None and len(entries) >= self.limit

    def passed(self, span: Span) -> bool:
        """Whether nothing wanted can lie behind the span."""
        if self.newest_first:
            return span.first <= self.after + 1
        return self.upto is not None and span.last >= self.upto


@frozen
class StreamReader:
    table: ItemTable
    keys: Keys
    log: LogReader

    async def last_version(self, stream: str) -> int | None:
        newest = await self.span(stream)
        return None if newest is None else newest.last

    async def span(self, stream: str, version: Decimal | int = LARGEST_KEY) -> Span | None:
        """The span that holds the version, or the last one before it."""
        item = await self.table.newest(self.keys.stream(stream), version)
        return None if item is None else read_span(item)

    async def read(self, stream: str, wanted: Wanted) -> list[LogEntry]:
        if wanted.filled(()):
            return []
        entries = await (self._newest if wanted.newest_first else self._oldest)(stream, wanted)
        return entries[: wanted.limit]

    async def _oldest(self, stream: str, wanted: Wanted) -> list[LogEntry]:
        entries: list[LogEntry] = []
        async for span in self._upwards(stream, wanted):
            found = await self.entries(stream, span)
            if found is None:
                break
            entries += [entry for entry in found if wanted.covers(entry.version)]
            if wanted.filled(entries) or wanted.passed(span):
                break
        return entries

    async def _newest(self, stream: str, wanted: Wanted) -> list[LogEntry]:
        """What lies above a gap is not there yet: the newest are those below it."""
        entries: list[LogEntry] = []
        above: Span | None = None
        async for span in self._downwards(stream, wanted):
            found = await self.entries(stream, span)
            if found is None or (above is not None and span.last + 1 != above.first):
                entries.clear()
            entries += [entry for entry in reversed(found or ()) if wanted.covers(entry.version)]
            if wanted.filled(entries) or wanted.passed(span):
                return entries
            above = span
        return entries if above is not None and above.begins else []

    async def entries(self, stream: str, span: Span) -> list[LogEntry] | None:
        """A span's events; nothing if they cannot be seen yet."""
        if span.content is not None:
            return span.entries(stream)
        batch = await self.log.batch(span.batch)
        if batch is None:
            return None
        return [
            entry
            for entry in await self.log.entries(batch)
            if entry.stream == stream and span.first <= entry.version <= span.last
        ]

    async def _upwards(self, stream: str, wanted: Wanted) -> AsyncIterator[Span]:
        """Spans from the one that holds the first wanted version on, up to the first gap."""
        pk = self.keys.stream(stream)
        expected = 0 if wanted.after <= 0 else await self._start(pk, wanted.after + 1)
        if expected is None:
            return
        async for page in self.table.pages(pk, Range(first=expected), limit=_page(wanted)):
            for item in page:
                if int_of(item, SK) != expected:
                    return
                span = read_span(item)
                yield span
                expected = span.last + 1

    async def _start(self, pk: str, version: int) -> int | None:
        """The sort key of the span that holds the version; nothing if the stream ends before."""
        item = await self.table.newest(pk, version)
        if item is None:
            return None
        span = read_span(item)
        return None if span.last < version else int_of(item, SK)

    async def _downwards(self, stream: str, wanted: Wanted) -> AsyncIterator[Span]:
        last = LARGEST_KEY if wanted.upto is None else max(wanted.upto, 0)
        newest = Range(last=last, newest_first=True)
        async for page in self.table.pages(self.keys.stream(stream), newest, limit=_page(wanted)):
            for item in page:
                yield read_span(item)


def _page(wanted: Wanted) -> int:
    # Every span holds at least one event.
    most = PAGE_SPANS if wanted.limit is None else wanted.limit + 1
    if wanted.upto is not None:
        most = min(most, wanted.upto - wanted.after)
    return max(min(most, PAGE_SPANS), 1)
