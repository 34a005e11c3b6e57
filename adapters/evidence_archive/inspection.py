"""
Reading every byte of the archive, to know that all of it can be read.

Checksums tell what has changed since it was written. What was written wrong they do not: so rows
are looked at as well, whether they are as many as the name says, in their order and in their
folder, and whether what is in a segment is found by its id.
"""

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby

from attrs import frozen

from adapters.evidence_archive.lookup_checks import Finding
from adapters.evidence_archive.object_names import BATCHES, IDS, SEGMENTS, Stored, segment_hour
from adapters.evidence_archive.object_walk import Reading
from adapters.evidence_archive.objects import Gone, Objects
from adapters.evidence_archive.pending import Pending
from adapters.evidence_archive.segments import Segments
from adapters.evidence_archive.written_defects import is_run, is_segment
from application.evidence.archive import Inspected, Progressed

_ROWS_AT_ONCE = 100_000
"""They take a quarter of a kilobyte each while their ids are looked for."""


@frozen
class Inspection:
    objects: Objects
    pending: Pending
    segments: Segments

    async def __call__(self, progressed: Progressed) -> Inspected:
        names = [one async for one in self._listed()]
        reading = Reading(self.objects, progressed, {one.name: one for one in names})
        for batch in (one for one in names if one.folder == BATCHES):
            with suppress(Gone):
                reading.items += batch.rows if await reading(batch) else 0
        finding = Finding(self.objects, self.pending, self.segments, reading)
        for some in _parts(one for one in names if is_segment(one)):
            await finding(some)
        # Most were read when segments were looked for in them.
        for run in [*reading.unread.values()]:
            with suppress(Gone):
                await reading(run)
        return reading.told()

    async def _listed(self) -> AsyncIterator[Stored]:
        # Batches first: what is sorted meanwhile is in the segments that are listed then.
        for folder in (BATCHES, SEGMENTS, IDS):
            for one in await self.objects.listed(folder):
                if one.folder == BATCHES or is_segment(one) or is_run(one):
                    yield one


def _parts(segments: Iterable[Stored]) -> Iterator[Sequence[Stored]]:
    """Whole folders, hour by hour: most ids of an hour are in runs of the same hour."""
    some: list[Stored] = []
    rows = 0
    for _, folder in groupby(sorted(segments, key=_when), key=lambda one: one.folder):
        alike = [*folder]
        some += alike
        rows += sum(one.rows for one in alike)
        if rows >= _ROWS_AT_ONCE:
            yield some
            some, rows = [], 0
    if some:
        yield some


def _when(one: Stored) -> tuple[int, str, str]:
    return (segment_hour(one.folder) or 0, one.folder, one.name)
