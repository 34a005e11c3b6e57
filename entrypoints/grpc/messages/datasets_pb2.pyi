import datetime

from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from entrypoints.grpc.messages import common_pb2 as _common_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DataSource(_message.Message):
    __slots__ = ("type", "topic", "cluster")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    TOPIC_FIELD_NUMBER: _ClassVar[int]
    CLUSTER_FIELD_NUMBER: _ClassVar[int]
    type: str
    topic: str
    cluster: str
    def __init__(self, type: _Optional[str] = ..., topic: _Optional[str] = ..., cluster: _Optional[str] = ...) -> None: ...

class SchemaBinding(_message.Message):
    __slots__ = ("registry", "schema_name", "schema_id", "version_policy", "compatibility")
    REGISTRY_FIELD_NUMBER: _ClassVar[int]
    SCHEMA_NAME_FIELD_NUMBER: _ClassVar[int]
    SCHEMA_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_POLICY_FIELD_NUMBER: _ClassVar[int]
    COMPATIBILITY_FIELD_NUMBER: _ClassVar[int]
    registry: str
    schema_name: str
    schema_id: str
    version_policy: str
    compatibility: str
    def __init__(self, registry: _Optional[str] = ..., schema_name: _Optional[str] = ..., schema_id: _Optional[str] = ..., version_policy: _Optional[str] = ..., compatibility: _Optional[str] = ...) -> None: ...

class FieldConstraint(_message.Message):
    __slots__ = ("type", "min", "max", "pattern")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    MIN_FIELD_NUMBER: _ClassVar[int]
    MAX_FIELD_NUMBER: _ClassVar[int]
    PATTERN_FIELD_NUMBER: _ClassVar[int]
    type: str
    min: float
    max: float
    pattern: str
    def __init__(self, type: _Optional[str] = ..., min: _Optional[float] = ..., max: _Optional[float] = ..., pattern: _Optional[str] = ...) -> None: ...

class ContractBinding(_message.Message):
    __slots__ = ("contract_id", "required_fields", "field_constraints")
    class FieldConstraintsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: FieldConstraint
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[FieldConstraint, _Mapping]] = ...) -> None: ...
    CONTRACT_ID_FIELD_NUMBER: _ClassVar[int]
    REQUIRED_FIELDS_FIELD_NUMBER: _ClassVar[int]
    FIELD_CONSTRAINTS_FIELD_NUMBER: _ClassVar[int]
    contract_id: str
    required_fields: _containers.RepeatedScalarFieldContainer[str]
    field_constraints: _containers.MessageMap[str, FieldConstraint]
    def __init__(self, contract_id: _Optional[str] = ..., required_fields: _Optional[_Iterable[str]] = ..., field_constraints: _Optional[_Mapping[str, FieldConstraint]] = ...) -> None: ...

class FreshnessSlo(_message.Message):
    __slots__ = ("max_delay_seconds", "evaluation_window")
    MAX_DELAY_SECONDS_FIELD_NUMBER: _ClassVar[int]
    EVALUATION_WINDOW_FIELD_NUMBER: _ClassVar[int]
    max_delay_seconds: int
    evaluation_window: str
    def __init__(self, max_delay_seconds: _Optional[int] = ..., evaluation_window: _Optional[str] = ...) -> None: ...

class VolumeSlo(_message.Message):
    __slots__ = ("min_events_per_window", "max_deviation_percent", "baseline_window_days")
    MIN_EVENTS_PER_WINDOW_FIELD_NUMBER: _ClassVar[int]
    MAX_DEVIATION_PERCENT_FIELD_NUMBER: _ClassVar[int]
    BASELINE_WINDOW_DAYS_FIELD_NUMBER: _ClassVar[int]
    min_events_per_window: int
    max_deviation_percent: float
    baseline_window_days: int
    def __init__(self, min_events_per_window: _Optional[int] = ..., max_deviation_percent: _Optional[float] = ..., baseline_window_days: _Optional[int] = ...) -> None: ...

class ComplianceSlo(_message.Message):
    __slots__ = ("min_compliance_rate",)
    MIN_COMPLIANCE_RATE_FIELD_NUMBER: _ClassVar[int]
    min_compliance_rate: float
    def __init__(self, min_compliance_rate: _Optional[float] = ...) -> None: ...

class SloConfig(_message.Message):
    __slots__ = ("freshness", "volume", "contract_compliance")
    FRESHNESS_FIELD_NUMBER: _ClassVar[int]
    VOLUME_FIELD_NUMBER: _ClassVar[int]
    CONTRACT_COMPLIANCE_FIELD_NUMBER: _ClassVar[int]
    freshness: FreshnessSlo
    volume: VolumeSlo
    contract_compliance: ComplianceSlo
    def __init__(self, freshness: _Optional[_Union[FreshnessSlo, _Mapping]] = ..., volume: _Optional[_Union[VolumeSlo, _Mapping]] = ..., contract_compliance: _Optional[_Union[ComplianceSlo, _Mapping]] = ...) -> None: ...

