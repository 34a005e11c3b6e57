"""
Reading every byte of the archive, to know that all of it can be read.

Checksums tell what has changed since it was written. What was written wrong they do not: so rows
are looked at as well, whether they are as many as the name says, in their order and in their
folder, and whether what is in a segment is found by its id.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from itertools import pairwise

from attrs import define, field, frozen

from adapters.evidence_archive.names import (
    BATCHES,
    IDS,
    SEGMENTS,
    Stored,
    ids_folder,
    segment_folder,
    segment_hour,
)
from adapters.evidence_archive.objects import Gone, Objects
from adapters.evidence_archive.pending import Pending
from adapters.evidence_archive.rows import (
    CREATED,
    DATASET,
    ID,
    Row,
    from_row,
    hour_of,
    place,
    recorded,
)
from adapters.evidence_archive.sealing import all_rows
from adapters.evidence_archive.segments import Listed, Segments, id_key
from application.errors import Damaged, NotReadable
from application.ports.evidence_archive import ArchiveFault, Inspected, Progressed
from domain.ids import DatasetUrn, EvidenceId

_LOOKED_UP_AT_ONCE = 500
"""Others are served in between."""


@frozen
class Inspection:
    objects: Objects
    pending: Pending
    segments: Segments

    async def __call__(self, progressed: Progressed) -> Inspected:
        names = [one async for one in self._listed()]
        whole, done, found = sum(one.rows for one in names), 0, _Found()
        for one in names:
            await self._inspect(one, found)
            done += one.rows
            progressed(done, whole)
        return Inspected(found.objects, found.items, found.faults)

    async def _listed(self) -> AsyncIterator[Stored]:
        # Batches first: what is sorted meanwhile is in the segments that are listed then.
        for folder in (BATCHES, SEGMENTS, IDS):
            for one in await self.objects.listed(folder):
                if _is_ours(one):
                    yield one

    async def _inspect(self, one: Stored, found: "_Found") -> None:
        try:
            rows = await self._rows(one)
            await self._find_all(one, rows)
        except Gone:
            return
        except (Damaged, NotReadable, _Wrong) as error:
            found.faults.append(ArchiveFault(one.name, error.because))
        else:
            found.items += 0 if _is_run(one) else len(rows)
        found.objects += 1

    async def _rows(self, one: Stored) -> list[Row]:
        top, data = await self.objects.whole(one)

        def read() -> list[Row]:
            rows = list(all_rows(top, data))
            for because in _wrong(one, rows):
                raise _Wrong(because)
            return rows

        return await asyncio.to_thread(read)

    async def _find_all(self, one: Stored, rows: Sequence[Row]) -> None:
        if segment_hour(one.folder) is None:
            return
        since, lost = Listed(), list[Row]()
        for start in range(0, len(rows), _LOOKED_UP_AT_ONCE):
            lost += await self._not_found(rows[start : start + _LOOKED_UP_AT_ONCE], since)
        lost = await self._not_found(await self._not_being_sorted(lost), Listed()) if lost else lost
        if lost and await self._is_there(one):
            names = f"{len(lost):,} of its items, such as {lost[0][ID]},"
            raise _Wrong(f"{names} are not what is found under their ids")

    async def _not_found(self, rows: Sequence[Row], since: Listed) -> list[Row]:
        ids = [EvidenceId(row[ID]) for row in rows]
        try:
            found = await self.objects.seen(lambda: self.segments.named(ids, since=since))
        except (Damaged, NotReadable):
            # Told where it lies, which may be another object.
            return []
        return [row for row, name in zip(rows, ids, strict=True) if found.get(name) != row]

    async def _not_being_sorted(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Without those whose batch is still there: their ids are written before it goes."""
        batches = await self.pending.readable()
        return [row for row in rows if not any(row[ID] in batch.ids for batch in batches)]

    async def _is_there(self, one: Stored) -> bool:
        """What is gone by now was merged or forgotten, and is found elsewhere or nowhere."""
        return one.name in {other.name for other in await self.objects.listed(one.folder)}


@define
class _Found:
    objects: int = 0
    items: int = 0
    faults: list[ArchiveFault] = field(factory=list)


@define
class _Wrong(Exception):
    """An object was written that should not have been."""

    because: str


def _is_ours(one: Stored) -> bool:
    return one.folder == BATCHES or segment_hour(one.folder) is not None or _is_run(one)


def _is_run(one: Stored) -> bool:
    return one.folder.startswith(f"{IDS}/") and one.folder.removeprefix(f"{IDS}/").isdecimal()


def _wrong(one: Stored, rows: Sequence[Row]) -> Iterator[str]:
    if len(rows) != one.rows:
        yield f"it has {len(rows):,} rows instead of {one.rows:,}"
    if _is_run(one):
        yield from _misplaced(one, (ids_folder(EvidenceId(row[0])) for row in rows))
        yield from _unsorted(map(id_key, rows))
        return
    yield from _unreadable(rows)
    if any(recorded(row) > one.latest for row in rows):
        yield "something in it was recorded later than its name says"
    if one.folder != BATCHES:
        yield from _misplaced(one, map(_folder, rows))
        yield from _unsorted(map(place, rows))


def _folder(row: Row) -> str:
    return segment_folder(DatasetUrn(row[DATASET]), hour_of(row[CREATED]))


def _misplaced(one: Stored, folders: Iterable[str]) -> Iterator[str]:
    if strays := {folder for folder in folders if folder != one.folder}:
        yield f"something in it belongs to {min(strays)}"


def _unsorted(keys: Iterable[str]) -> Iterator[str]:
    if any(before >= after for before, after in pairwise(keys)):
        yield "its rows are not in their order"


def _unreadable(rows: Iterable[Row]) -> Iterator[str]:
    for row in rows:
        try:
            from_row(row)
        except (TypeError, ValueError) as error:
            yield f"a row of it is not understood: {error}"
            return
