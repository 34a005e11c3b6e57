"""Incidents as callers see them."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from google.protobuf.struct_pb2 import Struct

from application.incidents.queries import Happening
from application.incidents.read_model import IncidentView
from application.lineage.blast_radius import ThenAndNow
from application.reads.position import Position
from domain.ids import IncidentId
from domain.incident.values import Concern, Implicated, Notifications, Resolution
from domain.lineage.blast_radius import BlastRadius
from entrypoints.grpc.fields.fields import told
from entrypoints.grpc.fields.timestamps import timestamp
from entrypoints.grpc.fields.view_messages import FieldsOf
from entrypoints.grpc.messages import incidents_pb2 as pb
from entrypoints.grpc.messages.common_pb2 import AnswerInfo
from entrypoints.interfaces.timelines import HAPPENED, details


def incident_told(
    card: IncidentView, answer: AnswerInfo | None = None, *, joined: bool = False
) -> pb.Incident:
    return pb.Incident(**_INCIDENT.read(card), joined=joined, answer=answer)


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


def _merged(absorbed: Mapping[IncidentId, Iterable[Concern]]) -> list[pb.MergedIncident]:
    return [
        pb.MergedIncident(incident_id=name, concerns=map(_concern, concerns))
        for name, concerns in absorbed.items()
    ]


def _related(concerns: Iterable[Concern]) -> list[pb.Concern]:
    return [_concern(one) for one in concerns]


def _seconds(at: datetime) -> int:
    return int(at.timestamp())


_INCIDENT = FieldsOf.message(
    pb.Incident,
    called={
        "incident_id": "incident",
        "primary_dataset_urn": "dataset",
        "signal_types": "signals",
        "failure_signatures": "signatures",
        "implicated_producer": "implicated",
        "notification_state": "notifications",
        "primary_evidence_id": "primary_evidence",
        "evidence_sample": "evidence",
        "merged_incidents": "absorbed",
        "related": "elsewhere",
        "ttl": "ends_at",
    },
    rendered={
        "implicated_producer": _implicated,
        "blast_radius": _radius,
        "notification_state": _notifications,
        "resolution": _resolution,
        "merged_incidents": _merged,
        "related": _related,
        "ttl": _seconds,
    },
    apart=("joined", "answer"),
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
        actor=happening.by,
        event_type=HAPPENED[type(happening.fact)],
        details=said,
        version=happening.version,
        position=Position(happening.position).token(),
        event_id=happening.event_id.hex(),
        causation_id=happening.causation_id,
        request_id=happening.correlation_id,
    )
