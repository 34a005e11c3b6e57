"""The read model of incidents, and how a fact changes a view."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Protocol

from attrs import evolve, field, frozen

from application.reads.paging import Page, PageRequest
from application.recorded import Recorded
from domain.ids import DatasetUrn, EvidenceId, FailureSignature, IncidentId, SignalType
from domain.incident import incident
from domain.incident.incident import IncidentFact
from domain.incident.severity import Severity
from domain.incident.values import (
    Concern,
    Implicated,
    IncidentStatus,
    Notifications,
    Resolution,
    as_duplicate,
    every_concern,
)
from domain.lineage.blast_radius import BlastRadius
from domain.retention import KEPT_FOR
from domain.stream_categories import incident_of


@frozen
class IncidentKey:
    incident: IncidentId


@frozen
class IncidentView:
    incident: IncidentId
    status: IncidentStatus
    severity: Severity
    title: str
    created_at: datetime
    updated_at: datetime
    dataset: DatasetUrn
    signals: tuple[SignalType, ...]
    signatures: tuple[FailureSignature, ...]
    owner_team: str
    version: int
    acknowledged_at: datetime | None = None
    """When somebody first took notice."""
    resolved_at: datetime | None = None
    implicated: Implicated | None = None
    notifications: Notifications = field(factory=Notifications)
    primary_evidence: EvidenceId | None = None
    evidence: tuple[EvidenceId, ...] = ()
    blast_radius: BlastRadius | None = None
    """How far it reached when it opened."""
    rca_summary: str | None = None
    oncall_user: str | None = None
    resolution: Resolution | None = None
    snoozed_until: datetime | None = None
    merged_into: IncidentId | None = None
    elsewhere: tuple[Concern, ...] = ()
    """What it is about of other datasets than its own."""
    absorbed: Mapping[IncidentId, tuple[Concern, ...]] = field(factory=dict)
    """What it is about since other incidents were merged into it."""
    ends_at: datetime | None = None
    """When the view expires; never while the incident is open."""

    @property
    def concerns(self) -> tuple[Concern, ...]:
        own = Concern(self.dataset, self.signals, self.signatures)
        return every_concern(own, self.elsewhere, self.absorbed)

    @property
    def mtta_seconds(self) -> float | None:
        """How long it took until somebody took notice."""
        return _seconds(self.created_at, self.acknowledged_at)

    @property
    def mttr_seconds(self) -> float | None:
        """How long it took until it was resolved, for the last time if it was reopened."""
        return _seconds(self.created_at, self.resolved_at)


def _seconds(since: datetime, until: datetime | None) -> float | None:
    return None if until is None else max((until - since).total_seconds(), 0.0)


# The view after a fact.


def card_after(
    card: IncidentView | None, recorded: Recorded, kept: timedelta = KEPT_FOR.incidents
) -> IncidentView:
    """The card after one more fact of its incident."""
    if isinstance(recorded.fact, incident.Opened):
        return _opened(recorded, recorded.fact)
    assert card is not None, f"{recorded.stream} does not begin with its opening"
    fact = recorded.fact
    changed = {**_moved(card, fact, kept), **_told(card, fact), **_attached(card, fact)}
    return evolve(card, updated_at=recorded.at, version=recorded.version, **changed)


def _opened(recorded: Recorded, fact: incident.Opened) -> IncidentView:
    return IncidentView(
        incident=incident_of(recorded.stream),
        status=IncidentStatus.OPEN,
        severity=fact.severity,
        title=fact.title,
        created_at=fact.at,
        updated_at=recorded.at,
        dataset=fact.dataset,
        signals=fact.signals,
        signatures=fact.signatures,
        owner_team=fact.owner_team,
        version=recorded.version,
        implicated=fact.implicated,
        primary_evidence=fact.primary_evidence,
        evidence=fact.evidence,
        blast_radius=fact.blast_radius,
    )


def _moved(card: IncidentView, fact: IncidentFact, kept: timedelta) -> dict[str, Any]:
    """What a fact does to the status."""
    match fact:
        case incident.Acknowledged(at):
            first = card.acknowledged_at or at
            return {"status": IncidentStatus.ACKNOWLEDGED, "acknowledged_at": first}
        case incident.Resolved(resolution, at):
            return _ended(resolution, at, kept)
        case incident.Merged(into, at):
            return {**_ended(as_duplicate(into), at, kept), "merged_into": into}
        case incident.Reopened() | incident.SplitOff():
            return {
                "status": IncidentStatus.OPEN,
                "resolution": None,
                "resolved_at": None,
                "merged_into": None,
                "ends_at": None,
            }
        case _:
            return {}


def _ended(resolution: Resolution, at: datetime, kept: timedelta) -> dict[str, Any]:
    return {
        "status": IncidentStatus.RESOLVED,
        "resolution": resolution,
        "resolved_at": at,
        "ends_at": at + kept,
        "snoozed_until": None,
    }


def _told(card: IncidentView, fact: IncidentFact) -> dict[str, Any]:
    """What a fact says beside the status. Notes stand in the timeline only."""
    match fact:
        case incident.Assigned(oncall_user):
            return {"oncall_user": oncall_user}
        case incident.SeverityChanged(severity):
            return {"severity": severity}
        case incident.Explained(rca_summary):
            return {"rca_summary": rca_summary}
        case incident.NotificationsLinked(notifications):
            return {"notifications": notifications.over(card.notifications)}
        case incident.Snoozed(until):
            return {"snoozed_until": until}
        case incident.Woken():
            return {"snoozed_until": None}
        case _:
            return {}


def _attached(card: IncidentView, fact: IncidentFact) -> dict[str, Any]:
    """What it is about from this fact on."""
    match fact:
        case incident.SignalsAttached(signals, None):
            return {"signals": card.signals + signals}
        case incident.SignaturesAttached(signatures, None):
            return {"signatures": card.signatures + signatures}
        case incident.SignalsAttached(signals, dataset) if dataset:
            return {"elsewhere": (*card.elsewhere, Concern(dataset, signals))}
        case incident.SignaturesAttached(signatures, dataset) if dataset:
            return {"elsewhere": (*card.elsewhere, Concern(dataset, (), signatures))}
        case incident.EvidenceAttached(evidence):
            return _with_evidence(card, evidence)
        case incident.Absorbed(name, concerns, evidence):
            absorbed = {**card.absorbed, name: concerns}
            return {"absorbed": absorbed, **_with_evidence(card, evidence)}
        case incident.Released(name):
            rest = {other: was for other, was in card.absorbed.items() if other != name}
            return {"absorbed": rest}
        case _:
            return {}


def _with_evidence(card: IncidentView, more: tuple[EvidenceId, ...]) -> dict[str, Any]:
    return {
        "evidence": card.evidence + more,
        "primary_evidence": card.primary_evidence or next(iter(more), None),
    }


@frozen
class OpenFaultsKey:
    dataset: DatasetUrn


@frozen
class OpenFaults:
    """The faults of a dataset that have an open incident, and which."""

    dataset: DatasetUrn
    held: Mapping[FailureSignature, IncidentId] = field(factory=dict)


@frozen
class IncidentFilter:
    """Which incidents are wanted. What is left out does not matter."""

    statuses: tuple[IncidentStatus, ...] = ()
    severities: tuple[Severity, ...] = ()
    dataset: DatasetUrn | None = None
    owner_team: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    """Of when they were opened, both ends included."""


class IncidentReadModel(Protocol):
    async def find(self, incident: IncidentId) -> IncidentView | None:
        """Return the view, None if there is no such incident."""
        ...

    async def find_many(
        self, incidents: Collection[IncidentId]
    ) -> Mapping[IncidentId, IncidentView]:
        """Return the views of many incidents at once, of those that exist."""
        ...

    async def matching(self, wanted: IncidentFilter, page: PageRequest) -> Page[IncidentView]:
        """Return the incidents that fit.

        A dataset's come newest first; all others by status (OPEN, ACKNOWLEDGED, RESOLVED), the
        most severe first, then the oldest.
        """
        ...

    async def open_of(self, dataset: DatasetUrn) -> Sequence[IncidentView]:
        """Return what is open for a dataset, most severe and oldest first."""
        ...