class PiiPolicy(_message.Message):
    __slots__ = ("scan_enabled", "fields_to_scan", "action_on_detection")
    SCAN_ENABLED_FIELD_NUMBER: _ClassVar[int]
    FIELDS_TO_SCAN_FIELD_NUMBER: _ClassVar[int]
    ACTION_ON_DETECTION_FIELD_NUMBER: _ClassVar[int]
    scan_enabled: bool
    fields_to_scan: _containers.RepeatedScalarFieldContainer[str]
    action_on_detection: str
    def __init__(self, scan_enabled: _Optional[bool] = ..., fields_to_scan: _Optional[_Iterable[str]] = ..., action_on_detection: _Optional[str] = ...) -> None: ...

class IncidentPolicy(_message.Message):
    __slots__ = ("auto_resolve", "auto_resolve_windows", "reopen_on_relapse", "end_snoozes")
    AUTO_RESOLVE_FIELD_NUMBER: _ClassVar[int]
    AUTO_RESOLVE_WINDOWS_FIELD_NUMBER: _ClassVar[int]
    REOPEN_ON_RELAPSE_FIELD_NUMBER: _ClassVar[int]
    END_SNOOZES_FIELD_NUMBER: _ClassVar[int]
    auto_resolve: bool
    auto_resolve_windows: int
    reopen_on_relapse: bool
    end_snoozes: bool
    def __init__(self, auto_resolve: _Optional[bool] = ..., auto_resolve_windows: _Optional[int] = ..., reopen_on_relapse: _Optional[bool] = ..., end_snoozes: _Optional[bool] = ...) -> None: ...

class DatasetSettings(_message.Message):
    __slots__ = ("display_name", "description", "tier", "owner_team", "owner_email", "oncall_rotation", "source", "schema_binding", "contract_binding", "slos", "pii_policy", "retention_days", "incident_policy")
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    TIER_FIELD_NUMBER: _ClassVar[int]
    OWNER_TEAM_FIELD_NUMBER: _ClassVar[int]
    OWNER_EMAIL_FIELD_NUMBER: _ClassVar[int]
    ONCALL_ROTATION_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    SCHEMA_BINDING_FIELD_NUMBER: _ClassVar[int]
    CONTRACT_BINDING_FIELD_NUMBER: _ClassVar[int]
    SLOS_FIELD_NUMBER: _ClassVar[int]
    PII_POLICY_FIELD_NUMBER: _ClassVar[int]
    RETENTION_DAYS_FIELD_NUMBER: _ClassVar[int]
    INCIDENT_POLICY_FIELD_NUMBER: _ClassVar[int]
    display_name: str
    description: str
    tier: str
    owner_team: str
    owner_email: str
    oncall_rotation: str
    source: DataSource
    schema_binding: SchemaBinding
    contract_binding: ContractBinding
    slos: SloConfig
    pii_policy: PiiPolicy
    retention_days: int
    incident_policy: IncidentPolicy
    def __init__(self, display_name: _Optional[str] = ..., description: _Optional[str] = ..., tier: _Optional[str] = ..., owner_team: _Optional[str] = ..., owner_email: _Optional[str] = ..., oncall_rotation: _Optional[str] = ..., source: _Optional[_Union[DataSource, _Mapping]] = ..., schema_binding: _Optional[_Union[SchemaBinding, _Mapping]] = ..., contract_binding: _Optional[_Union[ContractBinding, _Mapping]] = ..., slos: _Optional[_Union[SloConfig, _Mapping]] = ..., pii_policy: _Optional[_Union[PiiPolicy, _Mapping]] = ..., retention_days: _Optional[int] = ..., incident_policy: _Optional[_Union[IncidentPolicy, _Mapping]] = ...) -> None: ...

class Dataset(_message.Message):
    __slots__ = ("dataset_urn", "status", "settings", "config_version", "created_at", "updated_at", "updated_by", "retired_at", "archived_at", "answer")
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    CONFIG_VERSION_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_BY_FIELD_NUMBER: _ClassVar[int]
    RETIRED_AT_FIELD_NUMBER: _ClassVar[int]
    ARCHIVED_AT_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    dataset_urn: str
    status: str
    settings: DatasetSettings
    config_version: int
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    updated_by: str
    retired_at: _timestamp_pb2.Timestamp
    archived_at: _timestamp_pb2.Timestamp
    answer: _common_pb2.AnswerInfo
    def __init__(self, dataset_urn: _Optional[str] = ..., status: _Optional[str] = ..., settings: _Optional[_Union[DatasetSettings, _Mapping]] = ..., config_version: _Optional[int] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_by: _Optional[str] = ..., retired_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., archived_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., answer: _Optional[_Union[_common_pb2.AnswerInfo, _Mapping]] = ...) -> None: ...

