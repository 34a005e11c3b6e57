"""Sifting evidence: every report is checked, and what belongs to the sample is told apart."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime

from attrs import field, frozen

from application.evidence.outcomes import Fate, Outcome, Rejected
from domain.evidence.evidence import Evidence, is_kept
from domain.evidence.report import EvidenceReport
from domain.evidence.validated_values import ValidatedValueCache


@frozen
class Sifted:
    outcomes: Sequence[Outcome]
    """What becomes of each report, in their order."""
    kept: Sequence[Evidence]


Sift = Callable[[datetime], Awaitable[Sifted]]
"""Sifts what was sent, wherever that is done, as of the moment when it came."""


@frozen
class Sieve:
    """Knows nothing but the rate: the same reports are sifted alike in every process."""

    pass_rate: float
    _validated: ValidatedValueCache = field(factory=ValidatedValueCache)

    def here(self, reports: Sequence[EvidenceReport]) -> Sift:
        async def sift(at: datetime) -> Sifted:
            return self.sifted(reports, at)

        return sift

    def sifted(self, reports: Sequence[EvidenceReport], at: datetime) -> Sifted:
        """Fifty thousand reports a second pass here: what is not wrong costs little."""
        outcomes, kept = list[Outcome](), list[Evidence]()
        is_known_valid, rate = self._validated.is_known_valid, self.pass_rate
        for report in reports:
            if not is_known_valid(report, at):
                if violations := [*report.violations(at=at)]:
                    outcomes.append(Rejected(violations))
                    continue
                self._validated.add(report)
            if is_kept(report[0] or "", report[3] or "", rate):
                outcomes.append(Fate.KEPT)
                kept.append(report.evidence(recorded_at=at))
            else:
                outcomes.append(Fate.SAMPLED_OUT)
        return Sifted(outcomes, kept)
