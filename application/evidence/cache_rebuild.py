"""Throwing the cache away and filling it again from the archive, pins included."""

from collections.abc import AsyncIterator, Sequence, Set
from contextlib import suppress
from datetime import datetime, timedelta

from attrs import frozen

from application.caller import Caller
from application.errors import ApplicationError, Damaged, NotReadable
from application.evidence.archive import EvidenceArchive
from application.evidence.cache import EvidenceCache
from application.evidence.cache_filler import MARK, CacheFiller
from application.evidence.damage_apart import damage_apart
from application.evidence.exclusive import Alone
from application.evidence.pins import PinnedEvidence, Pins, all_held
from application.evidence.progress import told_to
from application.maintenance.progress import LongWork
from application.ports.access import Access
from application.ports.clock import Clock
from domain.ids import EvidenceId

AT_ONCE = 500


@frozen
class CacheRebuilt:
    items: int
    pinned: int
    missing: int
    """Evidence of severe incidents that the archive does not have: it was never sent."""


@frozen
class RefillCache:
    """Fill a cache that may lack anything, and say so in it at the end.

    Evidence can be put and read by its id all the while; lists are read from the archive. Ended in
    between, it is done again: nothing is lost but the time.
    """

    archive: EvidenceArchive
    cache: EvidenceCache
    filler: CacheFiller
    pins: PinnedEvidence
    clock: Clock
    kept_for: timedelta

    async def __call__(self, work: LongWork) -> CacheRebuilt:
        """Raises Damaged if a part of the archive is; all of the rest is shown."""
        since, pins = self.clock.now() - self.kept_for, await self.pins.all()
        pinned, unread = await self._pin(pins, work)
        items = await self._fill(since, work)
        await self._unpin_what_ended(pins)
        for error in unread:
            raise error
        await self.filler.mark()
        return CacheRebuilt(items, pinned, len(all_held(pins)) - pinned)

    async def rehearse(self, work: LongWork) -> None:
        """Read all that the cache would be filled with. Raises as doing it would."""
        since, wanted = self.clock.now() - self.kept_for, sorted(all_held(await self.pins.all()))
        for start in range(0, len(wanted), AT_ONCE):
            await self.archive.named(wanted[start : start + AT_ONCE])
        progressed = told_to(work, "looking whether the archive is whole")
        async for _ in self.archive.recorded_since(since, progressed):
            pass

    async def _pin(self, pins: Pins, work: LongWork) -> tuple[int, Sequence[ApplicationError]]:
        """How many were found, and why others cannot be read."""
        wanted, found, unread = sorted(all_held(pins)), 0, list[ApplicationError]()
        work.begin("pinning the evidence of severe incidents", len(wanted))
        for start in range(0, len(wanted), AT_ONCE):
            ids = wanted[start : start + AT_ONCE]
            some, spoilt = await damage_apart(self.archive.named, ids)
            await self.cache.put([*some.values()], pinned=some.keys())
            found += len(some)
            unread += spoilt.values()
            work.reached(min(start + AT_ONCE, len(wanted)))
        return found, unread

    async def _fill(self, since: datetime, work: LongWork) -> int:
        seen, progressed = 0, told_to(work, "filling the cache from the archive")
        async for evidence in self.archive.recorded_since(since, progressed):
            await self.cache.put(evidence)
            seen += len(evidence)
        return seen

    async def _unpin_what_ended(self, pins: Pins) -> None:
        """An incident may have let go of evidence just before that was pinned here."""
        now = {name: await self.pins.of(name) for name in pins}
        await self.cache.unpin(all_held(pins) - all_held(now) - all_held(await self.pins.all()))


@frozen
class RenewCache:
    """Throw the cache away, whatever it holds, and fill it from the archive.

    What the cache holds may be the only copy of what is damaged in the archive, or lost, or lies in
    a folder that is not there now: nothing is thrown away then.
    """

    refill: RefillCache
    filler: CacheFiller
    cache: EvidenceCache

    async def __call__(self, work: LongWork) -> CacheRebuilt:
        """Raises Damaged if a part of the archive is; what the cache lacks of the rest is put."""
        try:
            await self.refill.rehearse(work)
            lacking = await self._only_at_hand()
        except (Damaged, NotReadable):
            return await self.refill(work)
        if lacking:
            because = f"of what is at hand it lacks {lacking:,}: verify evidence"
            raise Damaged("the archive of evidence", because)
        await self.filler.empty()
        return await self.refill(work)

    async def _only_at_hand(self) -> int:
        """How much can be shown that the archive does not have."""
        lacking = 0
        async for ids in self._shown():
            lacking += len(ids - (await self.refill.archive.named(ids)).keys())
        return lacking

    async def _shown(self) -> AsyncIterator[Set[EvidenceId]]:
        """Nothing of a cache that is damaged as a whole: that is moved aside."""
        with suppress(Damaged):
            await self.cache.check()
            async for ids in self.cache.ids():
                shown, _ = await damage_apart(self.cache.named, ids)
                yield shown.keys() - {MARK.evidence_id}


@frozen
class RebuildEvidence:
    """Renew the cache on request."""

    renew: RenewCache
    alone: Alone
    access: Access

    async def __call__(self, work: LongWork, *, by: Caller) -> CacheRebuilt:
        """Raises Damaged if a part of the archive is; what the cache lacks of the rest is put."""
        await self.access.permit(by, "evidence:rebuild", "evidence")
        async with self.alone.held():
            return await self.renew(work)
