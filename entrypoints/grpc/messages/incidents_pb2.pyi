import datetime

from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from entrypoints.grpc.messages import common_pb2 as _common_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ImplicatedProducer(_message.Message):
    __slots__ = ("producer_id", "version", "confidence", "deployed_at")
    PRODUCER_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    DEPLOYED_AT_FIELD_NUMBER: _ClassVar[int]
    producer_id: str
    version: str
    confidence: str
    deployed_at: _timestamp_pb2.Timestamp
    def __init__(self, producer_id: _Optional[str] = ..., version: _Optional[str] = ..., confidence: _Optional[str] = ..., deployed_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class BlastRadius(_message.Message):
    __slots__ = ("downstream_count", "downstream_services", "estimated_impact")
    DOWNSTREAM_COUNT_FIELD_NUMBER: _ClassVar[int]
    DOWNSTREAM_SERVICES_FIELD_NUMBER: _ClassVar[int]
    ESTIMATED_IMPACT_FIELD_NUMBER: _ClassVar[int]
    downstream_count: int
    downstream_services: _containers.RepeatedScalarFieldContainer[str]
    estimated_impact: str
    def __init__(self, downstream_count: _Optional[int] = ..., downstream_services: _Optional[_Iterable[str]] = ..., estimated_impact: _Optional[str] = ...) -> None: ...

class NotificationState(_message.Message):
    __slots__ = ("pagerduty_incident_id", "slack_thread_ts", "jira_ticket")
    PAGERDUTY_INCIDENT_ID_FIELD_NUMBER: _ClassVar[int]
    SLACK_THREAD_TS_FIELD_NUMBER: _ClassVar[int]
    JIRA_TICKET_FIELD_NUMBER: _ClassVar[int]
    pagerduty_incident_id: str
    slack_thread_ts: str
    jira_ticket: str
    def __init__(self, pagerduty_incident_id: _Optional[str] = ..., slack_thread_ts: _Optional[str] = ..., jira_ticket: _Optional[str] = ...) -> None: ...

class IncidentResolution(_message.Message):
    __slots__ = ("root_cause", "mitigation", "resolved_by", "false_positive", "reason")
    ROOT_CAUSE_FIELD_NUMBER: _ClassVar[int]
    MITIGATION_FIELD_NUMBER: _ClassVar[int]
    RESOLVED_BY_FIELD_NUMBER: _ClassVar[int]
    FALSE_POSITIVE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    root_cause: str
    mitigation: str
    resolved_by: str
    false_positive: bool
    reason: str
    def __init__(self, root_cause: _Optional[str] = ..., mitigation: _Optional[str] = ..., resolved_by: _Optional[str] = ..., false_positive: _Optional[bool] = ..., reason: _Optional[str] = ...) -> None: ...

class Concern(_message.Message):
    __slots__ = ("dataset_urn", "signal_types", "failure_signatures")
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    SIGNAL_TYPES_FIELD_NUMBER: _ClassVar[int]
    FAILURE_SIGNATURES_FIELD_NUMBER: _ClassVar[int]
    dataset_urn: str
    signal_types: _containers.RepeatedScalarFieldContainer[str]
    failure_signatures: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, dataset_urn: _Optional[str] = ..., signal_types: _Optional[_Iterable[str]] = ..., failure_signatures: _Optional[_Iterable[str]] = ...) -> None: ...

class MergedIncident(_message.Message):
    __slots__ = ("incident_id", "concerns")
    INCIDENT_ID_FIELD_NUMBER: _ClassVar[int]
    CONCERNS_FIELD_NUMBER: _ClassVar[int]
    incident_id: str
    concerns: _containers.RepeatedCompositeFieldContainer[Concern]
    def __init__(self, incident_id: _Optional[str] = ..., concerns: _Optional[_Iterable[_Union[Concern, _Mapping]]] = ...) -> None: ...

