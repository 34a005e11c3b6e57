"""Evidence of a dataset from the last created to the first, from segments and batches alike."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence

from attrs import frozen

from adapters.evidence_archive.object_format import Span, Top
from adapters.evidence_archive.object_names import Stored, dataset_folder, segment_hour
from adapters.evidence_archive.objects import Objects
from adapters.evidence_archive.pending import Batch, Pending, counts, first_of, places_of
from adapters.evidence_archive.rows import (
    DATASET,
    ID,
    Row,
    edge,
    hour_of,
    hour_start,
    place,
)
from adapters.evidence_archive.segments import Listed, Segments
from application.evidence.archive import EvidenceAsked
from domain.ids import EvidenceId


@frozen
class Piece:
    """A block that has evidence of the dataset and hour."""

    last: str
    top: Top
    span: Span
    batch: Batch | None = None


@frozen
class Call:
    asked: EvidenceAsked
    low: str
    high: str
    batches: Sequence[Batch]
    since: Listed

    def fits(self, at: str) -> bool:
        return self.low <= at < self.high


@frozen
class Listing:
    objects: Objects
    pending: Pending
    segments: Segments

    async def rows(self, asked: EvidenceAsked, before: str | None) -> AsyncIterator[Row]:
        """What fits, the last first; only what lies before a place, if one is named."""
        low, high = edge(asked.since), edge(asked.until)
        high = high if before is None else min(high, before)
        # Batches first: what is sorted meanwhile is in the segments that are listed then.
        batches = await self.pending.all()
        call = Call(asked, low, high, batches, set())
        names = await self.objects.listed(dataset_folder(asked.dataset))
        hours = _by_hour(names, call)
        for hour in sorted(hours, reverse=True):
            pieces = await self._pieces(hours[hour], call, hour)
            async for row in self._merged(pieces, call, hour):
                if call.fits(place(row)):
                    yield row

    async def _pieces(self, names: Sequence[Stored], call: "Call", hour: int) -> list[Piece]:
        tops = await asyncio.gather(*map(self.objects.top, names))
        pieces = [
            Piece(span.last, top, span)
            for top in tops
            for span in top.spans
            if span.first < call.high and span.last >= call.low
        ]
        for batch in call.batches:
            lasts: dict[int, str] = {}
            for at, number in places_of(batch, call.asked.dataset):
                if call.fits(at) and _hour(at) == hour:
                    lasts[number] = max(at, lasts.get(number, ""))
            spans = batch.top.spans
            pieces += (Piece(at, batch.top, spans[n], batch) for n, at in lasts.items())
        return sorted(pieces, key=lambda piece: piece.last, reverse=True)

    async def _merged(self, pieces: Sequence[Piece], call: "Call", hour: int) -> AsyncIterator[Row]:
        """What lies behind the end of every piece that is not read yet is in its place."""
        waiting: dict[str, Row] = {}
        for piece in pieces:
            for key in sorted((key for key in waiting if key > piece.last), reverse=True):
                yield waiting.pop(key)
            for row in await self._read(piece, call, hour):
                waiting.setdefault(place(row), row)
        for key in sorted(waiting, reverse=True):
            yield waiting[key]

    async def _read(self, piece: Piece, call: "Call", hour: int) -> list[Row]:
        rows = [
            row
            for row in await self.objects.rows(piece.top, piece.span)
            if row[DATASET] == call.asked.dataset and _hour(place(row)) == hour
        ]
        if piece.batch is None or not rows:
            return rows
        ids = [EvidenceId(row[ID]) for row in rows]
        sorted_ones = await self.segments.named(ids, since=call.since)
        first = first_of(call.batches, ids)
        return [row for row in rows if counts(row, piece.batch.stored, sorted_ones, first)]


def _by_hour(names: Sequence[Stored], call: Call) -> Mapping[int, list[Stored]]:
    """The segments of each hour that may have something; also of hours only batches know."""
    hours: dict[int, list[Stored]] = {hour: [] for hour in _batch_hours(call)}
    first = _hour(call.low)
    for one in names:
        hour = segment_hour(one.folder)
        if hour is not None and hour >= first and edge(hour_start(hour)) < call.high:
            hours.setdefault(hour, []).append(one)
    return hours


def _batch_hours(call: Call) -> Iterator[int]:
    for batch in call.batches:
        for at, _ in places_of(batch, call.asked.dataset):
            if call.fits(at):
                yield _hour(at)


def _hour(at: str) -> int:
    return hour_of(int(at[:17]))
