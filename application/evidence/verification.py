"""
Proving that the archive of evidence is whole, and the cache equal to it.

The archive is read to the last byte. Then both are compared: what the cache shows must be what the
archive has under the same id, and what the archive has must be in the cache until it ends.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from enum import StrEnum

from attrs import define, evolve, field, frozen

from application.caller import Caller
from application.errors import Damaged, NotReadable
from application.evidence.archive import EvidenceArchive, Inspected
from application.evidence.cache import EvidenceCache, Telling
from application.evidence.cache_filler import MARK
from application.evidence.cache_rebuild import RenewCache
from application.evidence.damage_apart import damage_apart
from application.evidence.progress import told_to
from application.maintenance.progress import LongWork
from application.ports.access import Access
from application.ports.clock import Clock
from application.subscriptions.lease import Lease
from domain.evidence.evidence import Evidence
from domain.ids import EvidenceId

MOST_TOLD = 1_000
"""Differences of each kind that are told one by one; beyond them they are only counted."""

ON_ITS_WAY = timedelta(seconds=10)
"""What was kept so shortly before may not be in the cache yet."""


class Kind(StrEnum):
    MISSING_IN_ARCHIVE = "missing_in_archive"
    """The cache shows it, and the archive does not have it."""
    MISSING_IN_CACHE = "missing_in_cache"
    DIFFERING = "differing"
    DAMAGED = "damaged"
    """The cache has it, and cannot show it."""


@frozen
class EvidenceVerified:
    archive: Inspected
    compared: int
    """What is in the cache and was compared."""
    undecided: int
    """What is in the cache and was not, since a part of the archive cannot be read."""
    cache_fault: str | None
    """What is wrong with the cache as a whole: more may be in it than was compared."""
    counts: Mapping[Kind, int]
    differences: Mapping[EvidenceId, Kind]
    """The first of each kind."""
    repaired: bool = False
    """Whether the cache was filled anew."""

    @property
    def sound(self) -> bool:
        return not (self.archive.faults or self.undecided or self.counts or self.cache_fault)

    @property
    def can_be_repaired(self) -> bool:
        """Whether the archive has all that the cache shows."""
        lacks = Kind.MISSING_IN_ARCHIVE in self.counts
        return not (self.archive.faults or self.undecided or lacks)


@frozen
class VerifyEvidence:
    archive: EvidenceArchive
    cache: EvidenceCache
    renew: RenewCache
    lease: Lease
    access: Access
    clock: Clock
    telling: Telling
    kept_for: timedelta

    async def __call__(self, work: LongWork, *, repair: bool, by: Caller) -> EvidenceVerified:
        """With `repair`, a cache that differs is filled anew if the archive has all it shows."""
        await self.access.permit(by, "evidence:verify", "evidence")
        if repair:
            await self.access.permit(by, "evidence:rebuild", "evidence")
        verified = await self._compared(work)
        if repair and verified.can_be_repaired and not verified.sound:
            return evolve(verified, repaired=await self._is_rebuilt(work))
        return verified

    async def _compared(self, work: LongWork) -> EvidenceVerified:
        inspected = await self.archive.inspect(told_to(work, "reading the archive"))
        comparison = Comparison(self.archive, self.cache, self.telling)
        await comparison.look_at_cache()
        await comparison.of_the_cache(work)
        await comparison.of_the_archive(work, self.clock, self.kept_for)
        return comparison.verified(inspected)

    async def _is_rebuilt(self, work: LongWork) -> bool:
        """Not if a part of the archive is damaged by now: then nothing is dropped."""
        try:
            async with self.lease.exclusive():
                await self.renew(work)
        except (Damaged, NotReadable):
            return False
        return True


@define
class Comparison:
    archive: EvidenceArchive
    cache: EvidenceCache
    telling: Telling
    _cache_fault: str | None = field(default=None, init=False)
    _compared: int = field(default=0, init=False)
    _undecided: int = field(default=0, init=False)
    _counts: Counter[Kind] = field(factory=Counter, init=False)
    _first: dict[EvidenceId, Kind] = field(factory=dict, init=False)

    async def look_at_cache(self) -> None:
        try:
            await self.cache.check()
        except Damaged as error:
            self._cache_fault = error.reason

    async def of_the_cache(self, work: LongWork) -> None:
        """What it shows must be what the archive has."""
        work.begin("comparing the cache with the archive")
        try:
            async for ids in self.cache.ids():
                await self._compare([name for name in ids if name != MARK.evidence_id])
                work.reached(self._compared)
        except Damaged as error:
            self._cache_fault = self._cache_fault or error.reason

    async def of_the_archive(self, work: LongWork, clock: Clock, kept_for: timedelta) -> None:
        """What it has must be in the cache, but for what has ended, or is on its way."""
        if self._cache_fault:
            return  # What a damaged cache lacks says nothing.
        now = clock.now()
        progressed = told_to(work, "looking whether all that is to be in the cache is")
        # What cannot be read is told by the inspection.
        with suppress(Damaged, NotReadable):
            async for evidence in self.archive.recorded_since(now - kept_for, progressed):
                wanted = [one for one in evidence if one.recorded_at <= now - ON_ITS_WAY]
                there = await self._there(wanted)
                lasting = _lasting(wanted, clock.now() - kept_for)
                self._note(Kind.MISSING_IN_CACHE, lasting.difference(there))

    def verified(self, inspected: Inspected) -> EvidenceVerified:
        return EvidenceVerified(
            archive=inspected,
            compared=self._compared,
            undecided=self._undecided,
            cache_fault=self._cache_fault,
            counts=self._counts,
            differences=self._first,
        )

    async def _compare(self, ids: Sequence[EvidenceId]) -> None:
        try:
            known = await self.archive.named(ids)
        except (Damaged, NotReadable):
            self._undecided += len(ids)
            return
        self._compared += len(ids)
        shown, damaged = await damage_apart(self.cache.named, ids)
        told, untold = await damage_apart(self.cache.told, ids)
        self._note(Kind.DAMAGED, damaged.keys() | untold.keys())
        self._note(Kind.DIFFERING, set(_different(known, shown, told, self.telling)))
        self._note(Kind.MISSING_IN_ARCHIVE, shown.keys() - known.keys())

    async def _there(self, evidence: Iterable[Evidence]) -> set[EvidenceId]:
        ids = [one.evidence_id for one in evidence]
        shown, damaged = await damage_apart(self.cache.named, ids)
        return shown.keys() | damaged.keys()

    def _note(self, kind: Kind, names: Collection[EvidenceId]) -> None:
        if names:
            room = max(0, MOST_TOLD - self._counts[kind])
            self._counts[kind] += len(names)
            self._first |= dict.fromkeys(sorted(names)[:room], kind)


def _different(
    known: Mapping[EvidenceId, Evidence],
    shown: Mapping[EvidenceId, Evidence],
    told: Mapping[EvidenceId, bytes],
    telling: Telling,
) -> Iterable[EvidenceId]:
    """Of what is shown or told: some may have ended in between."""
    for name, one in known.items():
        if (name in shown and shown[name] != one) or (name in told and told[name] != telling(one)):
            yield name


def _lasting(evidence: Iterable[Evidence], ended_by: datetime) -> set[EvidenceId]:
    return {one.evidence_id for one in evidence if one.recorded_at > ended_by}