class Incident(_message.Message):
    __slots__ = ("incident_id", "status", "severity", "title", "created_at", "updated_at", "acknowledged_at", "resolved_at", "primary_dataset_urn", "signal_types", "failure_signatures", "implicated_producer", "blast_radius", "notification_state", "primary_evidence_id", "evidence_sample", "rca_summary", "owner_team", "oncall_user", "resolution", "snoozed_until", "merged_into", "merged_incidents", "related", "mtta_seconds", "mttr_seconds", "ttl", "version", "joined", "answer")
    INCIDENT_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    SEVERITY_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    ACKNOWLEDGED_AT_FIELD_NUMBER: _ClassVar[int]
    RESOLVED_AT_FIELD_NUMBER: _ClassVar[int]
    PRIMARY_DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    SIGNAL_TYPES_FIELD_NUMBER: _ClassVar[int]
    FAILURE_SIGNATURES_FIELD_NUMBER: _ClassVar[int]
    IMPLICATED_PRODUCER_FIELD_NUMBER: _ClassVar[int]
    BLAST_RADIUS_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_STATE_FIELD_NUMBER: _ClassVar[int]
    PRIMARY_EVIDENCE_ID_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_SAMPLE_FIELD_NUMBER: _ClassVar[int]
    RCA_SUMMARY_FIELD_NUMBER: _ClassVar[int]
    OWNER_TEAM_FIELD_NUMBER: _ClassVar[int]
    ONCALL_USER_FIELD_NUMBER: _ClassVar[int]
    RESOLUTION_FIELD_NUMBER: _ClassVar[int]
    SNOOZED_UNTIL_FIELD_NUMBER: _ClassVar[int]
    MERGED_INTO_FIELD_NUMBER: _ClassVar[int]
    MERGED_INCIDENTS_FIELD_NUMBER: _ClassVar[int]
    RELATED_FIELD_NUMBER: _ClassVar[int]
    MTTA_SECONDS_FIELD_NUMBER: _ClassVar[int]
    MTTR_SECONDS_FIELD_NUMBER: _ClassVar[int]
    TTL_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    JOINED_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    incident_id: str
    status: str
    severity: str
    title: str
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    acknowledged_at: _timestamp_pb2.Timestamp
    resolved_at: _timestamp_pb2.Timestamp
    primary_dataset_urn: str
    signal_types: _containers.RepeatedScalarFieldContainer[str]
    failure_signatures: _containers.RepeatedScalarFieldContainer[str]
    implicated_producer: ImplicatedProducer
    blast_radius: BlastRadius
    notification_state: NotificationState
    primary_evidence_id: str
    evidence_sample: _containers.RepeatedScalarFieldContainer[str]
    rca_summary: str
    owner_team: str
    oncall_user: str
    resolution: IncidentResolution
    snoozed_until: _timestamp_pb2.Timestamp
    merged_into: str
    merged_incidents: _containers.RepeatedCompositeFieldContainer[MergedIncident]
    related: _containers.RepeatedCompositeFieldContainer[Concern]
    mtta_seconds: float
    mttr_seconds: float
    ttl: int
    version: int
    joined: bool
    answer: _common_pb2.AnswerInfo
    def __init__(self, incident_id: _Optional[str] = ..., status: _Optional[str] = ..., severity: _Optional[str] = ..., title: _Optional[str] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., acknowledged_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., resolved_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., primary_dataset_urn: _Optional[str] = ..., signal_types: _Optional[_Iterable[str]] = ..., failure_signatures: _Optional[_Iterable[str]] = ..., implicated_producer: _Optional[_Union[ImplicatedProducer, _Mapping]] = ..., blast_radius: _Optional[_Union[BlastRadius, _Mapping]] = ..., notification_state: _Optional[_Union[NotificationState, _Mapping]] = ..., primary_evidence_id: _Optional[str] = ..., evidence_sample: _Optional[_Iterable[str]] = ..., rca_summary: _Optional[str] = ..., owner_team: _Optional[str] = ..., oncall_user: _Optional[str] = ..., resolution: _Optional[_Union[IncidentResolution, _Mapping]] = ..., snoozed_until: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., merged_into: _Optional[str] = ..., merged_incidents: _Optional[_Iterable[_Union[MergedIncident, _Mapping]]] = ..., related: _Optional[_Iterable[_Union[Concern, _Mapping]]] = ..., mtta_seconds: _Optional[float] = ..., mttr_seconds: _Optional[float] = ..., ttl: _Optional[int] = ..., version: _Optional[int] = ..., joined: _Optional[bool] = ..., answer: _Optional[_Union[_common_pb2.AnswerInfo, _Mapping]] = ...) -> None: ...

