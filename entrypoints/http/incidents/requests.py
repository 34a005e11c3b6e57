"""What alerting engines and on-call people send about incidents."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from domain.incident.patch import (
    LONGEST_SUMMARY,
    IncidentPatch,
    ReportedResolution,
)
from domain.incident.report import LONGEST_TITLE, IncidentReport, ReportedImplication
from domain.incident.severity import Severity
from domain.incident.validation import LONGEST_NOTE, LONGEST_PERSON, MOST_AT_ONCE
from domain.incident.values import IncidentStatus, Notifications, ResolutionReason
from domain.versions import ANY_VERSION
from entrypoints.http.datasets.requests import Urn
from entrypoints.http.description.examples import (
    CHANGE_INCIDENT,
    MERGE_INCIDENT,
    OPEN_INCIDENT,
    REOPEN_INCIDENT,
    SNOOZE_INCIDENT,
    SPLIT_INCIDENT,
)
from entrypoints.http.signals.requests import EvidenceName, ProducerInfo, Version
from entrypoints.http.validation.models import Body
from entrypoints.http.validation.names import INCIDENT_SCHEMA, SIGNAL_TYPE_SCHEMA
from entrypoints.http.validation.timestamps import Moment

Bad = Annotated[str, Field(json_schema_extra={"enum": [str(one) for one in Severity]})]
SignalKey = Annotated[str, Field(json_schema_extra=SIGNAL_TYPE_SCHEMA)]
Signature = Annotated[
    str,
    Field(
        json_schema_extra={
            "pattern": r"^[A-Z][A-Z0-9_]*:[A-Za-z0-9_$@*][A-Za-z0-9_.$@*\[\]-]*$",
            "maxLength": 200,
        }
    ),
]
SomeText = Annotated[str, Field(json_schema_extra={"maxLength": LONGEST_NOTE})]
Person = Annotated[str, Field(json_schema_extra={"maxLength": LONGEST_PERSON})]
OtherId = Annotated[str, Field(json_schema_extra={"maxLength": 200})]

_FEW: dict[str, Any] = {"maxItems": MOST_AT_ONCE}
_SOME: dict[str, Any] = {"minItems": 1, "maxItems": MOST_AT_ONCE}


class ImplicatedProducerRequest(ProducerInfo):
    """Which producer most likely caused it."""

    deployed_at: Moment | None = None

    def reported(self) -> ReportedImplication:
        return ReportedImplication(
            self.producer_id, self.version, self.confidence, self.deployed_at
        )


class OpenIncidentRequest(Body):
    """A failure that somebody should look at."""

    model_config = ConfigDict(json_schema_extra={"examples": [OPEN_INCIDENT]})

    required = ("primary_dataset_urn", "signal_types", "severity", "failure_signatures")

    incident_id: Annotated[str, Field(json_schema_extra=INCIDENT_SCHEMA)] | None = Field(
        None, description="To import an incident under the name it has; generated otherwise."
    )
    primary_dataset_urn: Urn | None = None
    signal_types: list[SignalKey] | None = Field(None, json_schema_extra=_SOME)
    severity: Bad | None = None
    failure_signatures: list[Signature] | None = Field(None, json_schema_extra=_SOME)
    title: Annotated[str, Field(json_schema_extra={"maxLength": LONGEST_TITLE})] | None = Field(
        None, description="Made of signal, dataset and signature if nothing is said."
    )
    implicated_producer: ImplicatedProducerRequest | None = None
    primary_evidence_id: EvidenceName | None = Field(
        None, description="The first of the sample if nothing is said."
    )
    evidence_sample: list[EvidenceName] | None = Field(None, json_schema_extra=_FEW)

    def report(self) -> IncidentReport:
        producer = self.implicated_producer
        return IncidentReport(
            dataset_urn=self.primary_dataset_urn or "",
            signal_types=tuple(self.signal_types or ()),
            failure_signatures=tuple(self.failure_signatures or ()),
            severity=self.severity,
            incident_id=self.incident_id,
            title=self.title,
            implicated=producer.reported() if producer else None,
            primary_evidence_id=self.primary_evidence_id,
            evidence_sample=tuple(self.evidence_sample or ()),
        )


class NotificationStateRequest(Body):
    """Ids in other systems. What is left out stays as it is."""

    pagerduty_incident_id: OtherId | None = None
    slack_thread_ts: OtherId | None = None
    jira_ticket: OtherId | None = None

    def to_domain(self) -> Notifications:
        return Notifications(
            self.pagerduty_incident_id or None,
            self.slack_thread_ts or None,
            self.jira_ticket or None,
        )


class IncidentResolutionRequest(Body):
    """How it ended."""

    required = ("root_cause",)

    root_cause: SomeText | None = Field(None, json_schema_extra={"minLength": 1})
    mitigation: SomeText | None = None
    resolved_by: Person | None = None
    false_positive: bool | None = None
    reason: (
        Annotated[str, Field(json_schema_extra={"enum": [str(one) for one in ResolutionReason]})]
        | None
    ) = Field(None, description="OTHER if nothing is said, FALSE_POSITIVE if it was one.")

    def reported(self) -> ReportedResolution:
        return ReportedResolution(
            self.root_cause, self.mitigation, self.resolved_by, self.false_positive, self.reason
        )


class UpdateIncidentRequest(Body):
    """All of it happens, or nothing. What is left out stays as it is."""

    model_config = ConfigDict(json_schema_extra={"examples": [CHANGE_INCIDENT]})

    status: (
        Annotated[
            str, Field(json_schema_extra={"enum": [str(one) for one in list(IncidentStatus)[1:]]})
        ]
        | None
    ) = Field(None, description="RESOLVED needs a resolution; OPEN reopens what was resolved.")
    severity: Bad | None = None
    oncall_user: Person | None = Field(None, description="Null: nobody.")
    signal_types: list[SignalKey] | None = Field(
        None, description="Attached to those it has.", json_schema_extra=_FEW
    )
    failure_signatures: list[Signature] | None = Field(
        None, description="Attached to those it has.", json_schema_extra=_FEW
    )
    evidence_sample: list[EvidenceName] | None = Field(
        None, description="Attached to what it has.", json_schema_extra=_FEW
    )
    notification_state: NotificationStateRequest | None = None
    rca_summary: Annotated[str, Field(json_schema_extra={"maxLength": LONGEST_SUMMARY})] | None = (
        None
    )
    note: SomeText | None = Field(None, description="Stands in the timeline.")
    resolution: IncidentResolutionRequest | None = None
    expected_version: Version | None = Field(
        None, description="The version the change was decided on; -1: any. Or send If-Match."
    )

    def patch(self, expected_version: int | None) -> IncidentPatch:
        state, resolution = self.notification_state, self.resolution
        return IncidentPatch(
            status=self.status,
            severity=self.severity,
            assigns="oncall_user" in self.model_fields_set,
            oncall_user=self.oncall_user,
            signal_types=tuple(self.signal_types or ()),
            failure_signatures=tuple(self.failure_signatures or ()),
            evidence_sample=tuple(self.evidence_sample or ()),
            notifications=state.to_domain() if state else None,
            rca_summary=self.rca_summary,
            note=self.note,
            resolution=resolution.reported() if resolution else None,
            expected_version=ANY_VERSION if expected_version is None else expected_version,
        )


class ReopenIncidentRequest(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [REOPEN_INCIDENT]})

    reason: SomeText | None = None
    expected_version: Version | None = None


class SplitIncidentRequest(ReopenIncidentRequest):
    model_config = ConfigDict(json_schema_extra={"examples": [SPLIT_INCIDENT]})


class MergeIncidentRequest(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [MERGE_INCIDENT]})

    required = ("into",)

    into: Annotated[str, Field(json_schema_extra=INCIDENT_SCHEMA)] | None = Field(
        None, description="The open incident that it is a duplicate of."
    )
    reason: SomeText | None = None
    expected_version: Version | None = None


class SnoozeIncidentRequest(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [SNOOZE_INCIDENT]})

    required = ("until",)

    until: Moment | None = Field(None, description="At most 30 days ahead.")
    reason: SomeText | None = None
    expected_version: Version | None = None
