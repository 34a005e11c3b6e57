"""Forgetting whole hours. What is spared is written again before the rest goes."""

from collections.abc import Collection, Mapping, Sequence, Set
from datetime import datetime

from attrs import frozen

from adapters.evidence_archive.object_names import (
    IDS,
    SEGMENTS,
    Stored,
    segment_folder,
    segment_hour,
)
from adapters.evidence_archive.objects import Objects
from adapters.evidence_archive.rows import (
    CREATED,
    DATASET,
    ID,
    Row,
    hour_of,
    microseconds,
    place,
    recorded,
)
from adapters.evidence_archive.segments import Segments, id_key, segments_of
from application.evidence.archive import Forgotten, Progressed
from domain.ids import DatasetUrn, EvidenceId


@frozen
class Forgetting:
    """Nothing is in batches any more: they are sorted first."""

    objects: Objects
    segments: Segments

    async def __call__(
        self,
        before: datetime,
        sparing: Collection[EvidenceId],
        late: int | None,
        progressed: Progressed,
    ) -> Forgotten:
        """What was recorded since `late` stays, too."""
        first_kept = hour_of(microseconds(before))
        spared = _by_folder(await self.segments.named(sparing, since=set()))
        kept, ids = 0, set(sparing)
        ended = {
            folder: names
            for folder, names in segments_of(await self.objects.listed(SEGMENTS)).items()
            if _is_ended(folder, first_kept)
        }
        items = hours = 0
        for done, (folder, names) in enumerate(ended.items(), 1):
            rows = {place(row): row for row in spared.get(folder, ())}
            rows |= await self._recorded_since(late, names)
            gone = await self._forget(folder, names, [*rows.values()])
            items += gone
            hours += gone > 0
            kept += len(rows)
            ids.update(EvidenceId(row[ID]) for row in rows.values())
            progressed(done, len(ended))
        await self._forget_ids(first_kept, ids)
        return Forgotten(items, hours, kept)

    async def _recorded_since(self, late: int | None, names: Sequence[Stored]) -> Mapping[str, Row]:
        """By their places. What an object has that was recorded last, its name tells."""
        found: dict[str, Row] = {}
        for one in names:
            if late is not None and one.latest >= late:
                rows = await self.objects.all_rows(one)
                found |= {place(row): row for row in rows if recorded(row) >= late}
        return found

    async def _forget(self, folder: str, names: Sequence[Stored], spared: Sequence[Row]) -> int:
        """Tell how many are gone."""
        gone = sum(one.rows for one in names) - len(spared)
        if gone == 0:
            return 0
        await self.objects.write(folder, sorted(spared, key=place), place, recorded)
        await self.objects.delete(names)
        return gone

    async def _forget_ids(self, first_kept: int, spared: Set[EvidenceId]) -> None:
        for one in await self.objects.listed(IDS):
            hour = one.folder.removeprefix(f"{IDS}/")
            if hour.isdecimal() and int(hour) < first_kept:
                await self._forget_ids_of(one, first_kept, spared)

    async def _forget_ids_of(self, run: Stored, first_kept: int, spared: Set[EvidenceId]) -> None:
        rows = await self.objects.all_rows(run)
        left = [row for row in rows if hour_of(row[2]) >= first_kept or row[0] in spared]
        if len(left) < len(rows):
            await self.objects.write(run.folder, left, id_key)
            await self.objects.delete([run])


def _is_ended(folder: str, first_kept: int) -> bool:
    hour = segment_hour(folder)
    return hour is not None and hour < first_kept


def _by_folder(rows: Mapping[EvidenceId, Row]) -> Mapping[str, list[Row]]:
    folders: dict[str, list[Row]] = {}
    for row in rows.values():
        folder = segment_folder(DatasetUrn(row[DATASET]), hour_of(row[CREATED]))
        folders.setdefault(folder, []).append(row)
    return folders
