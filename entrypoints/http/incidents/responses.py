"""Incidents as callers see them."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AliasPath, BaseModel, BeforeValidator, Field

from application.incidents.read_model import IncidentView
from application.recorded import ERASED
from domain.incident.severity import Severity
from domain.incident.values import IncidentStatus, ResolutionReason
from domain.lineage.blast_radius import EstimatedImpact
from domain.signal.evaluation import Confidence
from entrypoints.http.datasets.responses import NextPage
from entrypoints.http.description.examples import DATASET
from entrypoints.http.validation.timestamps import Stamp, UnixSeconds
from entrypoints.http.views import PositionToken, ViewResponse
from entrypoints.interfaces.timelines import HAPPENED
from entrypoints.interfaces.timelines import details as details_of

Standing = Annotated[
    IncidentStatus, Field(json_schema_extra={"enum": [str(s) for s in list(IncidentStatus)[1:]]})
]


class ImplicatedProducer(ViewResponse):
    producer_id: str = Field(validation_alias=AliasPath("producer", "producer_id"))
    version: str | None = Field(validation_alias=AliasPath("producer", "version"))
    confidence: Confidence | None = Field(validation_alias=AliasPath("producer", "confidence"))
    deployed_at: Stamp | None


class BlastRadius(ViewResponse):
    downstream_count: int
    downstream_services: list[str] = Field(description="The nearest of them, at most 100.")
    estimated_impact: EstimatedImpact


class IncidentImpactResponse(ViewResponse):
    incident_id: str = Field(validation_alias="incident")
    primary_dataset_urn: str = Field(validation_alias="dataset")
    then: BlastRadius | None = Field(description="As it was when the incident opened.")
    now: BlastRadius


class NotificationState(ViewResponse):
    pagerduty_incident_id: str | None
    slack_thread_ts: str | None
    jira_ticket: str | None


class IncidentResolution(ViewResponse):
    root_cause: str
    mitigation: str | None
    resolved_by: str | None
    false_positive: bool
    reason: ResolutionReason


class Concern(ViewResponse):
    """What of a dataset it is about."""

    dataset_urn: str = Field(validation_alias="dataset", examples=[DATASET])
    signal_types: list[str] = Field(validation_alias="signals")
    failure_signatures: list[str] = Field(validation_alias="signatures")


class MergedIncident(ViewResponse):
    """An incident that was merged into this one, and what it was about."""

    incident_id: str
    concerns: list[Concern]


def _absorbed(absorbed: object) -> object:
    if not isinstance(absorbed, Mapping):
        return absorbed
    return [{"incident_id": name, "concerns": list(about)} for name, about in absorbed.items()]


class IncidentSummary(ViewResponse):
    incident_id: str = Field(validation_alias="incident", examples=["INC-7721"])
    status: Standing
    severity: Severity
    title: str
    created_at: Stamp


class Incident(IncidentSummary):
    updated_at: Stamp
    acknowledged_at: Stamp | None
    resolved_at: Stamp | None
    primary_dataset_urn: str = Field(validation_alias="dataset", examples=[DATASET])
    signal_types: list[str] = Field(validation_alias="signals")
    failure_signatures: list[str] = Field(validation_alias="signatures")
    implicated_producer: ImplicatedProducer | None = Field(validation_alias="implicated")
    blast_radius: BlastRadius | None = Field(description="When the incident opened.")
    notification_state: NotificationState = Field(validation_alias="notifications")
    primary_evidence_id: str | None = Field(validation_alias="primary_evidence")
    evidence_sample: list[str] = Field(validation_alias="evidence")
    rca_summary: str | None
    owner_team: str
    oncall_user: str | None
    resolution: IncidentResolution | None
    snoozed_until: Stamp | None = Field(description="Nobody need look at it before.")
    merged_into: str | None = Field(description="The incident it is a duplicate of.")
    merged_incidents: Annotated[list[MergedIncident], BeforeValidator(_absorbed)] = Field(
        validation_alias="absorbed", description="Those merged into it."
    )
    related: list[Concern] = Field(
        validation_alias="elsewhere", description="What was attached of other datasets."
    )
    mtta_seconds: float | None = Field(description="Until somebody first took notice.")
    mttr_seconds: float | None = Field(description="Until it was resolved.")
    ttl: UnixSeconds | None = Field(
        validation_alias="ends_at", description="When lists forget it, in seconds since 1970."
    )
    version: int


class IncidentOpenedResponse(Incident):
    """The incident that is open now."""

    joined: bool = Field(description="Whether it had been open for this fault before.")

    @classmethod
    def opened(cls, card: IncidentView, *, joined: bool) -> "IncidentOpenedResponse":
        return cls(joined=joined, **dict(Incident.model_validate(card)))


def incident_tag(card: IncidentView) -> str:
    """Another one whenever the answer is another one."""
    people = (card.oncall_user, card.resolution and card.resolution.resolved_by)
    return f'"{card.version}-erased"' if ERASED in people else f'"{card.version}"'


class IncidentListResponse(BaseModel):
    incidents: list[Incident]
    next_page_token: NextPage = None


def _happened(fact: object) -> object:
    return HAPPENED[type(fact)]


class TimelineEntry(ViewResponse):
    """Something that happened: who, when, what."""

    at: Stamp
    actor: str = Field(validation_alias="by")
    event_type: Annotated[str, BeforeValidator(_happened)] = Field(
        validation_alias="fact", json_schema_extra={"enum": list(HAPPENED.values())}
    )
    details: Annotated[dict[str, Any], BeforeValidator(details_of)] = Field(
        validation_alias="fact", description="What the fact says."
    )
    version: int
    position: PositionToken
    event_id: Annotated[str, BeforeValidator(bytes.hex)]
    causation_id: str | None = Field(
        description="The event_id of the fact that made a policy act; null if it was asked for."
    )
    request_id: str = Field(
        validation_alias="correlation_id",
        description="Of the request it came with, or that made a policy act; empty if none.",
    )


class TimelineResponse(BaseModel):
    """The oldest first."""

    incident_id: str
    timeline: list[TimelineEntry]
    next_page_token: NextPage = None
