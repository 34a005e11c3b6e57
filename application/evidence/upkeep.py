"""
Looking after evidence in the background.

At the start every batch that was not compacted is put into the cache: one that was kept when the
process ended may be missing there. A cache that was lost is filled from the archive. Then, now and
then: put what the cache did not take, sort batches into segments, throw away what has ended. Nobody
waits for any of it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from attrs import define, field

from application.errors import Damaged, Unavailable
from application.evidence.alone import Alone
from application.evidence.filling import CacheFiller
from application.ports.evidence_archive import BatchName, EvidenceArchive, Progressed
from application.ports.evidence_cache import EvidenceCache

LOOKS_EVERY = 1.0
TRIED_EVERY = 5
SORTED_EVERY = 60
SWEPT_EVERY = 600
"""Looks, each."""
MANY = 1_000
"""So many batches are sorted at once, whenever it was done last."""


@define
class EvidenceUpkeep:
    archive: EvidenceArchive
    cache: EvidenceCache
    filler: CacheFiller
    alone: Alone
    refill: Callable[[], Awaitable[object]]
    on_trouble: Callable[[Exception], None] = lambda error: None
    rest: Callable[[float], Awaitable[None]] = asyncio.sleep
    _looks: int = field(default=0, init=False)

    async def run(self) -> None:
        """Look after it until cancelled."""
        while True:
            try:
                await self.look()
            except Unavailable as error:
                self.on_trouble(error)
            await self.rest(LOOKS_EVERY)

    async def look(self) -> None:
        """Do what is due.

        Raises:
            Unavailable: Something could not be done; it is done at another look.
        """
        due, self._looks = self._looks, self._looks + 1
        if due % TRIED_EVERY == 0:
            await self.recover()
        if due % SORTED_EVERY == 0 or len(self.filler.filled) >= MANY:
            await self.alone.if_free(self.compact)
        if due % SWEPT_EVERY == 0:
            await self.alone.if_free(self.cache.sweep)

    async def recover(self) -> None:
        """Put all that the cache lacks, as far as can be known."""
        await self._show([*self.filler.lacking])
        if not self.filler.is_recovered:
            await self._show(await self.archive.batches())
            self.filler.recovered()
        if not await self.filler.look_at_mark():
            await self.alone.if_free(self.refill)

    async def compact(self, progressed: Progressed = lambda done, whole: None) -> None:
        """Sort all batches into segments that are in the cache; others are put there first."""
        known = {*self.filler.filled}
        batches = await self.archive.batches()
        # Another process may have sorted them.
        self.filler.forget(known.difference(batches))
        shown = await self._show(batches)
        if shown:
            await self.archive.compact(shown, progressed)
            self.filler.forget(shown)

    async def _show(self, batches: Sequence[BatchName]) -> Sequence[BatchName]:
        """Tells which of them the cache shows now: a damaged one stops nothing but itself."""
        shown = []
        for name in batches:
            try:
                await self.filler.show(name)
            except Damaged as error:
                self.filler.lack(name)
                self.on_trouble(error)
            else:
                shown.append(name)
        return shown