class RegisterDatasetRequest(_message.Message):
    __slots__ = ("dataset_urn", "settings")
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    dataset_urn: str
    settings: DatasetSettings
    def __init__(self, dataset_urn: _Optional[str] = ..., settings: _Optional[_Union[DatasetSettings, _Mapping]] = ...) -> None: ...

class UpdateDatasetRequest(_message.Message):
    __slots__ = ("dataset_urn", "settings", "update_mask", "expected_version")
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    dataset_urn: str
    settings: DatasetSettings
    update_mask: _field_mask_pb2.FieldMask
    expected_version: int
    def __init__(self, dataset_urn: _Optional[str] = ..., settings: _Optional[_Union[DatasetSettings, _Mapping]] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ..., expected_version: _Optional[int] = ...) -> None: ...

class RetireDatasetRequest(_message.Message):
    __slots__ = ("dataset_urn", "expected_version")
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    dataset_urn: str
    expected_version: int
    def __init__(self, dataset_urn: _Optional[str] = ..., expected_version: _Optional[int] = ...) -> None: ...

class RestoreDatasetRequest(_message.Message):
    __slots__ = ("dataset_urn", "expected_version")
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    dataset_urn: str
    expected_version: int
    def __init__(self, dataset_urn: _Optional[str] = ..., expected_version: _Optional[int] = ...) -> None: ...

class GetDatasetRequest(_message.Message):
    __slots__ = ("dataset_urn", "version", "options")
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    dataset_urn: str
    version: int
    options: _common_pb2.ReadOptions
    def __init__(self, dataset_urn: _Optional[str] = ..., version: _Optional[int] = ..., options: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ...) -> None: ...

class ListDatasetsRequest(_message.Message):
    __slots__ = ("tier", "owner_team", "retired", "page_size", "page_token", "options")
    TIER_FIELD_NUMBER: _ClassVar[int]
    OWNER_TEAM_FIELD_NUMBER: _ClassVar[int]
    RETIRED_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    tier: str
    owner_team: str
    retired: bool
    page_size: int
    page_token: str
    options: _common_pb2.ReadOptions
    def __init__(self, tier: _Optional[str] = ..., owner_team: _Optional[str] = ..., retired: _Optional[bool] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., options: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ...) -> None: ...

