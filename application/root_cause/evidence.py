"""The evidence that an incident names (S0-210)."""

from collections.abc import Sequence
from datetime import datetime

from attrs import frozen

from application.caller import Caller
from application.evidence import ReadEvidence, Shown
from application.evidence.reading import Readable
from application.root_cause.part import EVIDENCE, Part
from domain.ids import EvidenceId

NOTHING = Readable({})


@frozen
class EvidenceSample:
    found: Sequence[Shown]
    """In the order in which the incident names them."""
    missing: Sequence[EvidenceId]
    """Named, but nowhere: never sent, not part of the sample, or forgotten."""
    unread: Sequence[EvidenceId] = ()
    """Named, and neither at hand nor could it be looked for: they may be there or not."""


@frozen
class ReadSample:
    read_evidence: ReadEvidence

    async def __call__(
        self, names: Sequence[EvidenceId], upto: datetime | None, *, by: Caller
    ) -> Part[EvidenceSample]:
        """What can be read under the names; with a moment, only what was recorded by then."""
        found = await self.read_evidence.as_far_as_possible(names, by=by) if names else NOTHING
        unread = set(found.unread)
        known = {
            name: shown
            for name, shown in found.shown.items()
            if upto is None or shown.evidence.recorded_at <= upto
        }
        sample = EvidenceSample(
            [known[name] for name in names if name in known],
            [name for name in names if name not in known and name not in unread],
            [name for name in names if name in unread],
        )
        if found.error is not None and not sample.found:
            raise found.error
        return Part(sample, EVIDENCE, 0.0, missing=found.error)
