"""
The archive of evidence over a blob store. Several processes may share it.

Every object is written once and never changed. Whoever finds that one is gone looks again: it was
sorted into another that was written before.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence, Set
from contextlib import suppress
from datetime import datetime
from functools import partial

from attrs import frozen

from adapters.blobs.store import BlobStore
from adapters.evidence_archive.compaction import Compaction
from adapters.evidence_archive.inspection import Inspection
from adapters.evidence_archive.listing import Listing
from adapters.evidence_archive.merging import Merging
from adapters.evidence_archive.object_names import (
    BATCHES,
    SEGMENTS,
    Namer,
    Stored,
    segment_hour,
    stored,
)
from adapters.evidence_archive.objects import Gone, Objects
from adapters.evidence_archive.pending import Batch, Pending, counts, first_of, made_batch
from adapters.evidence_archive.purge import Forgetting
from adapters.evidence_archive.rows import (
    ID,
    RECORDED,
    Row,
    edge,
    from_row,
    hour_of,
    hour_start,
    microseconds,
    place,
    recorded,
    to_row,
)
from adapters.evidence_archive.segments import Listed, Segments, id_key
from application.errors import ApplicationError, Damaged, NotReadable
from application.evidence.archive import (
    ArchiveStock,
    BatchName,
    EvidenceAsked,
    Forgotten,
    Inspected,
    Progressed,
)
from application.reads.paging import Cursor, Page, PageRequest
from domain.evidence.evidence import Evidence
from domain.ids import EvidenceId, is_evidence_id

_QUICK = 100
"""Rows that take less than a millisecond."""
_SLICE = 1_000


@frozen
class BlobEvidenceArchive:
    objects: Objects
    pending: Pending
    segments: Segments
    listing: Listing
    compaction: Compaction
    forgetting: Forgetting
    inspection: Inspection

    @classmethod
    def over(
        cls, blobs: BlobStore, *, process: str, ulids: Callable[[], str], fan_in: int = 8
    ) -> "BlobEvidenceArchive":
        """Nothing is read or written yet. The process is letters and digits, and no other's."""
        objects = Objects(blobs, Namer(process, ulids))
        pending, segments = Pending(objects), Segments(objects)
        return cls(
            objects,
            pending,
            segments,
            Listing(objects, pending, segments),
            Compaction(
                objects,
                pending,
                segments,
                Merging(objects, place, recorded, fan_in=fan_in),
                Merging(objects, id_key, fan_in=fan_in),
            ),
            Forgetting(objects, segments),
            Inspection(objects, pending, segments),
        )

    async def keep(self, evidence: Sequence[Evidence]) -> BatchName:
        first = {one.evidence_id: one for one in reversed(evidence)}
        if not first:
            return BatchName(self.objects.namer.stem(BATCHES))
        rows = [to_row(one) for one in reversed(first.values())]
        work = partial(made_batch, self.objects.namer, rows)
        batch, data = work() if len(rows) <= _QUICK else await asyncio.to_thread(work)
        await self.objects.put(batch.stored, data)
        self.pending.hold(batch)
        return BatchName(batch.stored.name)

    async def named(self, ids: Collection[EvidenceId]) -> Mapping[EvidenceId, Evidence]:
        wanted = {name for name in ids if is_evidence_id(name)}
        rows = await self.objects.seen(lambda: self._named(wanted))
        return {name: evidence_of(row) for name, row in rows.items()}

    async def of_dataset(self, asked: EvidenceAsked, page: PageRequest) -> Page[Evidence]:
        before = None if page.after is None else _place(page.after)
        rows = await self.objects.seen(lambda: self._page(asked, before, page.size + 1))
        shown = [evidence_of(row) for row in rows[: page.size]]
        return Page(shown, _cursor(shown[-1]) if len(rows) > page.size else None)

    async def recorded_since(
        self, at: datetime, progressed: Progressed = lambda done, whole: None
    ) -> AsyncIterator[Sequence[Evidence]]:
        since, done, again = microseconds(at), 0, False
        read, troubles = set[str](), list[ApplicationError]()
        batches, waiting = await self._not_read(since, read)
        while waiting:
            one = waiting.pop(0)
            read.add(one.name)
            try:
                async for rows in self._heard(one, since, batches):
                    yield [evidence_of(row) for row in rows]
            except Gone:
                again = True
            except (Damaged, NotReadable) as error:
                troubles.append(error)
            done += one.rows
            if again and not waiting:
                (batches, waiting), again = await self._not_read(since, read), False
            progressed(done, done + sum(one.rows for one in waiting))
        for trouble in troubles:
            raise trouble

    async def batches(self) -> Sequence[BatchName]:
        return [BatchName(one.name) for one in await self.pending.names()]

    async def batch(self, name: BatchName) -> Sequence[Evidence]:
        for one in stored([name]):
            with suppress(Gone):
                return [evidence_of(row) for row in await self.objects.all_rows(one)]
        return ()

    async def compact(
        self,
        batches: Collection[BatchName],
        progressed: Progressed = lambda done, whole: None,
    ) -> None:
        await self.objects.seen(lambda: self.compaction(batches, progressed))

    async def forget(
        self,
        before: datetime,
        *,
        sparing: Collection[EvidenceId],
        recorded_before: datetime | None = None,
        progressed: Progressed = lambda done, whole: None,
    ) -> Forgotten:
        """Batches are sorted first: what is said twice in them must not come back."""
        await self.compact(await self.batches())
        spared = {name for name in sparing if is_evidence_id(name)}
        late = None if recorded_before is None else microseconds(recorded_before)
        return await self.objects.seen(lambda: self.forgetting(before, spared, late, progressed))

    async def stock(self) -> ArchiveStock:
        names, batches = await self.pending.names(), await self.pending.readable()
        segments = [
            (hour, one)
            for one in await self.objects.listed(SEGMENTS)
            if (hour := segment_hour(one.folder)) is not None
        ]
        hours = [hour for hour, _ in segments] + [hour_of(batch.oldest) for batch in batches]
        objects = [one for _, one in segments] + [*names]
        return ArchiveStock(
            batches=len(names),
            segments=len(segments),
            items=sum(one.rows for one in objects),
            stored_bytes=sum(one.size for one in objects),
            oldest=hour_start(min(hours)) if hours else None,
        )

    async def inspect(self, progressed: Progressed = lambda done, whole: None) -> Inspected:
        return await self.inspection(progressed)

    async def _named(self, ids: Set[EvidenceId]) -> Mapping[EvidenceId, Row]:
        """What is in a segment was heard first. One that was listed once is found without asking
        again what there is."""
        found = dict(await self.segments.named(ids, since=None))
        if missing := ids - found.keys():
            batches = await self.pending.all()
            found |= await self.segments.named(missing, since=set())
            found |= await self.pending.rows(first_of(batches, missing - found.keys()))
        return found

    async def _page(self, asked: EvidenceAsked, before: str | None, most: int) -> list[Row]:
        found: list[Row] = []
        async for row in self.listing.rows(asked, before):
            found.append(row)
            if len(found) == most:
                break
        return found

    async def _heard(
        self, one: Stored, since: int, batches: Sequence[Batch]
    ) -> AsyncIterator[Sequence[Row]]:
        """What was recorded since; of a batch only what its ids stand for."""
        rows = [row for row in await self.objects.all_rows(one) if row[RECORDED] >= since]
        listed = Listed()
        for start in range(0, len(rows), _SLICE):
            some = rows[start : start + _SLICE]
            if one.folder != BATCHES:
                yield some
                continue
            ids = [EvidenceId(row[ID]) for row in some]
            sorted_ones = await self.segments.named(ids, since=listed)
            first = first_of(batches, ids)
            yield [row for row in some if counts(row, one, sorted_ones, first)]

    async def _not_read(self, since: int, read: Set[str]) -> tuple[Sequence[Batch], list[Stored]]:
        """The batches there are, and all that has something and is not read yet."""
        # Batches first: what is sorted meanwhile is in the segments that are listed then.
        batches, names = await self.pending.readable(), await self.pending.names()
        segments = [
            one
            for one in await self.objects.listed(SEGMENTS)
            if segment_hour(one.folder) is not None
        ]
        return batches, [
            one for one in (*names, *segments) if one.name not in read and one.latest >= since
        ]


def evidence_of(row: Row) -> Evidence:
    try:
        return from_row(row)
    except (TypeError, ValueError) as error:
        raise NotReadable("a row in the evidence archive", str(error)) from error


def _cursor(one: Evidence) -> Cursor:
    return (one.created_at.isoformat(), one.evidence_id)


def _place(after: Cursor) -> str:
    at, name = after
    return f"{edge(datetime.fromisoformat(at))}{name}"
