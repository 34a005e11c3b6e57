"""Looking after the archive on request: counting, sorting and forgetting."""

from datetime import timedelta

from attrs import frozen

from application.caller import Caller
from application.evidence.archive import ArchiveStock, EvidenceArchive, Forgotten
from application.evidence.maintenance import EvidenceUpkeep
from application.evidence.pins import PinnedEvidence, all_held
from application.evidence.progress import told_to
from application.maintenance.progress import LongWork
from application.ports.access import Access
from application.ports.clock import Clock
from application.subscriptions.lease import Lease
from application.violations import refuse_any
from domain.errors import Violation
from domain.validation import AHEAD


@frozen
class CountEvidence:
    archive: EvidenceArchive
    access: Access

    async def __call__(self, *, by: Caller) -> ArchiveStock:
        await self.access.permit(by, "evidence:read", "evidence")
        return await self.archive.stock()


@frozen
class CompactEvidence:
    archive: EvidenceArchive
    upkeep: EvidenceUpkeep
    lease: Lease
    access: Access

    async def __call__(self, work: LongWork, *, by: Caller) -> tuple[ArchiveStock, ArchiveStock]:
        """How much there was before, and is now."""
        await self.access.permit(by, "evidence:compact", "evidence")
        async with self.lease.exclusive():
            before = await self.archive.stock()
            await self.upkeep.compact(told_to(work, "sorting batches into segments"))
            return before, await self.archive.stock()


@frozen
class ForgetEvidence:
    archive: EvidenceArchive
    pins: PinnedEvidence
    upkeep: EvidenceUpkeep
    lease: Lease
    access: Access
    clock: Clock
    kept_for: timedelta

    async def __call__(self, older_than: timedelta, work: LongWork, *, by: Caller) -> Forgotten:
        """Forget for ever what is older, but not what is still at hand, or what a severe incident
        holds that is open.

        Raises:
            Invalid: All of it would still be at hand.
        """
        await self.access.permit(by, "evidence:forget", "evidence")
        refuse_any(self._too_early(older_than))
        async with self.lease.exclusive():
            # The archive sorts all batches: those that the cache lacks must be put there before.
            await self.upkeep.compact()
            now = self.clock.now()
            return await self.archive.forget(
                now - older_than,
                recorded_before=now - self.kept_for - AHEAD,
                sparing=all_held(await self.pins.all()),
                progressed=told_to(work, "forgetting"),
            )

    def _too_early(self, older_than: timedelta) -> list[Violation]:
        """What is at hand must be in the archive: it is what the cache is filled from."""
        least = self.kept_for + AHEAD
        if older_than >= least:
            return []
        hours = least // timedelta(hours=1)
        return [Violation("older_than", "OUT_OF_RANGE", f"must be at least {hours} hours")]
