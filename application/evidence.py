"""
Evidence in and out (S0-136..S0-138, S0-194).

Accepted means: what is kept of it is durable in the archive. The cache follows; what is not there,
or not any more, is read from the archive (S0-110).
"""

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum

from attrs import frozen

from application.caller import Caller
from application.paging import Page, PageRequest
from application.ports.access import Access
from application.ports.clock import Clock
from application.ports.evidence_archive import EvidenceArchive, EvidenceAsked
from application.ports.evidence_cache import EvidenceCache
from domain.errors import Violation
from domain.evidence import Evidence, is_kept
from domain.evidence_contract import EvidenceReport
from domain.ids import EvidenceId


class Fate(StrEnum):
    KEPT = "KEPT"
    SAMPLED_OUT = "SAMPLED_OUT"


@frozen
class Rejected:
    """Nothing of it was kept, whatever else came with it."""

    violations: Sequence[Violation]


Outcome = Fate | Rejected


@frozen
class Shown:
    evidence: Evidence
    archived: bool = False
    """Whether it has ended and was read from the archive."""


@frozen
class PutEvidence:
    archive: EvidenceArchive
    cache: EvidenceCache
    access: Access
    clock: Clock
    pass_rate: float

    async def __call__(
        self,
        reports: Sequence[EvidenceReport],
        *,
        found: Mapping[int, Sequence[Violation]] | None = None,
        by: Caller,
    ) -> Sequence[Outcome]:
        """What became of each report, in their order. One that is wrong does not stop the others.

        `found` came up while the reports were read, by their index.

        Raises:
            Overloaded: As much as there is room for waits to be kept; none of these is.
            Unavailable: The archive does not answer; none of these is known to be kept.
        """
        await self.access.permit(by, "evidence:put", "evidence")
        now, kept = self.clock.now(), list[Evidence]()
        outcomes = list[Outcome]()
        for index, report in enumerate(reports):
            violations = [*(found or {}).get(index, ()), *report.violations(at=now)]
            if violations:
                outcomes.append(Rejected(violations))
            elif is_kept(report.evidence_id or "", report.result or "", self.pass_rate):
                outcomes.append(Fate.KEPT)
                kept.append(report.evidence(recorded_at=now))
            else:
                outcomes.append(Fate.SAMPLED_OUT)
        if kept:
            await self.archive.keep(kept)
            await self.cache.put(kept)
        return outcomes


@frozen
class ReadEvidence:
    archive: EvidenceArchive
    cache: EvidenceCache
    access: Access

    async def __call__(
        self, ids: Collection[EvidenceId], *, by: Caller
    ) -> Mapping[EvidenceId, Shown]:
        """What there is under the ids."""
        await self.access.permit(by, "evidence:read", "evidence")
        hot = await self.cache.named(ids)
        cold = await self.archive.named([name for name in ids if name not in hot])
        return {
            **{name: Shown(one) for name, one in hot.items()},
            **{name: Shown(one, archived=True) for name, one in cold.items()},
        }


@frozen
class ListEvidence:
    archive: EvidenceArchive
    cache: EvidenceCache
    access: Access

    async def __call__(self, asked: EvidenceAsked, page: PageRequest, *, by: Caller) -> Page[Shown]:
        """What was created of a dataset in a span of time, the last first."""
        await self.access.permit(by, "evidence:read", asked.dataset)
        found = await self.archive.of_dataset(asked, page)
        hot = await self.cache.named([one.evidence_id for one in found.items])
        return found.map(lambda one: Shown(one, archived=one.evidence_id not in hot))
