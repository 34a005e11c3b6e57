"""Reading single streams: their spans in order, with the events in them or in the log."""

from collections.abc import AsyncIterator, Sequence

from attrs import frozen

from adapters.dynamodb.item_table import LARGEST_KEY, ItemTable, Range
from adapters.dynamodb.keys import Keys
from adapters.dynamodb.log_reader import LogReader
from adapters.dynamodb.spans import Span, read_span
from adapters.eventstore.log import LogEntry

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
        item = await self.table.newest(self.keys.stream(stream))
        return None if item is None else read_span(item).last

    async def read(self, stream: str, wanted: Wanted) -> list[LogEntry]:
        entries: list[LogEntry] = []
        if wanted.filled(entries):
            return entries
        spans = self._downwards if wanted.newest_first else self._upwards
        async for span in spans(stream, wanted):
            found = await self._entries(stream, span)
            if found is None:
                break
            wanted_here = [entry for entry in found if wanted.covers(entry.version)]
            entries += reversed(wanted_here) if wanted.newest_first else wanted_here
            if wanted.filled(entries) or wanted.passed(span):
                break
        return entries[: wanted.limit]

    async def _entries(self, stream: str, span: Span) -> list[LogEntry] | None:
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
        pk, expected = self.keys.stream(stream), None
        start = 0 if wanted.after <= 0 else await self._start(pk, wanted.after + 1)
        if start is None:
            return
        async for page in self.table.pages(pk, Range(first=start), limit=_page(wanted)):
            for span in map(read_span, page):
                if expected is not None and span.first != expected:
                    return
                yield span
                expected = span.last + 1

    async def _start(self, pk: str, version: int) -> int | None:
        """The sort key of the span that holds the version; nothing if the stream ends before."""
        item = await self.table.newest(pk, version)
        if item is None:
            return None
        span = read_span(item)
        # A first span lies at 0 even if its version is 1.
        return None if span.last < version else 0 if "first" in item else span.first

    async def _downwards(self, stream: str, wanted: Wanted) -> AsyncIterator[Span]:
        last = LARGEST_KEY if wanted.upto is None else max(wanted.upto, 0)
        newest = Range(last=last, newest_first=True)
        async for page in self.table.pages(self.keys.stream(stream), newest, limit=_page(wanted)):
            for item in page:
                yield read_span(item)


def _page(wanted: Wanted) -> int:
    # Every span holds at least one event.
    return PAGE_SPANS if wanted.limit is None else min(wanted.limit + 1, PAGE_SPANS)
