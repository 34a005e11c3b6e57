"""The evidence that an incident names (S0-210)."""

from collections.abc import Sequence
from datetime import datetime

from attrs import frozen

from application.caller import Caller
from application.evidence import ReadEvidence, Shown
from domain.ids import EvidenceId


@frozen
class EvidenceSample:
    found: Sequence[Shown]
    """In the order in which the incident names them."""
    missing: Sequence[EvidenceId]
    """Named, but nowhere: never sent, not part of the sample, or forgotten."""


@frozen
class ReadSample:
    read_evidence: ReadEvidence

    async def __call__(
        self, names: Sequence[EvidenceId], upto: datetime | None, *, by: Caller
    ) -> EvidenceSample:
        """What there is under the names; with a moment, only what was recorded by then."""
        found = await self.read_evidence(names, by=by) if names else {}
        known = {
            name: shown
            for name, shown in found.items()
            if upto is None or shown.evidence.recorded_at <= upto
        }
        return EvidenceSample(
            [known[name] for name in names if name in known],
            [name for name in names if name not in known],
        )
