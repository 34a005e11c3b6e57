import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from entrypoints.grpc.messages import common_pb2 as _common_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class UpdateSignalStateRequest(_message.Message):
    __slots__ = ("dataset_urn", "signal_type", "state", "expected_version")
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    SIGNAL_TYPE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    dataset_urn: str
    signal_type: str
    state: SignalStateValue
    expected_version: int
    def __init__(self, dataset_urn: _Optional[str] = ..., signal_type: _Optional[str] = ..., state: _Optional[_Union[SignalStateValue, _Mapping]] = ..., expected_version: _Optional[int] = ...) -> None: ...

class SignalStateValue(_message.Message):
    __slots__ = ("state", "score", "slo_threshold", "breach_start", "window_start", "window_end", "window_type", "metrics", "failure_signature", "top_producer", "evidence_sample", "incident_id", "evaluated_at")
    STATE_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    SLO_THRESHOLD_FIELD_NUMBER: _ClassVar[int]
    BREACH_START_FIELD_NUMBER: _ClassVar[int]
    WINDOW_START_FIELD_NUMBER: _ClassVar[int]
    WINDOW_END_FIELD_NUMBER: _ClassVar[int]
    WINDOW_TYPE_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    FAILURE_SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    TOP_PRODUCER_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_SAMPLE_FIELD_NUMBER: _ClassVar[int]
    INCIDENT_ID_FIELD_NUMBER: _ClassVar[int]
    EVALUATED_AT_FIELD_NUMBER: _ClassVar[int]
    state: str
    score: float
    slo_threshold: float
    breach_start: _timestamp_pb2.Timestamp
    window_start: _timestamp_pb2.Timestamp
    window_end: _timestamp_pb2.Timestamp
    window_type: str
    metrics: SignalMetrics
    failure_signature: str
    top_producer: _common_pb2.ProducerInfo
    evidence_sample: _containers.RepeatedScalarFieldContainer[str]
    incident_id: str
    evaluated_at: _timestamp_pb2.Timestamp
    def __init__(self, state: _Optional[str] = ..., score: _Optional[float] = ..., slo_threshold: _Optional[float] = ..., breach_start: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., window_start: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., window_end: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., window_type: _Optional[str] = ..., metrics: _Optional[_Union[SignalMetrics, _Mapping]] = ..., failure_signature: _Optional[str] = ..., top_producer: _Optional[_Union[_common_pb2.ProducerInfo, _Mapping]] = ..., evidence_sample: _Optional[_Iterable[str]] = ..., incident_id: _Optional[str] = ..., evaluated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class SignalMetrics(_message.Message):
    __slots__ = ("evidence_count", "pass_count", "fail_count")
    EVIDENCE_COUNT_FIELD_NUMBER: _ClassVar[int]
    PASS_COUNT_FIELD_NUMBER: _ClassVar[int]
    FAIL_COUNT_FIELD_NUMBER: _ClassVar[int]
    evidence_count: int
    pass_count: int
    fail_count: int
    def __init__(self, evidence_count: _Optional[int] = ..., pass_count: _Optional[int] = ..., fail_count: _Optional[int] = ...) -> None: ...

class UpdateSignalStateResponse(_message.Message):
    __slots__ = ("success", "new_version", "error_code", "error_message", "position", "violations", "current_version", "state", "previous_state", "state_changed_at", "breach_start", "is_current", "replayed")
    SUCCESS_FIELD_NUMBER: _ClassVar[int]
    NEW_VERSION_FIELD_NUMBER: _ClassVar[int]
    ERROR_CODE_FIELD_NUMBER: _ClassVar[int]
    ERROR_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    VIOLATIONS_FIELD_NUMBER: _ClassVar[int]
    CURRENT_VERSION_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_STATE_FIELD_NUMBER: _ClassVar[int]
    STATE_CHANGED_AT_FIELD_NUMBER: _ClassVar[int]
    BREACH_START_FIELD_NUMBER: _ClassVar[int]
    IS_CURRENT_FIELD_NUMBER: _ClassVar[int]
    REPLAYED_FIELD_NUMBER: _ClassVar[int]
    success: bool
    new_version: int
    error_code: str
    error_message: str
    position: str
    violations: _containers.RepeatedCompositeFieldContainer[_common_pb2.Violation]
    current_version: int
    state: str
    previous_state: str
    state_changed_at: _timestamp_pb2.Timestamp
    breach_start: _timestamp_pb2.Timestamp
    is_current: bool
    replayed: bool
    def __init__(self, success: _Optional[bool] = ..., new_version: _Optional[int] = ..., error_code: _Optional[str] = ..., error_message: _Optional[str] = ..., position: _Optional[str] = ..., violations: _Optional[_Iterable[_Union[_common_pb2.Violation, _Mapping]]] = ..., current_version: _Optional[int] = ..., state: _Optional[str] = ..., previous_state: _Optional[str] = ..., state_changed_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., breach_start: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., is_current: _Optional[bool] = ..., replayed: _Optional[bool] = ...) -> None: ...

class BatchUpdateSignalStateRequest(_message.Message):
    __slots__ = ("updates",)
    UPDATES_FIELD_NUMBER: _ClassVar[int]
    updates: _containers.RepeatedCompositeFieldContainer[UpdateSignalStateRequest]
    def __init__(self, updates: _Optional[_Iterable[_Union[UpdateSignalStateRequest, _Mapping]]] = ...) -> None: ...

class BatchUpdateSignalStateResponse(_message.Message):
    __slots__ = ("results", "success_count", "failure_count", "position")
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    SUCCESS_COUNT_FIELD_NUMBER: _ClassVar[int]
    FAILURE_COUNT_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[UpdateSignalStateResponse]
    success_count: int
    failure_count: int
    position: str
    def __init__(self, results: _Optional[_Iterable[_Union[UpdateSignalStateResponse, _Mapping]]] = ..., success_count: _Optional[int] = ..., failure_count: _Optional[int] = ..., position: _Optional[str] = ...) -> None: ...

class StreamSignalStateUpdatesRequest(_message.Message):
    __slots__ = ("updates",)
    UPDATES_FIELD_NUMBER: _ClassVar[int]
    updates: _containers.RepeatedCompositeFieldContainer[UpdateSignalStateRequest]
    def __init__(self, updates: _Optional[_Iterable[_Union[UpdateSignalStateRequest, _Mapping]]] = ...) -> None: ...

class StreamSignalStateUpdatesResponse(_message.Message):
    __slots__ = ("acknowledged", "results", "window")
    ACKNOWLEDGED_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    WINDOW_FIELD_NUMBER: _ClassVar[int]
    acknowledged: int
    results: _containers.RepeatedCompositeFieldContainer[UpdateSignalStateResponse]
    window: int
    def __init__(self, acknowledged: _Optional[int] = ..., results: _Optional[_Iterable[_Union[UpdateSignalStateResponse, _Mapping]]] = ..., window: _Optional[int] = ...) -> None: ...

class GetSignalStateRequest(_message.Message):
    __slots__ = ("dataset_urn", "signal_type", "options")
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    SIGNAL_TYPE_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    dataset_urn: str
    signal_type: str
    options: _common_pb2.ReadOptions
    def __init__(self, dataset_urn: _Optional[str] = ..., signal_type: _Optional[str] = ..., options: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ...) -> None: ...

class SignalState(_message.Message):
    __slots__ = ("dataset_urn", "signal_type", "state", "version", "previous_state", "state_changed_at", "tier", "owner_team", "last_updated", "ttl", "answer")
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    SIGNAL_TYPE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_STATE_FIELD_NUMBER: _ClassVar[int]
    STATE_CHANGED_AT_FIELD_NUMBER: _ClassVar[int]
    TIER_FIELD_NUMBER: _ClassVar[int]
    OWNER_TEAM_FIELD_NUMBER: _ClassVar[int]
    LAST_UPDATED_FIELD_NUMBER: _ClassVar[int]
    TTL_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    dataset_urn: str
    signal_type: str
    state: SignalStateValue
    version: int
    previous_state: str
    state_changed_at: _timestamp_pb2.Timestamp
    tier: str
    owner_team: str
    last_updated: _timestamp_pb2.Timestamp
    ttl: int
    answer: _common_pb2.AnswerInfo
    def __init__(self, dataset_urn: _Optional[str] = ..., signal_type: _Optional[str] = ..., state: _Optional[_Union[SignalStateValue, _Mapping]] = ..., version: _Optional[int] = ..., previous_state: _Optional[str] = ..., state_changed_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., tier: _Optional[str] = ..., owner_team: _Optional[str] = ..., last_updated: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., ttl: _Optional[int] = ..., answer: _Optional[_Union[_common_pb2.AnswerInfo, _Mapping]] = ...) -> None: ...

class SignalKey(_message.Message):
    __slots__ = ("dataset_urn", "signal_type")
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    SIGNAL_TYPE_FIELD_NUMBER: _ClassVar[int]
    dataset_urn: str
    signal_type: str
    def __init__(self, dataset_urn: _Optional[str] = ..., signal_type: _Optional[str] = ...) -> None: ...

class BatchGetSignalStatesRequest(_message.Message):
    __slots__ = ("signals", "options")
    SIGNALS_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    signals: _containers.RepeatedCompositeFieldContainer[SignalKey]
    options: _common_pb2.ReadOptions
    def __init__(self, signals: _Optional[_Iterable[_Union[SignalKey, _Mapping]]] = ..., options: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ...) -> None: ...

class BatchGetSignalStatesResponse(_message.Message):
    __slots__ = ("results", "answer")
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[SignalLookupResult]
    answer: _common_pb2.AnswerInfo
    def __init__(self, results: _Optional[_Iterable[_Union[SignalLookupResult, _Mapping]]] = ..., answer: _Optional[_Union[_common_pb2.AnswerInfo, _Mapping]] = ...) -> None: ...

class SignalLookupResult(_message.Message):
    __slots__ = ("signal",)
    SIGNAL_FIELD_NUMBER: _ClassVar[int]
    signal: SignalState
    def __init__(self, signal: _Optional[_Union[SignalState, _Mapping]] = ...) -> None: ...

class GetDatasetSignalsRequest(_message.Message):
    __slots__ = ("dataset_urn", "options")
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    dataset_urn: str
    options: _common_pb2.ReadOptions
    def __init__(self, dataset_urn: _Optional[str] = ..., options: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ...) -> None: ...

class GetDatasetSignalsResponse(_message.Message):
    __slots__ = ("signals", "answer")
    SIGNALS_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    signals: _containers.RepeatedCompositeFieldContainer[SignalState]
    answer: _common_pb2.AnswerInfo
    def __init__(self, signals: _Optional[_Iterable[_Union[SignalState, _Mapping]]] = ..., answer: _Optional[_Union[_common_pb2.AnswerInfo, _Mapping]] = ...) -> None: ...

class GetDatasetHealthRequest(_message.Message):
    __slots__ = ("dataset_urn", "options")
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    dataset_urn: str
    options: _common_pb2.ReadOptions
    def __init__(self, dataset_urn: _Optional[str] = ..., options: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ...) -> None: ...

class DatasetHealth(_message.Message):
    __slots__ = ("dataset_urn", "state", "status", "tier", "owner_team", "signals", "incidents", "answer")
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    TIER_FIELD_NUMBER: _ClassVar[int]
    OWNER_TEAM_FIELD_NUMBER: _ClassVar[int]
    SIGNALS_FIELD_NUMBER: _ClassVar[int]
    INCIDENTS_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    dataset_urn: str
    state: str
    status: str
    tier: str
    owner_team: str
    signals: _containers.RepeatedCompositeFieldContainer[SignalState]
    incidents: _containers.RepeatedCompositeFieldContainer[IncidentSummary]
    answer: _common_pb2.AnswerInfo
    def __init__(self, dataset_urn: _Optional[str] = ..., state: _Optional[str] = ..., status: _Optional[str] = ..., tier: _Optional[str] = ..., owner_team: _Optional[str] = ..., signals: _Optional[_Iterable[_Union[SignalState, _Mapping]]] = ..., incidents: _Optional[_Iterable[_Union[IncidentSummary, _Mapping]]] = ..., answer: _Optional[_Union[_common_pb2.AnswerInfo, _Mapping]] = ...) -> None: ...

class IncidentSummary(_message.Message):
    __slots__ = ("incident_id", "status", "severity", "title", "created_at")
    INCIDENT_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    SEVERITY_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    incident_id: str
    status: str
    severity: str
    title: str
    created_at: _timestamp_pb2.Timestamp
    def __init__(self, incident_id: _Optional[str] = ..., status: _Optional[str] = ..., severity: _Optional[str] = ..., title: _Optional[str] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListSignalsRequest(_message.Message):
    __slots__ = ("states", "tier", "owner_team", "page_size", "page_token", "options")
    STATES_FIELD_NUMBER: _ClassVar[int]
    TIER_FIELD_NUMBER: _ClassVar[int]
    OWNER_TEAM_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    states: _containers.RepeatedScalarFieldContainer[str]
    tier: str
    owner_team: str
    page_size: int
    page_token: str
    options: _common_pb2.ReadOptions
    def __init__(self, states: _Optional[_Iterable[str]] = ..., tier: _Optional[str] = ..., owner_team: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., options: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ...) -> None: ...

class ListSignalsResponse(_message.Message):
    __slots__ = ("signals", "next_page_token", "answer")
    SIGNALS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    signals: _containers.RepeatedCompositeFieldContainer[SignalState]
    next_page_token: str
    answer: _common_pb2.AnswerInfo
    def __init__(self, signals: _Optional[_Iterable[_Union[SignalState, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., answer: _Optional[_Union[_common_pb2.AnswerInfo, _Mapping]] = ...) -> None: ...

class GetSignalHistoryRequest(_message.Message):
    __slots__ = ("dataset_urn", "signal_type", "to", "page_size", "page_token", "options")
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    SIGNAL_TYPE_FIELD_NUMBER: _ClassVar[int]
    FROM_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    dataset_urn: str
    signal_type: str
    to: _timestamp_pb2.Timestamp
    page_size: int
    page_token: str
    options: _common_pb2.ReadOptions
    def __init__(self, dataset_urn: _Optional[str] = ..., signal_type: _Optional[str] = ..., to: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., options: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ..., **kwargs) -> None: ...

class GetSignalHistoryResponse(_message.Message):
    __slots__ = ("evaluations", "next_page_token", "answer")
    EVALUATIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    evaluations: _containers.RepeatedCompositeFieldContainer[PastEvaluation]
    next_page_token: str
    answer: _common_pb2.AnswerInfo
    def __init__(self, evaluations: _Optional[_Iterable[_Union[PastEvaluation, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., answer: _Optional[_Union[_common_pb2.AnswerInfo, _Mapping]] = ...) -> None: ...

class PastEvaluation(_message.Message):
    __slots__ = ("evaluation", "recorded_at", "was_current", "position", "version")
    EVALUATION_FIELD_NUMBER: _ClassVar[int]
    RECORDED_AT_FIELD_NUMBER: _ClassVar[int]
    WAS_CURRENT_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    evaluation: SignalStateValue
    recorded_at: _timestamp_pb2.Timestamp
    was_current: bool
    position: str
    version: int
    def __init__(self, evaluation: _Optional[_Union[SignalStateValue, _Mapping]] = ..., recorded_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., was_current: _Optional[bool] = ..., position: _Optional[str] = ..., version: _Optional[int] = ...) -> None: ...
