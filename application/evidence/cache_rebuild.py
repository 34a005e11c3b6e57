"""Dropping the cache and filling it again from the archive, pins included."""

from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from attrs import frozen

from application.caller import Caller
from application.errors import ApplicationError, Damaged, NotReadable, Unavailable
from application.evidence.archive import EvidenceArchive
from application.evidence.cache import EvidenceCache
from application.evidence.cache_filler import MARK, CacheFiller
from application.evidence.damage_apart import damage_apart
from application.evidence.pins import PinnedEvidence, Pins, all_held
from application.evidence.progress import told_to
from application.maintenance.progress import LongWork
from application.ports.access import Access
from application.ports.clock import Clock
from application.subscriptions.lease import Lease
from domain.ids import EvidenceId

AT_ONCE = 500

WHAT_TO_DO = (
    "nothing was dropped: restore the archive, or give up what it lacks "
    "(`statestore replay evidence --accept-loss`)"
)


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

    async def read_archive(self, work: LongWork) -> None:
        """Read all that the cache would be filled with. Raises as filling it would."""
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
    """Drop the cache, whatever it holds, and fill it from the archive.

    Not if the archive cannot be read, or lacks what the cache shows: part of it may be lost, or lie
    in a folder that is not there now. The loss may be accepted, but not of all that there is.
    """

    refill: RefillCache
    filler: CacheFiller
    cache: EvidenceCache

    async def __call__(self, work: LongWork, *, accept_loss: bool = False) -> CacheRebuilt:
        """
        Raises:
            Unavailable: The archive does not answer, or is empty although the cache is not; nothing
                was dropped.
            Damaged: A part of the archive cannot be read, or it lacks what the cache shows; nothing
                was dropped, unless the loss is accepted: then the rest is put.
        """
        if await self.filler.has_lost_archive():
            reason = "it is empty although there is a cache, and may lie elsewhere"
            raise Unavailable("the archive of evidence", f"{reason}; nothing was dropped")
        loss = await self._loss(work)
        if loss and not accept_loss:
            raise Damaged("the archive of evidence", f"{loss}; {WHAT_TO_DO}")
        await self.filler.empty()
        return await self.refill(work)

    async def _loss(self, work: LongWork) -> str | None:
        """Why something would be lost, if so."""
        try:
            await self.refill.read_archive(work)
            lacking = await self._lacking(work)
        except (Damaged, NotReadable) as error:
            return str(error)
        items = "1 item" if lacking == 1 else f"{lacking:,} items"
        return f"it lacks {items} that the cache shows" if lacking else None

    async def _lacking(self, work: LongWork) -> int:
        """How much the cache shows that the archive does not have."""
        compared = lacking = 0
        work.begin("comparing the cache with the archive")
        async for ids in self._listed():
            known = await self.refill.archive.named(ids)
            rest = [name for name in ids if name not in known and name != MARK.evidence_id]
            # What is damaged is not shown.
            shown, _ = await damage_apart(self.cache.named, rest)
            compared, lacking = compared + len(ids), lacking + len(shown)
            work.reached(compared)
        return lacking

    async def _listed(self) -> AsyncIterator[Sequence[EvidenceId]]:
        """As far as that can be read."""
        with suppress(Damaged):
            async for ids in self.cache.ids():
                yield ids


@frozen
class RebuildEvidence:
    """Renew the cache on request."""

    renew: RenewCache
    lease: Lease
    access: Access

    async def __call__(
        self, work: LongWork, *, accept_loss: bool = False, by: Caller
    ) -> CacheRebuilt:
        """Raises as `RenewCache` does."""
        await self.access.permit(by, "evidence:rebuild", "evidence")
        async with self.lease.exclusive():
            return await self.renew(work, accept_loss=accept_loss)
