"""The read model of incidents."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from attrs import field, frozen

from application.reads.paging import Page, PageRequest
from domain.ids import DatasetUrn, EvidenceId, FailureSignature, IncidentId, SignalType
from domain.incident.severity import Severity
from domain.incident.values import (
    Concern,
    Implicated,
    IncidentStatus,
    Notifications,
    Resolution,
    every_concern,
)
from domain.lineage.blast_radius import BlastRadius


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
