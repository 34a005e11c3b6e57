"""The evidence that an incident names (S0-210)."""

from collections.abc import Callable, Sequence
from datetime import datetime

from attrs import frozen

from application.caller import Caller
from application.evidence import ReadEvidence, Shown
from application.evidence.queries import Readable
from application.root_cause.part import EVIDENCE, Part
from domain.ids import EvidenceId


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
    """The evidence under some names; with a moment, only what was recorded by then."""

    read_evidence: ReadEvidence
    names: Sequence[EvidenceId]
    upto: datetime | None

    async def __call__(
        self, *, by: Caller, at_hand: Callable[[EvidenceSample], None]
    ) -> Part[EvidenceSample]:
        """What can be read; `at_hand` is told what there is already, should the rest be late."""
        if not self.names:
            return Part(self._sample(Readable({})), EVIDENCE, 0.0)
        read = self.read_evidence.as_far_as_possible
        found = await read(self.names, by=by, at_hand=lambda hot: at_hand(self._sample(hot)))
        return Part(self._sample(found), EVIDENCE, 0.0, missing=found.error)

    def _sample(self, found: Readable) -> EvidenceSample:
        names, unread, upto = self.names, set(found.unread), self.upto
        known = {
            name: shown
            for name, shown in found.shown.items()
            if upto is None or shown.evidence.recorded_at <= upto
        }
        return EvidenceSample(
            [known[name] for name in names if name in known],
            [name for name in names if name not in known and name not in unread],
            [name for name in names if name in unread],
        )
