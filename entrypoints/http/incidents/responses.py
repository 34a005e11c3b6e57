"""Incidents as callers see them."""

from typing import Annotated, Any

from attrs import asdict
from pydantic import BaseModel, Field

from application.incidents.queries import Happening
from application.incidents.read_model import IncidentView
from application.lineage.blast_radius import ThenAndNow
from application.reads.position import Position
from application.recorded import ERASED
from domain.incident.severity import Severity
from domain.incident.values import Concern, Implicated, IncidentStatus, Reason, Resolution
from domain.lineage.blast_radius import BlastRadius, EstimatedImpact
from domain.signal.evaluation import Confidence
from domain.timestamps import stamp, stamp_or_none
from entrypoints.http.datasets.responses import NextPage
from entrypoints.http.description.examples import DATASET
from entrypoints.http.validation.timestamps import Stamp
from entrypoints.interfaces.timelines import HAPPENED, details

Standing = Annotated[
    IncidentStatus, Field(json_schema_extra={"enum": [str(s) for s in list(IncidentStatus)[1:]]})
]


class ImplicatedProducerAnswer(BaseModel):
    producer_id: str
    version: str | None
    confidence: Confidence | None
    deployed_at: Stamp | None

    @classmethod
    def of(cls, implicated: Implicated) -> "ImplicatedProducerAnswer":
        producer = implicated.producer
        return cls(
            producer_id=producer.producer_id,
            version=producer.version,
            confidence=producer.confidence,
            deployed_at=stamp_or_none(implicated.deployed_at),
        )


class BlastRadiusAnswer(BaseModel):
    downstream_count: int
    downstream_services: list[str] = Field(description="The nearest of them, at most 100.")
    estimated_impact: EstimatedImpact

    @classmethod
    def of(cls, radius: BlastRadius) -> "BlastRadiusAnswer":
        return cls(
            downstream_count=radius.downstream_count,
            downstream_services=list(radius.downstream_services),
            estimated_impact=radius.estimated_impact,
        )


class IncidentImpactResponse(BaseModel):
    incident_id: str
    primary_dataset_urn: str
    then: BlastRadiusAnswer | None = Field(description="As it was when the incident opened.")
    now: BlastRadiusAnswer

    @classmethod
    def of(cls, told: ThenAndNow) -> "IncidentImpactResponse":
        return cls(
            incident_id=told.incident,
            primary_dataset_urn=told.dataset,
            then=BlastRadiusAnswer.of(told.then) if told.then else None,
            now=BlastRadiusAnswer.of(told.now),
        )


class NotificationStateAnswer(BaseModel):
    pagerduty_incident_id: str | None
    slack_thread_ts: str | None
    jira_ticket: str | None


class ResolutionAnswer(BaseModel):
    root_cause: str
    mitigation: str | None
    resolved_by: str | None
    false_positive: bool
    reason: Reason

    @classmethod
    def of(cls, resolution: Resolution) -> "ResolutionAnswer":
        return cls(**asdict(resolution))


class ConcernAnswer(BaseModel):
    """What of a dataset it is about."""

    dataset_urn: str = Field(examples=[DATASET])
    signal_types: list[str]
    failure_signatures: list[str]

    @classmethod
    def of(cls, concern: Concern) -> "ConcernAnswer":
        return cls(
            dataset_urn=concern.dataset,
            signal_types=list(concern.signals),
            failure_signatures=list(concern.signatures),
        )


class AbsorbedAnswer(BaseModel):
    """An incident that was merged into this one, and what it was about."""

    incident_id: str
    concerns: list[ConcernAnswer]


class IncidentSummary(BaseModel):
    incident_id: str = Field(examples=["INC-7721"])
    status: Standing
    severity: Severity
    title: str
    created_at: Stamp

    @classmethod
    def summing_up(cls, card: IncidentView) -> "IncidentSummary":
        return cls(**_summary(card))


def _summary(card: IncidentView) -> dict[str, Any]:
    return {
        "incident_id": card.incident,
        "status": card.status,
        "severity": card.severity,
        "title": card.title,
        "created_at": stamp(card.created_at),
    }


