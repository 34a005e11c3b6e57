"""Incidents as callers see them."""

from google.protobuf.struct_pb2 import Struct

from application.incidents.queries import Happening
from application.incidents.read_model import IncidentView
from application.lineage.blast_radius import ThenAndNow
from application.reads.position import Position
from domain.incident.values import Concern, Implicated, Notifications, Resolution
from domain.lineage.blast_radius import BlastRadius
from entrypoints.grpc.fields.fields import told
from entrypoints.grpc.fields.timestamps import timestamp
from entrypoints.grpc.messages import incidents_pb2 as pb
from entrypoints.grpc.messages.common_pb2 import AnswerInfo
from entrypoints.interfaces.timelines import HAPPENED, details


def incident_told(
    card: IncidentView, answer: AnswerInfo | None = None, *, joined: bool = False
) -> pb.Incident:
    return pb.Incident(
        incident_id=card.incident,
        status=card.status,
        severity=card.severity,
        title=card.title,
        created_at=timestamp(card.created_at),
        updated_at=timestamp(card.updated_at),
        acknowledged_at=told(card.acknowledged_at, timestamp),
        resolved_at=told(card.resolved_at, timestamp),
        primary_dataset_urn=card.dataset,
        signal_types=card.signals,
        failure_signatures=card.signatures,
        implicated_producer=told(card.implicated, _implicated),
        blast_radius=told(card.blast_radius, _radius),
        notification_state=_notifications(card.notifications),
        primary_evidence_id=card.primary_evidence,
        evidence_sample=card.evidence,
        rca_summary=card.rca_summary,
        owner_team=card.owner_team,
        oncall_user=card.oncall_user,
        resolution=told(card.resolution, _resolution),
        snoozed_until=told(card.snoozed_until, timestamp),
        merged_into=card.merged_into,
        merged_incidents=[
            pb.MergedIncident(incident_id=name, concerns=map(_concern, concerns))
            for name, concerns in card.absorbed.items()
        ],
        related=map(_concern, card.elsewhere),
        mtta_seconds=card.mtta_seconds,
        mttr_seconds=card.mttr_seconds,
        ttl=int(card.ends_at.timestamp()) if card.ends_at else None,
        version=card.version,
        joined=joined,
        answer=answer,
    )


def _implicated(implicated: Implicated) -> pb.ImplicatedProducer:
    producer = implicated.producer
    return pb.ImplicatedProducer(
        producer_id=producer.producer_id,
        version=producer.version,
        confidence=producer.confidence,
        deployed_at=told(implicated.deployed_at, timestamp),
    )


def _radius(radius: BlastRadius) -> pb.BlastRadius:
    return pb.BlastRadius(
        downstream_count=radius.downstream_count,
        downstream_services=radius.downstream_services,
        estimated_impact=radius.estimated_impact,
    )


def _notifications(state: Notifications) -> pb.NotificationState:
    return pb.NotificationState(
        pagerduty_incident_id=state.pagerduty_incident_id,
        slack_thread_ts=state.slack_thread_ts,
        jira_ticket=state.jira_ticket,
    )


def _resolution(resolution: Resolution) -> pb.IncidentResolution:
    return pb.IncidentResolution(
        root_cause=resolution.root_cause,
        mitigation=resolution.mitigation,
        resolved_by=resolution.resolved_by,
        false_positive=resolution.false_positive,
        reason=resolution.reason,
    )


def _concern(concern: Concern) -> pb.Concern:
    return pb.Concern(
        dataset_urn=concern.dataset,
        signal_types=concern.signals,
        failure_signatures=concern.signatures,
    )


def impact_told(impact: ThenAndNow, answer: AnswerInfo) -> pb.IncidentImpact:
    return pb.IncidentImpact(
        incident_id=impact.incident,
        primary_dataset_urn=impact.dataset,
        then=told(impact.then, _radius),
        now=_radius(impact.now),
        answer=answer,
    )


def happening_told(happening: Happening) -> pb.TimelineEntry:
    said = Struct()
    said.update(details(happening.fact))
    return pb.TimelineEntry(
        at=timestamp(happening.at),
        by=happening.by,
        what=HAPPENED[type(happening.fact)],
        details=said,
        version=happening.version,
        position=Position(happening.position).token(),
        event_id=happening.event_id.hex(),
        causation_id=happening.causation_id,
        request_id=happening.correlation_id,
    )