class CreateIncidentRequest(_message.Message):
    __slots__ = ("incident_id", "primary_dataset_urn", "signal_types", "severity", "failure_signatures", "title", "implicated_producer", "primary_evidence_id", "evidence_sample")
    INCIDENT_ID_FIELD_NUMBER: _ClassVar[int]
    PRIMARY_DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    SIGNAL_TYPES_FIELD_NUMBER: _ClassVar[int]
    SEVERITY_FIELD_NUMBER: _ClassVar[int]
    FAILURE_SIGNATURES_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    IMPLICATED_PRODUCER_FIELD_NUMBER: _ClassVar[int]
    PRIMARY_EVIDENCE_ID_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_SAMPLE_FIELD_NUMBER: _ClassVar[int]
    incident_id: str
    primary_dataset_urn: str
    signal_types: _containers.RepeatedScalarFieldContainer[str]
    severity: str
    failure_signatures: _containers.RepeatedScalarFieldContainer[str]
    title: str
    implicated_producer: ImplicatedProducer
    primary_evidence_id: str
    evidence_sample: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, incident_id: _Optional[str] = ..., primary_dataset_urn: _Optional[str] = ..., signal_types: _Optional[_Iterable[str]] = ..., severity: _Optional[str] = ..., failure_signatures: _Optional[_Iterable[str]] = ..., title: _Optional[str] = ..., implicated_producer: _Optional[_Union[ImplicatedProducer, _Mapping]] = ..., primary_evidence_id: _Optional[str] = ..., evidence_sample: _Optional[_Iterable[str]] = ...) -> None: ...

class UpdateIncidentRequest(_message.Message):
    __slots__ = ("incident_id", "status", "severity", "oncall_user", "signal_types", "failure_signatures", "evidence_sample", "notification_state", "rca_summary", "note", "resolution", "expected_version")
    INCIDENT_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    SEVERITY_FIELD_NUMBER: _ClassVar[int]
    ONCALL_USER_FIELD_NUMBER: _ClassVar[int]
    SIGNAL_TYPES_FIELD_NUMBER: _ClassVar[int]
    FAILURE_SIGNATURES_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_SAMPLE_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_STATE_FIELD_NUMBER: _ClassVar[int]
    RCA_SUMMARY_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    RESOLUTION_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    incident_id: str
    status: str
    severity: str
    oncall_user: str
    signal_types: _containers.RepeatedScalarFieldContainer[str]
    failure_signatures: _containers.RepeatedScalarFieldContainer[str]
    evidence_sample: _containers.RepeatedScalarFieldContainer[str]
    notification_state: NotificationState
    rca_summary: str
    note: str
    resolution: IncidentResolution
    expected_version: int
    def __init__(self, incident_id: _Optional[str] = ..., status: _Optional[str] = ..., severity: _Optional[str] = ..., oncall_user: _Optional[str] = ..., signal_types: _Optional[_Iterable[str]] = ..., failure_signatures: _Optional[_Iterable[str]] = ..., evidence_sample: _Optional[_Iterable[str]] = ..., notification_state: _Optional[_Union[NotificationState, _Mapping]] = ..., rca_summary: _Optional[str] = ..., note: _Optional[str] = ..., resolution: _Optional[_Union[IncidentResolution, _Mapping]] = ..., expected_version: _Optional[int] = ...) -> None: ...

class GetIncidentRequest(_message.Message):
    __slots__ = ("incident_id", "options")
    INCIDENT_ID_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    incident_id: str
    options: _common_pb2.ReadOptions
    def __init__(self, incident_id: _Optional[str] = ..., options: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ...) -> None: ...

class ResolveIncidentRequest(_message.Message):
    __slots__ = ("incident_id", "resolution", "note", "expected_version")
    INCIDENT_ID_FIELD_NUMBER: _ClassVar[int]
    RESOLUTION_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    incident_id: str
    resolution: IncidentResolution
    note: str
    expected_version: int
    def __init__(self, incident_id: _Optional[str] = ..., resolution: _Optional[_Union[IncidentResolution, _Mapping]] = ..., note: _Optional[str] = ..., expected_version: _Optional[int] = ...) -> None: ...

class ListIncidentsRequest(_message.Message):
    __slots__ = ("statuses", "severities", "dataset_urn", "owner_team", "to", "page_size", "page_token", "options")
    STATUSES_FIELD_NUMBER: _ClassVar[int]
    SEVERITIES_FIELD_NUMBER: _ClassVar[int]
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    OWNER_TEAM_FIELD_NUMBER: _ClassVar[int]
    FROM_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    statuses: _containers.RepeatedScalarFieldContainer[str]
    severities: _containers.RepeatedScalarFieldContainer[str]
    dataset_urn: str
    owner_team: str
    to: _timestamp_pb2.Timestamp
    page_size: int
    page_token: str
    options: _common_pb2.ReadOptions
    def __init__(self, statuses: _Optional[_Iterable[str]] = ..., severities: _Optional[_Iterable[str]] = ..., dataset_urn: _Optional[str] = ..., owner_team: _Optional[str] = ..., to: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., options: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ..., **kwargs) -> None: ...

