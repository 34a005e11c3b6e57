"""
Sorting batches into segments.

What is new is written first: segments, then the runs that name what is in them; the batches go
last. A crash in between leaves evidence in a batch and in a segment. Readers show it once, and the
next compaction writes it once more at worst.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence

from attrs import frozen

from adapters.evidence_archive.merging import Merging
from adapters.evidence_archive.object_names import Stored, ids_folder, segment_folder
from adapters.evidence_archive.objects import Gone, Objects
from adapters.evidence_archive.pending import Batch, Pending, first_of
from adapters.evidence_archive.rows import CREATED, DATASET, ID, Row, hour_of, place, recorded
from adapters.evidence_archive.segments import Listed, Segments, id_key, id_row
from application.errors import ApplicationError, Damaged, NotReadable
from application.evidence.archive import BatchName, Progressed
from domain.ids import DatasetUrn, EvidenceId

Read = tuple[Stored, Sequence[Row]]
"""A batch, and what is in it."""

_ROWS_AT_ONCE = 8_000
"""They take about 3 KB each while they are sorted."""
_LOOKED_UP_AT_ONCE = 500
"""Others are served in between."""


@frozen
class Compaction:
    objects: Objects
    pending: Pending
    segments: Segments
    segment_merging: Merging
    id_merging: Merging

    async def __call__(self, batches: Collection[BatchName], progressed: Progressed) -> None:
        """One that is damaged stays as it is; that is raised when the others are sorted."""
        wanted, troubles = set(batches), list[ApplicationError]()
        names = [one for one in await self.pending.names() if one.name in wanted]
        done = 0
        for some in _rounds(names):
            await self._sort(await self._read(some, troubles))
            done += len(some)
            progressed(done, len(names))
        for trouble in troubles:
            raise trouble

    async def _read(
        self, names: Sequence[Stored], troubles: list[ApplicationError]
    ) -> Sequence[Read]:
        found: list[Read] = []
        for one in names:
            try:
                found.append((one, await self.objects.all_rows(one)))
            except Gone:
                continue  # Others have sorted it.
            except (Damaged, NotReadable) as error:
                troubles.append(error)
        return found

    async def _sort(self, found: Sequence[Read]) -> None:
        names, rows = [one for one, _ in found], await self._first_heard(found)
        by_hour = await asyncio.to_thread(lambda: _grouped(rows, _segment_folder))
        by_id = await asyncio.to_thread(lambda: _grouped(rows, _ids_folder))
        await _each(by_hour, self._write_segment)
        await _each(by_id, self._write_run)
        await self.objects.delete(names)
        self.pending.let_go(names)
        await self.segment_merging(by_hour)
        await self.id_merging(by_id)

    async def _first_heard(self, found: Sequence[Read]) -> list[Row]:
        """What is in the batches, without what is said under ids that were heard before.

        Another batch may have been heard before and be damaged. It does not count: else nothing
        could be sorted until somebody mends it.
        """
        batches = await self.pending.readable()
        rows = await asyncio.to_thread(lambda: _first_in(batches, found))
        heard: set[EvidenceId] = set()
        ids, since = sorted(rows), Listed()
        for start in range(0, len(ids), _LOOKED_UP_AT_ONCE):
            some = ids[start : start + _LOOKED_UP_AT_ONCE]
            heard |= (await self.segments.named(some, since=since)).keys()
        return [row for name, row in rows.items() if name not in heard]

    async def _write_segment(self, folder: str, rows: list[Row]) -> None:
        await self.objects.write(folder, _ordered(rows, place), place, recorded)

    async def _write_run(self, folder: str, rows: list[Row]) -> None:
        await self.objects.write(folder, _ordered(map(id_row, rows), id_key), id_key)


def _first_in(batches: Sequence[Batch], found: Sequence[Read]) -> Mapping[EvidenceId, Row]:
    """Of each id what counts of all batches, if that is among what was found."""
    first = first_of(batches, {EvidenceId(row[ID]) for _, rows in found for row in rows})
    return {
        EvidenceId(row[ID]): row
        for one, rows in found
        for row in rows
        if row[ID] not in first or first[row[ID]].stored.name == one.name
    }


def _ordered(rows: Iterable[Row], key: Callable[[Row], str]) -> Iterator[Row]:
    """Sorted where they are gone through."""
    yield from sorted(rows, key=key)


def _ids_folder(row: Row) -> str:
    return ids_folder(EvidenceId(row[ID]))


def _segment_folder(row: Row) -> str:
    return segment_folder(DatasetUrn(row[DATASET]), hour_of(row[CREATED]))


def _grouped(rows: Sequence[Row], folder: Callable[[Row], str]) -> Mapping[str, list[Row]]:
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[folder(row)].append(row)
    return groups


async def _each(
    groups: Mapping[str, list[Row]], write: Callable[[str, list[Row]], Awaitable[None]]
) -> None:
    await asyncio.gather(*(write(folder, rows) for folder, rows in groups.items()))


def _rounds(names: Sequence[Stored]) -> Iterator[Sequence[Stored]]:
    """As many batches at once as fit into memory."""
    some: list[Stored] = []
    rows = 0
    for one in names:
        if some and rows + one.rows > _ROWS_AT_ONCE:
            yield some
            some, rows = [], 0
        some.append(one)
        rows += one.rows
    if some:
        yield some
