"""
An incident: one span of time in which a dataset broke its promise.

This file holds its facts, its state and how one follows from the other. `decisions.py` has what
may happen next.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Self, assert_never

from attrs import evolve, field, frozen

from domain.ids import DatasetUrn, EvidenceId, FailureSignature, IncidentId, SignalType
from domain.incident.severity import Severity
from domain.incident.values import (
    UNRESOLVED,
    Concern,
    Implicated,
    IncidentStatus,
    Notifications,
    Resolution,
    as_duplicate,
)
from domain.lineage.blast_radius import BlastRadius

# Facts. Names and fields are the storage format: to change one, add an upcast.


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
    reason: str | None = None


@frozen
class Snoozed:
    until: datetime
    reason: str | None = None


@frozen
class Woken:
    reason: str | None = None


@frozen
class Merged:
    """It is a duplicate of another incident, which has absorbed it."""

    into: IncidentId
    at: datetime
    reason: str | None = None


@frozen
class Absorbed:
    """Another incident was merged into this one; of its evidence, what is new here."""

    incident: IncidentId
    concerns: tuple[Concern, ...]
    evidence: tuple[EvidenceId, ...] = ()
    reason: str | None = None


@frozen
class SplitOff:
    """It is on its own again."""

    origin: IncidentId
    at: datetime
    reason: str | None = None


@frozen
class Released:
    """What was absorbed with the incident is its own again; evidence stays."""

    incident: IncidentId
    reason: str | None = None


Course = Opened | Acknowledged | Resolved | Reopened | Merged | SplitOff
"""What an incident goes through."""

Growth = SignalsAttached | SignaturesAttached | EvidenceAttached | Absorbed | Released
"""What it is about."""

Words = Assigned | SeverityChanged | Noted | Explained | NotificationsLinked | Snoozed | Woken
"""What is said of it."""

IncidentFact = Course | Growth | Words


@frozen
class IncidentState:
    """`Incident` adds what may happen next."""

    status: IncidentStatus = IncidentStatus.UNOPENED
    version: int = 0
    dataset: DatasetUrn = field(default=DatasetUrn(""))
    signals: tuple[SignalType, ...] = ()
    signatures: tuple[FailureSignature, ...] = ()
    evidence: tuple[EvidenceId, ...] = ()
    severity: Severity = Severity.SEV_3
    oncall_user: str | None = None
    last_note: str | None = None
    rca_summary: str | None = None
    notifications: Notifications = field(factory=Notifications)
    resolution: Resolution | None = None
    resolved_at: datetime | None = None
    snoozed_until: datetime | None = None
    merged_into: IncidentId | None = None
    elsewhere: tuple[Concern, ...] = ()
    """What was attached of other datasets than its own."""
    absorbed: Mapping[IncidentId, tuple[Concern, ...]] = field(factory=dict)

    @property
    def is_open(self) -> bool:
        return self.status in UNRESOLVED

    # Evolution: what has happened. Never refuses.

    def after(self, fact: IncidentFact) -> Self:
        return evolve(self._moved(fact), version=self.version + 1)

    def _moved(self, fact: IncidentFact) -> Self:
        match fact:
            case Opened():
                return type(self)(
                    status=IncidentStatus.OPEN,
                    dataset=fact.dataset,
                    signals=fact.signals,
                    signatures=fact.signatures,
                    evidence=fact.evidence,
                    severity=fact.severity,
                )
            case Acknowledged():
                return evolve(self, status=IncidentStatus.ACKNOWLEDGED)
            case Resolved(resolution, at):
                return self._ended(resolution, at)
            case Merged(into, at):
                return evolve(self._ended(as_duplicate(into), at), merged_into=into)
            case Reopened() | SplitOff():
                return evolve(
                    self,
                    status=IncidentStatus.OPEN,
                    resolution=None,
                    resolved_at=None,
                    merged_into=None,
                )
            case _:
                return self._grown(fact)

    def _ended(self, resolution: Resolution, at: datetime) -> Self:
        return evolve(
            self,
            status=IncidentStatus.RESOLVED,
            resolution=resolution,
            resolved_at=at,
            snoozed_until=None,
        )

    def _grown(self, fact: Growth | Words) -> Self:
        match fact:
            case SignalsAttached(signals, dataset) if dataset is not None:
                foreign = Concern(dataset, signals)
                return evolve(self, elsewhere=(*self.elsewhere, foreign))
            case SignalsAttached(signals):
                return evolve(self, signals=self.signals + signals)
            case SignaturesAttached(signatures, dataset) if dataset is not None:
                foreign = Concern(dataset, signatures=signatures)
                return evolve(self, elsewhere=(*self.elsewhere, foreign))
            case SignaturesAttached(signatures):
                return evolve(self, signatures=self.signatures + signatures)
            case EvidenceAttached(evidence):
                return evolve(self, evidence=self.evidence + evidence)
            case Absorbed(incident, concerns, evidence):
                absorbed = {**self.absorbed, incident: concerns}
                return evolve(self, absorbed=absorbed, evidence=self.evidence + evidence)
            case Released(incident):
                rest = {name: was for name, was in self.absorbed.items() if name != incident}
                return evolve(self, absorbed=rest)
            case _:
                return self._told(fact)

    def _told(self, fact: Words) -> Self:
        match fact:
            case Assigned(oncall_user):
                return evolve(self, oncall_user=oncall_user)
            case SeverityChanged(severity):
                return evolve(self, severity=severity)
            case Noted(text):
                return evolve(self, last_note=text)
            case Explained(rca_summary):
                return evolve(self, rca_summary=rca_summary)
            case NotificationsLinked(notifications):
                return evolve(self, notifications=notifications.over(self.notifications))
            case Snoozed(until):
                return evolve(self, snoozed_until=until)
            case Woken():
                return evolve(self, snoozed_until=None)
            case _:
                assert_never(fact)
