"""
Looking whether what is in segments is what is found under its id.

Some segments at a time, of as many rows as fit into memory as hashes; the runs that may name them
go by once. Rows that are not settled by that are looked at again: they may have been sorted,
merged or forgotten meanwhile, and only what cannot be found then is told.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial

from attrs import frozen

from adapters.evidence_archive.expected_rows import Sought
from adapters.evidence_archive.object_names import Stored
from adapters.evidence_archive.object_walk import Reading
from adapters.evidence_archive.objects import Gone, Objects
from adapters.evidence_archive.pending import Batch, Pending
from adapters.evidence_archive.rows import ID, Row
from adapters.evidence_archive.segments import Listed, Segments
from adapters.evidence_archive.written_defects import is_run
from application.errors import Damaged, NotReadable
from domain.ids import EvidenceId

_LOOKED_UP_AT_ONCE = 500
"""Others are served in between."""


@frozen
class Finding:
    objects: Objects
    pending: Pending
    segments: Segments
    reading: Reading

    async def __call__(self, some: Sequence[Stored]) -> None:
        """All segments of a folder must be among the same some."""
        sought, sound = Sought(), list[Stored]()
        for one in some:
            with suppress(Gone):
                if await self.reading(one, sought.add):
                    sound.append(one)
        await self._ask_runs(sought)
        if sought.unnamed or sought.disputed:
            await self._look_again(sound, sought)
        self.reading.items += sum(one.rows for one in sound if not self.reading.is_faulty(one))

    async def _ask_runs(self, sought: Sought) -> None:
        for folder in sought.folders():
            whole = await self.objects.seen(partial(self._ask, folder, sought))
            await asyncio.to_thread(sought.heard, folder, all_of_it=whole)

    async def _ask(self, folder: str, sought: Sought) -> bool:
        """Whether all runs of the folder could be read."""
        whole = True
        for one in await self.objects.listed(folder):
            if is_run(one):
                whole &= await self.reading(one, partial(sought.hear, folder))
        return whole

    async def _look_again(self, some: Sequence[Stored], before: Sought) -> None:
        # Batches first: the ids of what is sorted are written before its batch goes.
        batches, again = await self.pending.readable(), Sought()
        for one in some:
            for row in await self._rows(one, _waiting(before, batches)):
                again.add(row)
        await self._ask_runs(again)
        for one in some:
            await self._tell(one, again)

    async def _tell(self, one: Stored, sought: Sought) -> None:
        unsettled = await self._rows(one, sought.is_unsettled)
        lost = [row for row in unsettled if sought.is_unnamed(row)]
        lost += await self._not_found([row for row in unsettled if not sought.is_unnamed(row)])
        if lost and await self._is_there(one):
            names = f"{len(lost):,} of its items, such as {lost[0][ID]},"
            self.reading.blame(one, f"{names} are not what is found under their ids")

    async def _rows(self, one: Stored, wanted: Callable[[Row], bool]) -> Sequence[Row]:
        try:
            return await self.objects.rows_where(one, wanted)
        except (Gone, Damaged, NotReadable):
            return ()

    async def _not_found(self, rows: Sequence[Row]) -> Sequence[Row]:
        """What others claim as well is looked up as readers do it: what they find counts."""
        since, lost = Listed(), list[Row]()
        for start in range(0, len(rows), _LOOKED_UP_AT_ONCE):
            some = rows[start : start + _LOOKED_UP_AT_ONCE]
            with suppress(Damaged, NotReadable):  # Told where it lies.
                found = await self._named([EvidenceId(row[ID]) for row in some], since)
                lost += [row for row in some if found.get(EvidenceId(row[ID])) != row]
        return lost

    async def _named(self, ids: Sequence[EvidenceId], since: Listed) -> Mapping[EvidenceId, Row]:
        return await self.objects.seen(lambda: self.segments.named(ids, since=since))

    async def _is_there(self, one: Stored) -> bool:
        """What is gone by now was merged or forgotten, and is found elsewhere or nowhere."""
        return one.name in {other.name for other in await self.objects.listed(one.folder)}


def _waiting(before: Sought, batches: Sequence[Batch]) -> Callable[[Row], bool]:
    """What was not settled, without that whose batch is still there."""

    def waits(row: Row) -> bool:
        return before.is_unsettled(row) and not any(row[ID] in batch.ids for batch in batches)

    return waits
