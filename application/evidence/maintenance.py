"""
Looking after evidence in the background.

At the start every batch that was not compacted is put into the cache: one that was kept when the
process ended may be missing there. A cache that was lost is filled from the archive. Then, now and
then: put what the cache did not take, sort batches into segments, throw away what has ended. A
cache that is damaged is dropped and filled from the archive. Nobody waits for any of it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial

from attrs import define, field

from application.errors import ApplicationError, Damaged, NotReadable
from application.evidence.archive import BatchName, EvidenceArchive, Progressed
from application.evidence.cache import EvidenceCache
from application.evidence.cache_filler import CacheFiller
from application.evidence.status import EvidenceStanding
from application.subscriptions.lease import Lease

LEASE = "evidence-maintenance"
"""Of all processes that share an archive, one at a time sorts and deletes evidence."""

LOOKS_EVERY = 1.0
TRIED_EVERY = 5
SORTED_EVERY = 60
SWEPT_EVERY = 600
FILLED_AGAIN_EVERY = 600
CHECKED_EVERY = 86_400
"""Looks, each. The last but one counts where a part of the archive is damaged: all of the rest is
read each time."""
MANY, MUCH = 1_000, 20_000
"""So many batches, or so many items in them, are sorted at once, whenever it was done last: where
each item is to be found is held in memory until then, half a kilobyte for each."""


@define
class EvidenceUpkeep:
    archive: EvidenceArchive
    cache: EvidenceCache
    filler: CacheFiller
    lease: Lease
    refill: Callable[[], Awaitable[object]]
    renew: Callable[[], Awaitable[object]]
    on_trouble: Callable[[str, Exception | None], None] = lambda what, error: None
    """Told what cannot be done and why when that begins, and when it can be done again. That the
    archive cannot be read, or the cache not be filled, is told by the standing."""
    standing: EvidenceStanding = field(factory=EvidenceStanding)
    rest: Callable[[float], Awaitable[None]] = asyncio.sleep
    look_again: Callable[[], Awaitable[None]] | None = None
    """At what readers found damaged in the archive."""
    _waiting: set[str] = field(factory=set, init=False)
    _looks: int = field(default=0, init=False)
    _filled_again_at: int = field(default=0, init=False)
    _checked_again_at: int = field(default=0, init=False)

    async def run(self) -> None:
        """Look after it until cancelled."""
        while True:
            await self.look()
            await self.rest(LOOKS_EVERY)

    async def look(self) -> None:
        """Do what is due. What cannot be done is told, and done at another look."""
        for name, duty in self._due():
            try:
                await duty()
            except ApplicationError as error:
                self._waits(name, error)
            else:
                self._goes_on(name)
        self._looks += 1

    def _due(self) -> Iterator[tuple[str, Callable[[], Awaitable[None]]]]:
        """None waits for another to succeed: a part that is damaged may stay so for days."""
        if self._looks % TRIED_EVERY == 0:
            yield "filling", self._recover
        if self._looks % SORTED_EVERY == 0 or self._is_much():
            yield "sorting", partial(self.lease.if_free, self.compact)
        if self._looks % TRIED_EVERY == 0:
            yield "looking", self.observe
        if self._looks % SORTED_EVERY == 0:
            yield "looking again", self._look_again
        if self._looks % CHECKED_EVERY == CHECKED_EVERY - 1:
            yield "checking", self.check
        if self._looks % SWEPT_EVERY == 0:
            yield "sweeping", partial(self.lease.if_free, self.cache.sweep)

    def _is_much(self) -> bool:
        return len(self.filler.filled) >= MANY or self.filler.items_filled >= MUCH

    def _waits(self, what: str, error: Exception) -> None:
        if what not in self._waiting:
            self._waiting.add(what)
            self.on_trouble(what, error)

    def _goes_on(self, what: str) -> None:
        if what in self._waiting:
            self._waiting.remove(what)
            self.on_trouble(what, None)

    async def recover(self) -> None:
        """Put all that the cache lacks, as far as can be known.

        Raises:
            Unavailable: Some of it cannot be put, or not be read.
        """
        if not self.filler.is_trusted and self._looks >= self._checked_again_at:
            self._checked_again_at = self._looks + SORTED_EVERY
            await self._unless_in_vain(self.check)
        await self._put_what_is_known()
        # One that is suspect is dropped first: filling it would not mend it.
        if not await self.filler.look_at_mark() and not self.cache.is_suspect:
            await self._unless_in_vain(partial(self.lease.if_free, self.refill))

    async def _put_what_is_known(self) -> None:
        """Show the batches that the cache lacks, at first all that are not sorted."""
        damaged = {*self.filler.unread}
        await self._show([*self.filler.lacking])
        if damaged.difference(self.filler.unread):
            # Mended, or moved away: nothing more need be in vain.
            self._filled_again_at = self._looks
        if not self.filler.is_recovered:
            await self._show(await self.archive.batches())
            self.filler.recovered()

    async def _unless_in_vain(self, work: Callable[[], Awaitable[None]]) -> None:
        """Where a part of the archive is damaged it takes long, and is not tried at every look."""
        if self._looks < self._filled_again_at:
            return
        try:
            await work()
        except (Damaged, NotReadable):
            self._filled_again_at = self._looks + FILLED_AGAIN_EVERY
            raise

    async def check(self) -> None:
        """Look whether the cache can be relied on: what an index has lost, no reader misses.

        One that is damaged is dropped and filled from the archive. Until then, lists are read from
        there.

        Raises:
            Damaged: So is a part of the archive, or it lacks what the cache shows: nothing was
                dropped.
        """
        try:
            await self.cache.check()
        except Damaged as error:
            self.filler.trust(False)
            self.standing.spoilt(error)
            await self.lease.if_free(self.renew)
            await self.cache.check()
        self.filler.trust(True)
        self.standing.spoilt(None)
        await self._look_for_loss()

    async def _look_for_loss(self) -> None:
        self.standing.lost(await self.filler.has_lost_archive())

    async def _recover(self) -> None:
        try:
            await self.recover()
        except ApplicationError as error:
            self.standing.put(error)
        else:
            if self.filler.is_whole:
                self.standing.put(None)

    async def observe(self) -> None:
        """Whether the archive can be read, and how much waits there to be sorted."""
        try:
            self.standing.looked(await self.archive.batches())
        except ApplicationError as error:
            self.standing.could_not_look(error)

    async def _look_again(self) -> None:
        if self.look_again is not None:
            await self.look_again()
        if self.standing.is_lost:
            await self._look_for_loss()
        # Raises if the cache does not answer. One that is damaged is told by its check.
        await self.filler.look_at_mark()
        self.standing.cache_unread(None)

    async def compact(self, progressed: Progressed = lambda done, whole: None) -> None:
        """Sort all batches into segments that are in the cache; others are put there first."""
        known = {*self.filler.filled}
        batches = await self.archive.batches()
        # Another process may have sorted them.
        self.filler.forget(known.difference(batches))
        try:
            await self._sort(await self._show(batches), progressed)
        except (Damaged, NotReadable):
            # Since the cache took them: each is read again, and one that is damaged is left out.
            await self._sort(await self._show(batches), progressed)

    async def _sort(self, shown: Sequence[BatchName], progressed: Progressed) -> None:
        if shown:
            try:
                await self.archive.compact(shown, progressed)
            finally:
                self.filler.forget(shown)

    async def _show(self, batches: Sequence[BatchName]) -> Sequence[BatchName]:
        """Tells which of them the cache shows now: a damaged one stops nothing but itself."""
        shown = []
        for name in batches:
            try:
                await self.filler.show(name)
            except (Damaged, NotReadable) as error:
                self.filler.lack(name)
                self.standing.put(error)
                self._waits(name, error)
            else:
                self._goes_on(name)
                shown.append(name)
        return shown
