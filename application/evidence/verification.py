"""
Proving that the archive of evidence is whole, and the cache equal to it.

The archive is read to the last byte. Then both are compared: what the cache shows must be what the
archive has under the same id, and what the archive has must be at hand until it ends.

What only the cache has was in the archive once: evidence is kept there first. So it is not thrown
away with the rest of a cache that differs, but kept again.
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
from application.evidence.exclusive import Alone
from application.evidence.progress import told_to
from application.maintenance.progress import LongWork
from application.ports.access import Access
from application.ports.clock import Clock
from domain.evidence.evidence import Evidence
from domain.ids import EvidenceId

MOST_TOLD = 1_000
"""Differences that are told one by one; beyond them they are only counted."""

Known = tuple[Mapping[EvidenceId, Evidence], Collection[EvidenceId]]
"""What the archive has, and of what nobody can tell."""

ON_ITS_WAY = timedelta(seconds=10)
"""What was kept so shortly before may not be in the cache yet."""


class Kind(StrEnum):
    MISSING = "missing"
    """The archive has it, and it is not at hand."""
    DIFFERENT = "different"
    DAMAGED = "damaged"
    """The cache has it, and cannot show it."""
    ONLY_HERE = "only_here"
    """It is at hand, and the archive does not have it."""
    LOST = "lost"
    """The cache cannot show it, and the archive does not have it."""


@frozen
class EvidenceVerified:
    archive: Inspected
    compared: int
    """What is at hand and was compared."""
    undecided: int
    """What is at hand, but a part of the archive that may have it cannot be read."""
    cache_fault: str | None
    """What is wrong with the cache as a whole."""
    is_cut_short: bool
    """Whether nobody knows what else is in the cache."""
    counts: Mapping[Kind, int]
    differences: Mapping[EvidenceId, Kind]
    """The first of them."""
    kept_again: int = 0
    """What only the cache had, and the archive has now."""
    is_rebuilt: bool = False
    """Whether the cache was filled anew."""

    @property
    def sound(self) -> bool:
        wrong = self.undecided or self.counts or self.cache_fault or self.is_cut_short
        return not (self.archive.faults or wrong)

    @property
    def repaired(self) -> bool:
        """Whether nothing is wrong any more, as far as can be known."""
        return (
            self.is_told_by_the_archive
            and self.kept_again == self.counts.get(Kind.ONLY_HERE, 0)
            and (self.is_rebuilt or not self.is_spoilt)
        )

    @property
    def is_spoilt(self) -> bool:
        """Whether only a cache that is filled anew is right."""
        return bool(self.cache_fault or self.counts.keys() - {Kind.ONLY_HERE})

    @property
    def is_told_by_the_archive(self) -> bool:
        """Whether it has, or has again, all that the cache has."""
        unknown = self.is_cut_short or Kind.LOST in self.counts
        return not (self.archive.faults or self.undecided or unknown)


@frozen
class VerifyEvidence:
    archive: EvidenceArchive
    cache: EvidenceCache
    renew: RenewCache
    alone: Alone
    access: Access
    clock: Clock
    telling: Telling
    kept_for: timedelta

    async def __call__(self, work: LongWork, *, repair: bool, by: Caller) -> EvidenceVerified:
        await self.access.permit(by, "evidence:verify", "evidence")
        if not repair:
            return await self._compared(work, keeps=False)
        await self.access.permit(by, "evidence:rebuild", "evidence")
        # Whoever throws the cache away meanwhile would throw away what is to be kept again.
        async with self.alone.held():
            return await self._repaired(work)

    async def _repaired(self, work: LongWork) -> EvidenceVerified:
        verified = await self._compared(work, keeps=True)
        if verified.is_spoilt and verified.is_told_by_the_archive:
            return evolve(verified, is_rebuilt=await self._is_rebuilt(work))
        return verified

    async def _compared(self, work: LongWork, *, keeps: bool) -> EvidenceVerified:
        inspected = await self.archive.inspect(told_to(work, "reading the archive"))
        comparison = Comparison(self.archive, self.cache, self.telling, keeps=keeps)
        fault = await self._cache_fault()
        await comparison.of_the_cache(work)
        if fault is None:
            # What a damaged cache lacks says nothing.
            await comparison.of_the_archive(work, self.clock, self.kept_for)
        return comparison.verified(inspected, fault)

    async def _cache_fault(self) -> str | None:
        try:
            await self.cache.check()
        except Damaged as error:
            return error.because
        return None

    async def _is_rebuilt(self, work: LongWork) -> bool:
        """Not if a part of the archive is damaged by now: then nothing is thrown away."""
        try:
            await self.renew(work)
        except (Damaged, NotReadable):
            return False
        return True


@define
class Comparison:
    archive: EvidenceArchive
    cache: EvidenceCache
    telling: Telling
    keeps: bool
    """Whether the archive is to keep again what only the cache has."""
    _compared: int = field(default=0, init=False)
    _undecided: int = field(default=0, init=False)
    _is_cut_short: bool = field(default=False, init=False)
    _kept: int = field(default=0, init=False)
    _counts: Counter[Kind] = field(factory=Counter, init=False)
    _first: dict[EvidenceId, Kind] = field(factory=dict, init=False)
    _is_in_vain: bool = field(default=False, init=False)
    """Whether of the last that were asked for nothing could be read, one by one."""

    async def of_the_cache(self, work: LongWork) -> None:
        """What it shows must be what the archive has."""
        work.begin("comparing what is at hand with the archive")
        try:
            async for ids in self.cache.ids():
                await self._compare([name for name in ids if name != MARK.evidence_id])
                work.reached(self._compared)
        except Damaged:
            self._is_cut_short = True

    async def of_the_archive(self, work: LongWork, clock: Clock, kept_for: timedelta) -> None:
        """What it has must be at hand, but for what has ended, or is on its way."""
        now = clock.now()
        progressed = told_to(work, "looking whether all that is to be at hand is")
        # What cannot be read is told by the inspection.
        with suppress(Damaged, NotReadable):
            async for evidence in self.archive.recorded_since(now - kept_for, progressed):
                wanted = [one for one in evidence if one.recorded_at <= now - ON_ITS_WAY]
                there = await self._there(wanted)
                self._note(Kind.MISSING, _lasting(wanted, clock.now() - kept_for).difference(there))

    def verified(self, inspected: Inspected, cache_fault: str | None) -> EvidenceVerified:
        return EvidenceVerified(
            archive=inspected,
            compared=self._compared,
            undecided=self._undecided,
            cache_fault=cache_fault,
            is_cut_short=self._is_cut_short,
            counts=self._counts,
            differences=self._first,
            kept_again=self._kept,
        )

    async def _compare(self, ids: Sequence[EvidenceId]) -> None:
        known, undecided = await self._known(ids)
        ids = [name for name in ids if name not in undecided]
        self._undecided += len(undecided)
        self._compared += len(ids)
        shown, spoilt = await damage_apart(self.cache.named, ids)
        told, untold = await damage_apart(self.cache.told, ids)
        self._note(Kind.LOST, spoilt.keys() - known.keys())
        self._note(Kind.DAMAGED, (spoilt.keys() & known.keys()) | (untold.keys() - spoilt.keys()))
        self._note(Kind.DIFFERENT, set(_different(known, shown, told, self.telling)))
        await self._only_here([one for name, one in shown.items() if name not in known])

    async def _known(self, ids: Sequence[EvidenceId]) -> Known:
        """A batch that is damaged may hold any of them, and is not read again for each."""
        if not self._is_in_vain:
            known, undecided = await damage_apart(self.archive.named, ids)
            self._is_in_vain = len(undecided) == len(ids) > 1
            return known, undecided
        try:
            known = await self.archive.named(ids)
        except (Damaged, NotReadable):
            return {}, ids
        self._is_in_vain = False
        return known, ()

    async def _only_here(self, evidence: Sequence[Evidence]) -> None:
        self._note(Kind.ONLY_HERE, [one.evidence_id for one in evidence])
        if self.keeps and evidence:
            await self.archive.keep(evidence)
            self._kept += len(evidence)

    async def _there(self, evidence: Iterable[Evidence]) -> set[EvidenceId]:
        ids = [one.evidence_id for one in evidence]
        shown, spoilt = await damage_apart(self.cache.named, ids)
        return shown.keys() | spoilt.keys()

    def _note(self, kind: Kind, names: Collection[EvidenceId]) -> None:
        if names:
            self._counts[kind] += len(names)
            room = MOST_TOLD - len(self._first)
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