class Incident(IncidentSummary):
    updated_at: Stamp
    acknowledged_at: Stamp | None
    resolved_at: Stamp | None
    primary_dataset_urn: str = Field(examples=[DATASET])
    signal_types: list[str]
    failure_signatures: list[str]
    implicated_producer: ImplicatedProducerAnswer | None
    blast_radius: BlastRadiusAnswer | None = Field(description="When the incident opened.")
    notification_state: NotificationStateAnswer
    primary_evidence_id: str | None
    evidence_sample: list[str]
    rca_summary: str | None
    owner_team: str
    oncall_user: str | None
    resolution: ResolutionAnswer | None
    snoozed_until: Stamp | None = Field(description="Nobody need look at it before.")
    merged_into: str | None = Field(description="The incident it is a duplicate of.")
    merged_incidents: list[AbsorbedAnswer] = Field(description="Those merged into it.")
    related: list[ConcernAnswer] = Field(description="What was attached of other datasets.")
    mtta_seconds: float | None = Field(description="Until somebody first took notice.")
    mttr_seconds: float | None = Field(description="Until it was resolved.")
    ttl: int | None = Field(description="When lists forget it, in seconds since 1970.")
    version: int

    @classmethod
    def of(cls, card: IncidentView) -> "Incident":
        return cls(**_whole(card))


class IncidentOpenedResponse(Incident):
    """The incident that is open now."""

    joined: bool = Field(description="Whether it had been open for this fault before.")

    @classmethod
    def opened(cls, card: IncidentView, *, joined: bool) -> "IncidentOpenedResponse":
        return cls(joined=joined, **_whole(card))


def _whole(card: IncidentView) -> dict[str, Any]:
    return {
        **_summary(card),
        "updated_at": stamp(card.updated_at),
        "acknowledged_at": stamp_or_none(card.acknowledged_at),
        "resolved_at": stamp_or_none(card.resolved_at),
        "primary_dataset_urn": card.dataset,
        "signal_types": list(card.signals),
        "failure_signatures": list(card.signatures),
        "implicated_producer": card.implicated and ImplicatedProducerAnswer.of(card.implicated),
        "blast_radius": card.blast_radius and BlastRadiusAnswer.of(card.blast_radius),
        "notification_state": NotificationStateAnswer(**asdict(card.notifications)),
        "primary_evidence_id": card.primary_evidence,
        "evidence_sample": list(card.evidence),
        "rca_summary": card.rca_summary,
        "owner_team": card.owner_team,
        "oncall_user": card.oncall_user,
        "resolution": card.resolution and ResolutionAnswer.of(card.resolution),
        "snoozed_until": stamp_or_none(card.snoozed_until),
        "merged_into": card.merged_into,
        "merged_incidents": [
            AbsorbedAnswer(incident_id=name, concerns=list(map(ConcernAnswer.of, concerns)))
            for name, concerns in card.absorbed.items()
        ],
        "related": list(map(ConcernAnswer.of, card.elsewhere)),
        "mtta_seconds": card.mtta_seconds,
        "mttr_seconds": card.mttr_seconds,
        "ttl": int(card.ends_at.timestamp()) if card.ends_at else None,
        "version": card.version,
    }


def incident_tag(card: IncidentView) -> str:
    """Another one whenever the answer is another one."""
    people = (card.oncall_user, card.resolution and card.resolution.resolved_by)
    return f'"{card.version}-erased"' if ERASED in people else f'"{card.version}"'


class IncidentListResponse(BaseModel):
    incidents: list[Incident]
    next_page_token: NextPage = None


class TimelineEntry(BaseModel):
    """Something that happened: who, when, what."""

    at: Stamp
    by: str
    what: str = Field(json_schema_extra={"enum": list(HAPPENED.values())})
    details: dict[str, Any] = Field(description="What the fact says.")
    version: int
    position: str
    event_id: str
    causation_id: str | None = Field(
        description="The event_id of the fact that made a policy act; null if it was asked for."
    )
    request_id: str = Field(
        description="Of the request it came with, or that made a policy act; empty if none."
    )

    @classmethod
    def of(cls, happening: Happening) -> "TimelineEntry":
        return cls(
            at=stamp(happening.at),
            by=happening.by,
            what=HAPPENED[type(happening.fact)],
            details=details(happening.fact),
            version=happening.version,
            position=Position(happening.position).token(),
            event_id=happening.event_id.hex(),
            causation_id=happening.causation_id,
            request_id=happening.correlation_id,
        )


class TimelineResponse(BaseModel):
    """The oldest first."""

    incident_id: str
    timeline: list[TimelineEntry]
    next_page_token: NextPage = None
