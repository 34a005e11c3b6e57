"""
What can happen to an incident.

Names and fields are the storage format: to change one, add an upcast.
"""

from datetime import datetime

from attrs import frozen

from domain.ids import DatasetUrn, EvidenceId, FailureSignature, IncidentId, SignalType
from domain.incident.severity import Severity
from domain.incident.values import Concern, Implicated, Notifications, Resolution
from domain.lineage.blast_radius import BlastRadius


@frozen
class Opened:
    dataset: DatasetUrn
    signals: tuple[SignalType, ...]
    signatures: tuple[FailureSignature, ...]
    severity: Severity
    title: str
    owner_team: str
    at: datetime
    implicated: Implicated | None = None
    evidence: tuple[EvidenceId, ...] = ()
    primary_evidence: EvidenceId | None = None
    blast_radius: BlastRadius | None = None


@frozen
class Acknowledged:
    at: datetime


@frozen
class Assigned:
    """Nobody, where there is no name."""

    oncall_user: str | None


@frozen
class SeverityChanged:
    severity: Severity


@frozen
class Noted:
    text: str


@frozen
class Explained:
    rca_summary: str


@frozen
class NotificationsLinked:
    """Only what is new."""

    notifications: Notifications


@frozen
class SignalsAttached:
    """Signals of the incident's own dataset, where none is named."""

    signals: tuple[SignalType, ...]
    dataset: DatasetUrn | None = None


@frozen
class SignaturesAttached:
    """Faults of the incident's own dataset, where none is named."""

    signatures: tuple[FailureSignature, ...]
    dataset: DatasetUrn | None = None


@frozen
class EvidenceAttached:
    evidence: tuple[EvidenceId, ...]


@frozen
class Resolved:
    resolution: Resolution
    at: datetime


@frozen
class Reopened:
    at: datetime
    because: str | None = None


@frozen
class Snoozed:
    until: datetime
    because: str | None = None


@frozen
class Woken:
    because: str | None = None


@frozen
class Merged:
    """It is a duplicate of another incident, which has absorbed it."""

    into: IncidentId
    at: datetime
    because: str | None = None


@frozen
class Absorbed:
    """Another incident was merged into this one; of its evidence, what is new here."""

    incident: IncidentId
    concerns: tuple[Concern, ...]
    evidence: tuple[EvidenceId, ...] = ()
    because: str | None = None


@frozen
class SplitOff:
    """It is on its own again."""

    origin: IncidentId
    at: datetime
    because: str | None = None


@frozen
class Released:
    """What was absorbed with the incident is its own again; evidence stays."""

    incident: IncidentId
    because: str | None = None


Course = Opened | Acknowledged | Resolved | Reopened | Merged | SplitOff
"""What an incident goes through."""

Growth = SignalsAttached | SignaturesAttached | EvidenceAttached | Absorbed | Released
"""What it is about."""

Words = Assigned | SeverityChanged | Noted | Explained | NotificationsLinked | Snoozed | Woken
"""What is said of it."""

IncidentFact = Course | Growth | Words
