"""What alerting engines and on-call people send about incidents."""

from domain.errors import Violation
from domain.incident.patch import IncidentPatch, ReportedResolution, Snooze
from domain.incident.report import IncidentReport, ReportedImplication
from domain.incident.values import IncidentStatus, Notifications
from domain.validation import required
from entrypoints.grpc.fields.fields import part, present, said, version_said
from entrypoints.grpc.fields.timestamps import moment_said
from entrypoints.grpc.messages import incidents_pb2 as pb


def report_said(sent: pb.CreateIncidentRequest, found: list[Violation]) -> IncidentReport:
    found += required("primary_dataset_urn", sent.primary_dataset_urn)
    return IncidentReport(
        dataset_urn=sent.primary_dataset_urn,
        signal_types=tuple(sent.signal_types),
        failure_signatures=tuple(sent.failure_signatures),
        severity=said(sent.severity),
        incident_id=said(sent.incident_id),
        title=said(sent.title),
        implicated=part(sent, "implicated_producer", _implicated, found),
        primary_evidence_id=said(sent.primary_evidence_id),
        evidence_sample=tuple(sent.evidence_sample),
    )


def _implicated(sent: pb.ImplicatedProducer, found: list[Violation]) -> ReportedImplication:
    return ReportedImplication(
        producer_id=said(sent.producer_id),
        version=said(sent.version),
        confidence=said(sent.confidence),
        deployed_at=moment_said(
            sent, "deployed_at", found, called="implicated_producer.deployed_at"
        ),
    )


def patch_said(sent: pb.UpdateIncidentRequest, found: list[Violation]) -> IncidentPatch:
    return IncidentPatch(
        status=said(sent.status),
        severity=said(sent.severity),
        assigns=sent.HasField("oncall_user"),
        oncall_user=present(sent, "oncall_user"),
        signal_types=tuple(sent.signal_types),
        failure_signatures=tuple(sent.failure_signatures),
        evidence_sample=tuple(sent.evidence_sample),
        notifications=part(sent, "notification_state", _notifications, found),
        rca_summary=said(sent.rca_summary),
        note=said(sent.note),
        resolution=part(sent, "resolution", _resolution, found),
        expected_version=version_said(sent, found),
    )


def ending_said(sent: pb.ResolveIncidentRequest, found: list[Violation]) -> IncidentPatch:
    """Resolving is a change of the status."""
    return IncidentPatch(
        status=IncidentStatus.RESOLVED,
        note=said(sent.note),
        resolution=part(sent, "resolution", _resolution, found),
        expected_version=version_said(sent, found),
    )


def _notifications(sent: pb.NotificationState, _: list[Violation]) -> Notifications:
    return Notifications(
        said(sent.pagerduty_incident_id), said(sent.slack_thread_ts), said(sent.jira_ticket)
    )


def _resolution(sent: pb.IncidentResolution, _: list[Violation]) -> ReportedResolution:
    return ReportedResolution(
        root_cause=said(sent.root_cause),
        mitigation=said(sent.mitigation),
        resolved_by=said(sent.resolved_by),
        # False is also what is not said, and then the reason decides.
        false_positive=sent.false_positive or None,
        reason=said(sent.reason),
    )


def snooze_said(sent: pb.SnoozeIncidentRequest, found: list[Violation]) -> Snooze:
    until = moment_said(sent, "until", found)
    if not sent.HasField("until"):
        found += required("until", None)
    return Snooze(until, said(sent.reason))
