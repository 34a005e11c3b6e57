"""Taking evidence: every report is checked, and what belongs to the sample is kept."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from attrs import field, frozen

from application.caller import Caller
from application.evidence.keeper import EvidenceKeeper
from application.evidence.outcomes import Fate, Outcome, Rejected
from application.ports.access import Access
from application.ports.clock import Clock
from domain.errors import Violation
from domain.evidence import Evidence, is_kept
from domain.evidence_at_a_glance import Glance
from domain.evidence_contract import EvidenceReport

NOTHING_FOUND: Mapping[int, Sequence[Violation]] = {}


@frozen
class PutEvidence:
    keeper: EvidenceKeeper
    access: Access
    clock: Clock
    pass_rate: float
    _glance: Glance = field(factory=Glance)

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
        outcomes, kept = self._sifted(reports, found or NOTHING_FOUND, self.clock.now())
        if kept:
            await self.keeper.keep(kept)
        return outcomes

    def _sifted(
        self,
        reports: Sequence[EvidenceReport],
        found: Mapping[int, Sequence[Violation]],
        now: datetime,
    ) -> tuple[Sequence[Outcome], Sequence[Evidence]]:
        """Fifty thousand reports a second pass here: what is not wrong costs little."""
        outcomes, kept = list[Outcome](), list[Evidence]()
        is_right, rate = self._glance.is_right, self.pass_rate
        for index, report in enumerate(reports):
            if (found and index in found) or not is_right(report, now):
                violations = [*found.get(index, ()), *report.violations(at=now)]
                if violations:
                    outcomes.append(Rejected(violations))
                    continue
                self._glance.learn(report)
            if is_kept(report[0] or "", report[3] or "", rate):
                outcomes.append(Fate.KEPT)
                kept.append(report.evidence(recorded_at=now))
            else:
                outcomes.append(Fate.SAMPLED_OUT)
        return outcomes, kept