class ListDatasetsResponse(_message.Message):
    __slots__ = ("datasets", "next_page_token", "answer")
    DATASETS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    datasets: _containers.RepeatedCompositeFieldContainer[Dataset]
    next_page_token: str
    answer: _common_pb2.AnswerInfo
    def __init__(self, datasets: _Optional[_Iterable[_Union[Dataset, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., answer: _Optional[_Union[_common_pb2.AnswerInfo, _Mapping]] = ...) -> None: ...

class ListDatasetVersionsRequest(_message.Message):
    __slots__ = ("dataset_urn", "page_size", "page_token", "options")
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    dataset_urn: str
    page_size: int
    page_token: str
    options: _common_pb2.ReadOptions
    def __init__(self, dataset_urn: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., options: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ...) -> None: ...

class ListDatasetVersionsResponse(_message.Message):
    __slots__ = ("versions", "next_page_token", "answer")
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    versions: _containers.RepeatedCompositeFieldContainer[Dataset]
    next_page_token: str
    answer: _common_pb2.AnswerInfo
    def __init__(self, versions: _Optional[_Iterable[_Union[Dataset, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., answer: _Optional[_Union[_common_pb2.AnswerInfo, _Mapping]] = ...) -> None: ...

class Condition(_message.Message):
    __slots__ = ("field", "operator", "value", "dataset_urn")
    FIELD_FIELD_NUMBER: _ClassVar[int]
    OPERATOR_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    field: str
    operator: str
    value: _struct_pb2.Value
    dataset_urn: str
    def __init__(self, field: _Optional[str] = ..., operator: _Optional[str] = ..., value: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ..., dataset_urn: _Optional[str] = ...) -> None: ...

class ResolutionRule(_message.Message):
    __slots__ = ("name", "dataset_urn", "topic_pattern", "resolution_type", "priority", "conditions", "default_dataset_urn", "created_at", "updated_at", "answer")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    TOPIC_PATTERN_FIELD_NUMBER: _ClassVar[int]
    RESOLUTION_TYPE_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    CONDITIONS_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    name: str
    dataset_urn: str
    topic_pattern: str
    resolution_type: str
    priority: int
    conditions: _containers.RepeatedCompositeFieldContainer[Condition]
    default_dataset_urn: str
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    answer: _common_pb2.AnswerInfo
    def __init__(self, name: _Optional[str] = ..., dataset_urn: _Optional[str] = ..., topic_pattern: _Optional[str] = ..., resolution_type: _Optional[str] = ..., priority: _Optional[int] = ..., conditions: _Optional[_Iterable[_Union[Condition, _Mapping]]] = ..., default_dataset_urn: _Optional[str] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., answer: _Optional[_Union[_common_pb2.AnswerInfo, _Mapping]] = ...) -> None: ...

class ListResolutionRulesRequest(_message.Message):
    __slots__ = ("dataset_urn", "options")
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    dataset_urn: str
    options: _common_pb2.ReadOptions
    def __init__(self, dataset_urn: _Optional[str] = ..., options: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ...) -> None: ...

class ListResolutionRulesResponse(_message.Message):
    __slots__ = ("rules", "answer")
    RULES_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    rules: _containers.RepeatedCompositeFieldContainer[ResolutionRule]
    answer: _common_pb2.AnswerInfo
    def __init__(self, rules: _Optional[_Iterable[_Union[ResolutionRule, _Mapping]]] = ..., answer: _Optional[_Union[_common_pb2.AnswerInfo, _Mapping]] = ...) -> None: ...

class GetResolutionRuleRequest(_message.Message):
    __slots__ = ("dataset_urn", "name", "options")
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    dataset_urn: str
    name: str
    options: _common_pb2.ReadOptions
    def __init__(self, dataset_urn: _Optional[str] = ..., name: _Optional[str] = ..., options: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ...) -> None: ...

class AddResolutionRuleRequest(_message.Message):
    __slots__ = ("dataset_urn", "rule")
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    dataset_urn: str
    rule: ResolutionRule
    def __init__(self, dataset_urn: _Optional[str] = ..., rule: _Optional[_Union[ResolutionRule, _Mapping]] = ...) -> None: ...

class UpdateResolutionRuleRequest(_message.Message):
    __slots__ = ("dataset_urn", "rule")
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    dataset_urn: str
    rule: ResolutionRule
    def __init__(self, dataset_urn: _Optional[str] = ..., rule: _Optional[_Union[ResolutionRule, _Mapping]] = ...) -> None: ...

class RemoveResolutionRuleRequest(_message.Message):
    __slots__ = ("dataset_urn", "name")
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    dataset_urn: str
    name: str
    def __init__(self, dataset_urn: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class RemoveResolutionRuleResponse(_message.Message):
    __slots__ = ("answer",)
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    answer: _common_pb2.AnswerInfo
    def __init__(self, answer: _Optional[_Union[_common_pb2.AnswerInfo, _Mapping]] = ...) -> None: ...

class ResolveDatasetRequest(_message.Message):
    __slots__ = ("topic", "payload")
    TOPIC_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    topic: str
    payload: _struct_pb2.Value
    def __init__(self, topic: _Optional[str] = ..., payload: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ...) -> None: ...

class ResolveDatasetResponse(_message.Message):
    __slots__ = ("topic", "dataset_urn", "registered", "status", "rule", "steps", "contract_violations")
    TOPIC_FIELD_NUMBER: _ClassVar[int]
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    REGISTERED_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    CONTRACT_VIOLATIONS_FIELD_NUMBER: _ClassVar[int]
    topic: str
    dataset_urn: str
    registered: bool
    status: str
    rule: ResolutionStep
    steps: _containers.RepeatedCompositeFieldContainer[ResolutionStep]
    contract_violations: _containers.RepeatedCompositeFieldContainer[_common_pb2.Violation]
    def __init__(self, topic: _Optional[str] = ..., dataset_urn: _Optional[str] = ..., registered: _Optional[bool] = ..., status: _Optional[str] = ..., rule: _Optional[_Union[ResolutionStep, _Mapping]] = ..., steps: _Optional[_Iterable[_Union[ResolutionStep, _Mapping]]] = ..., contract_violations: _Optional[_Iterable[_Union[_common_pb2.Violation, _Mapping]]] = ...) -> None: ...

class ResolutionStep(_message.Message):
    __slots__ = ("rule", "owner_urn", "topic_pattern", "resolution_type", "priority", "dataset_urn", "reason")
    RULE_FIELD_NUMBER: _ClassVar[int]
    OWNER_URN_FIELD_NUMBER: _ClassVar[int]
    TOPIC_PATTERN_FIELD_NUMBER: _ClassVar[int]
    RESOLUTION_TYPE_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    rule: str
    owner_urn: str
    topic_pattern: str
    resolution_type: str
    priority: int
    dataset_urn: str
    reason: str
    def __init__(self, rule: _Optional[str] = ..., owner_urn: _Optional[str] = ..., topic_pattern: _Optional[str] = ..., resolution_type: _Optional[str] = ..., priority: _Optional[int] = ..., dataset_urn: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...
