"""Incidents as dashboards see them (S0-184, S0-185)."""

from datetime import datetime

import strawberry

from application.incidents.read_model import IncidentView
from application.signals.read_model import SignalKey
from domain.ids import DatasetUrn
from entrypoints.graphql.answer_info import AnswerInfo
from entrypoints.graphql.consistency import Found
from entrypoints.graphql.datasets.types import Dataset
from entrypoints.graphql.enums import IncidentStatus, Severity
from entrypoints.graphql.evidence.types import AT_FIRST, Evidence, sampled
from entrypoints.graphql.incidents.part_types import (
    BlastRadius,
    Concern,
    NotificationState,
    Resolution,
)
from entrypoints.graphql.optional import told
from entrypoints.graphql.producers import ProducerInfo
from entrypoints.graphql.signals.types import SignalState


@strawberry.type(description="A span of time in which a dataset broke its promise.")
class Incident:
    found: strawberry.Private[Found[IncidentView]]
    incident_id: strawberry.ID
    status: IncidentStatus
    severity: Severity
    title: str
    created_at: datetime
    updated_at: datetime
    acknowledged_at: datetime | None = strawberry.field(
        description="When somebody first took notice."
    )
    resolved_at: datetime | None
    primary_dataset_urn: str
    signal_types: list[str]
    failure_signatures: list[str]
    implicated_producer: ProducerInfo | None
    blast_radius: BlastRadius | None = strawberry.field(
        description="As it was when the incident opened; null if it was not measured."
    )
    notification_state: NotificationState | None = strawberry.field(
        description="Always there; its fields are null where nobody was told."
    )
    primary_evidence_id: str | None
    evidence_sample: list[str]
    rca_summary: str | None
    owner_team: str
    oncall_user: str | None
    resolution: Resolution | None
    snoozed_until: datetime | None = strawberry.field(description="Nobody need look at it before.")
    merged_into: str | None = strawberry.field(description="The incident it is a duplicate of.")
    merged_incidents: list[str] = strawberry.field(description="Those merged into it.")
    concerns: list[Concern] = strawberry.field(
        description="All it is about: its own dataset first, then what was attached and merged."
    )
    mtta_seconds: float | None = strawberry.field(description="Until somebody took notice.")
    mttr_seconds: float | None = strawberry.field(description="Until it was resolved.")
    version: int

    @strawberry.field(description="What the answer is about.")
    def answer(self) -> AnswerInfo:
        return AnswerInfo.of(self.found.answer)

    @strawberry.field(
        description="What is agreed about its primary dataset; null if that is not registered."
    )
    async def dataset(self) -> Dataset | None:
        found = await self.found.at.datasets.load(DatasetUrn(self.primary_dataset_urn))
        return told(found, Dataset.of)

    @strawberry.field(
        description="How the signals are that it is about, those of other datasets included; "
        "never evaluated ones are left out."
    )
    async def related_signals(self) -> list[SignalState]:
        keys = dict.fromkeys(
            SignalKey(concern.dataset, signal_type)
            for concern in self.found.what.concerns
            for signal_type in concern.signals
        )
        found = await self.found.at.signals.load_many(keys)
        return [SignalState.of(one) for one in found if one is not None]

    @strawberry.field(description="The first of its evidenceSample, without what is not kept.")
    async def evidence(self, first: int | None = AT_FIRST) -> list[Evidence]:
        return await sampled(self.found.at, self.evidence_sample, first)

    @classmethod
    def of(cls, found: Found[IncidentView]) -> "Incident":
        card = found.what
        return cls(
            found=found,
            incident_id=strawberry.ID(card.incident),
            status=IncidentStatus(card.status),
            severity=card.severity,
            title=card.title,
            created_at=card.created_at,
            updated_at=card.updated_at,
            acknowledged_at=card.acknowledged_at,
            resolved_at=card.resolved_at,
            primary_dataset_urn=card.dataset,
            signal_types=list(card.signals),
            failure_signatures=list(card.signatures),
            implicated_producer=told(card.implicated, ProducerInfo.implicated),
            blast_radius=told(card.blast_radius, BlastRadius.of),
            notification_state=NotificationState.of(card.notifications),
            primary_evidence_id=card.primary_evidence,
            evidence_sample=list(card.evidence),
            rca_summary=card.rca_summary,
            owner_team=card.owner_team,
            oncall_user=card.oncall_user,
            resolution=told(card.resolution, Resolution.of),
            snoozed_until=card.snoozed_until,
            merged_into=card.merged_into,
            merged_incidents=list(card.absorbed),
            concerns=[Concern.of(one) for one in card.concerns],
            mtta_seconds=card.mtta_seconds,
            mttr_seconds=card.mttr_seconds,
            version=card.version,
        )
