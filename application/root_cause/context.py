"""What a root-cause context says."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from attrs import fields, frozen

from application.incidents.read_model import IncidentView
from application.root_cause.breach import Breach
from application.root_cause.config_changes import ConfigChanges
from application.root_cause.deploys import Deploys
from application.root_cause.downstream import Radii
from application.root_cause.evidence_sample import EvidenceSample
from application.root_cause.part import AnyPart, Part
from application.root_cause.related_incidents import Related
from application.root_cause.signal_histories import SignalCourse
from application.root_cause.writers_and_readers import Tied
from domain.root_cause.suspects import Suspicion


@frozen
class Parts:
    """What was found beside the incident, each as it came."""

    breach: Part[Breach]
    evidence: Part[EvidenceSample]
    writers: Part[Sequence[Tied]]
    readers: Part[Sequence[Tied]]
    blast_radius_at_opening: Part[Radii]
    blast_radius_current: Part[Radii]
    signals: Part[Sequence[SignalCourse]]
    config_changes: Part[ConfigChanges]
    deploys: Part[Deploys]
    related: Part[Related]

    def each(self) -> Iterator[tuple[str, AnyPart]]:
        for one in fields(Parts):
            yield one.name, getattr(self, one.name)


RESTED_ON = ("breach", "evidence", "signals", "deploys", "writers")
"""The parts that say something about the cause."""


@frozen
class Cause:
    suspicion: Suspicion
    without: Sequence[str]
    """The parts that would have had a say, and are missing."""


@frozen
class Context:
    incident: IncidentView
    opened: datetime
    """When it was recorded that it was opened."""
    breach: Breach
    """As far as it is known: when it was opened, where the part is missing."""
    parts: Parts
    cause: Cause
    position: int
    """How far in the log the incident was read."""
    as_of: datetime | None = None

    @property
    def missing(self) -> Sequence[tuple[str, AnyPart]]:
        return [(name, part) for name, part in self.parts.each() if not part.is_there]

    @property
    def complete(self) -> bool:
        return not self.missing