class ListIncidentsResponse(_message.Message):
    __slots__ = ("incidents", "next_page_token", "answer")
    INCIDENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    incidents: _containers.RepeatedCompositeFieldContainer[Incident]
    next_page_token: str
    answer: _common_pb2.AnswerInfo
    def __init__(self, incidents: _Optional[_Iterable[_Union[Incident, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., answer: _Optional[_Union[_common_pb2.AnswerInfo, _Mapping]] = ...) -> None: ...

class ReopenIncidentRequest(_message.Message):
    __slots__ = ("incident_id", "reason", "expected_version")
    INCIDENT_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    incident_id: str
    reason: str
    expected_version: int
    def __init__(self, incident_id: _Optional[str] = ..., reason: _Optional[str] = ..., expected_version: _Optional[int] = ...) -> None: ...

class SnoozeIncidentRequest(_message.Message):
    __slots__ = ("incident_id", "until", "reason", "expected_version")
    INCIDENT_ID_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    incident_id: str
    until: _timestamp_pb2.Timestamp
    reason: str
    expected_version: int
    def __init__(self, incident_id: _Optional[str] = ..., until: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., reason: _Optional[str] = ..., expected_version: _Optional[int] = ...) -> None: ...

class EndSnoozeRequest(_message.Message):
    __slots__ = ("incident_id", "expected_version")
    INCIDENT_ID_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    incident_id: str
    expected_version: int
    def __init__(self, incident_id: _Optional[str] = ..., expected_version: _Optional[int] = ...) -> None: ...

class MergeIncidentRequest(_message.Message):
    __slots__ = ("incident_id", "into", "reason", "expected_version")
    INCIDENT_ID_FIELD_NUMBER: _ClassVar[int]
    INTO_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    incident_id: str
    into: str
    reason: str
    expected_version: int
    def __init__(self, incident_id: _Optional[str] = ..., into: _Optional[str] = ..., reason: _Optional[str] = ..., expected_version: _Optional[int] = ...) -> None: ...

class SplitIncidentRequest(_message.Message):
    __slots__ = ("incident_id", "reason", "expected_version")
    INCIDENT_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    incident_id: str
    reason: str
    expected_version: int
    def __init__(self, incident_id: _Optional[str] = ..., reason: _Optional[str] = ..., expected_version: _Optional[int] = ...) -> None: ...

class GetIncidentTimelineRequest(_message.Message):
    __slots__ = ("incident_id", "page_size", "page_token", "options")
    INCIDENT_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    incident_id: str
    page_size: int
    page_token: str
    options: _common_pb2.ReadOptions
    def __init__(self, incident_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., options: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ...) -> None: ...

class GetIncidentTimelineResponse(_message.Message):
    __slots__ = ("timeline", "next_page_token", "answer")
    TIMELINE_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    timeline: _containers.RepeatedCompositeFieldContainer[TimelineEntry]
    next_page_token: str
    answer: _common_pb2.AnswerInfo
    def __init__(self, timeline: _Optional[_Iterable[_Union[TimelineEntry, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., answer: _Optional[_Union[_common_pb2.AnswerInfo, _Mapping]] = ...) -> None: ...

class TimelineEntry(_message.Message):
    __slots__ = ("at", "actor", "event_type", "details", "version", "position", "event_id", "causation_id", "request_id")
    AT_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    EVENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    CAUSATION_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    at: _timestamp_pb2.Timestamp
    actor: str
    event_type: str
    details: _struct_pb2.Struct
    version: int
    position: str
    event_id: str
    causation_id: str
    request_id: str
    def __init__(self, at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., actor: _Optional[str] = ..., event_type: _Optional[str] = ..., details: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., version: _Optional[int] = ..., position: _Optional[str] = ..., event_id: _Optional[str] = ..., causation_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class GetIncidentImpactRequest(_message.Message):
    __slots__ = ("incident_id", "options")
    INCIDENT_ID_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    incident_id: str
    options: _common_pb2.ReadOptions
    def __init__(self, incident_id: _Optional[str] = ..., options: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ...) -> None: ...

class IncidentImpact(_message.Message):
    __slots__ = ("incident_id", "primary_dataset_urn", "then", "now", "answer")
    INCIDENT_ID_FIELD_NUMBER: _ClassVar[int]
    PRIMARY_DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    THEN_FIELD_NUMBER: _ClassVar[int]
    NOW_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    incident_id: str
    primary_dataset_urn: str
    then: BlastRadius
    now: BlastRadius
    answer: _common_pb2.AnswerInfo
    def __init__(self, incident_id: _Optional[str] = ..., primary_dataset_urn: _Optional[str] = ..., then: _Optional[_Union[BlastRadius, _Mapping]] = ..., now: _Optional[_Union[BlastRadius, _Mapping]] = ..., answer: _Optional[_Union[_common_pb2.AnswerInfo, _Mapping]] = ...) -> None: ...
