"""Incidents: what is wrong, who works on it, how it ended."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from statestore_client.enums import Confidence, Impact, IncidentStatus, Reason, Severity
from statestore_client.models.answers import Answer


@dataclass(frozen=True, slots=True)
class ImplicatedProducer:
    producer_id: str
    version: str | None = None
    confidence: Confidence | None = None
    deployed_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BlastRadius:
    downstream_count: int
    downstream_services: tuple[str, ...]
    """The nearest of them, at most 100."""
    estimated_impact: Impact


@dataclass(frozen=True, slots=True, kw_only=True)
class NotificationState:
    """Ids in other systems."""

    pagerduty_incident_id: str | None = None
    slack_thread_ts: str | None = None
    jira_ticket: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """How an incident ended. Who resolved it is whoever says so, if nothing else is said."""

    root_cause: str
    mitigation: str | None = None
    resolved_by: str | None = None
    false_positive: bool = False
    reason: Reason | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Concern:
    """What of a dataset an incident is about."""

    dataset_urn: str
    signal_types: tuple[str, ...]
    failure_signatures: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedIncident:
    incident_id: str
    concerns: tuple[Concern, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    incident_id: str
    status: IncidentStatus
    severity: Severity
    title: str
    created_at: datetime
    updated_at: datetime | None
    acknowledged_at: datetime | None
    resolved_at: datetime | None
    primary_dataset_urn: str
    signal_types: tuple[str, ...]
    failure_signatures: tuple[str, ...]
    implicated_producer: ImplicatedProducer | None
    blast_radius: BlastRadius | None
    """When the incident opened."""
    notification_state: NotificationState | None
    primary_evidence_id: str | None
    evidence_sample: tuple[str, ...]
    rca_summary: str | None
    owner_team: str | None
    oncall_user: str | None
    resolution: Resolution | None
    snoozed_until: datetime | None
    merged_into: str | None
    merged_incidents: tuple[MergedIncident, ...]
    related: tuple[Concern, ...]
    """What was attached of other datasets."""
    mtta_seconds: float | None
    """Until somebody first took notice."""
    mttr_seconds: float | None
    """Until it was resolved."""
    ttl: int | None
    version: int
    joined: bool = field(default=False, compare=False)
    """Of an answer to `create`: whether it had been open for this fault before."""
    answer: Answer | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineEntry:
    """Something that happened: who, when, what."""

    at: datetime
    actor: str
    event_type: str
    details: Mapping[str, Any]
    version: int
    position: str
    event_id: str
    causation_id: str | None
    """The event that made a policy act; None if it was asked for."""
    request_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentImpact:
    """Who is affected: when it opened, and now."""

    incident_id: str
    primary_dataset_urn: str
    then: BlastRadius | None
    now: BlastRadius | None
    answer: Answer | None = field(default=None, compare=False)
