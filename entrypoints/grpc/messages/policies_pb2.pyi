from entrypoints.grpc.messages import common_pb2 as _common_pb2
from entrypoints.grpc.messages import datasets_pb2 as _datasets_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GetPolicyRequest(_message.Message):
    __slots__ = ("dataset_urn", "known_etag", "fallback_on_miss", "options")
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    KNOWN_ETAG_FIELD_NUMBER: _ClassVar[int]
    FALLBACK_ON_MISS_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    dataset_urn: str
    known_etag: str
    fallback_on_miss: str
    options: _common_pb2.ReadOptions
    def __init__(self, dataset_urn: _Optional[str] = ..., known_etag: _Optional[str] = ..., fallback_on_miss: _Optional[str] = ..., options: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ...) -> None: ...

class DatasetPolicy(_message.Message):
    __slots__ = ("dataset_urn", "schema_binding", "contract_binding", "pii_policy", "tier", "owner_team", "cache_ttl_seconds", "config_version", "fallback_on_miss", "status", "etag", "not_modified", "answer", "registered", "is_fallback", "stale_seconds")
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    SCHEMA_BINDING_FIELD_NUMBER: _ClassVar[int]
    CONTRACT_BINDING_FIELD_NUMBER: _ClassVar[int]
    PII_POLICY_FIELD_NUMBER: _ClassVar[int]
    TIER_FIELD_NUMBER: _ClassVar[int]
    OWNER_TEAM_FIELD_NUMBER: _ClassVar[int]
    CACHE_TTL_SECONDS_FIELD_NUMBER: _ClassVar[int]
    CONFIG_VERSION_FIELD_NUMBER: _ClassVar[int]
    FALLBACK_ON_MISS_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    NOT_MODIFIED_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    REGISTERED_FIELD_NUMBER: _ClassVar[int]
    IS_FALLBACK_FIELD_NUMBER: _ClassVar[int]
    STALE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    dataset_urn: str
    schema_binding: _datasets_pb2.SchemaBinding
    contract_binding: _datasets_pb2.ContractBinding
    pii_policy: _datasets_pb2.PiiPolicy
    tier: str
    owner_team: str
    cache_ttl_seconds: int
    config_version: int
    fallback_on_miss: str
    status: str
    etag: str
    not_modified: bool
    answer: _common_pb2.AnswerInfo
    registered: bool
    is_fallback: bool
    stale_seconds: float
    def __init__(self, dataset_urn: _Optional[str] = ..., schema_binding: _Optional[_Union[_datasets_pb2.SchemaBinding, _Mapping]] = ..., contract_binding: _Optional[_Union[_datasets_pb2.ContractBinding, _Mapping]] = ..., pii_policy: _Optional[_Union[_datasets_pb2.PiiPolicy, _Mapping]] = ..., tier: _Optional[str] = ..., owner_team: _Optional[str] = ..., cache_ttl_seconds: _Optional[int] = ..., config_version: _Optional[int] = ..., fallback_on_miss: _Optional[str] = ..., status: _Optional[str] = ..., etag: _Optional[str] = ..., not_modified: _Optional[bool] = ..., answer: _Optional[_Union[_common_pb2.AnswerInfo, _Mapping]] = ..., registered: _Optional[bool] = ..., is_fallback: _Optional[bool] = ..., stale_seconds: _Optional[float] = ...) -> None: ...

class BatchGetPoliciesRequest(_message.Message):
    __slots__ = ("policies", "fallback_on_miss", "options")
    POLICIES_FIELD_NUMBER: _ClassVar[int]
    FALLBACK_ON_MISS_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    policies: _containers.RepeatedCompositeFieldContainer[PolicyKey]
    fallback_on_miss: str
    options: _common_pb2.ReadOptions
    def __init__(self, policies: _Optional[_Iterable[_Union[PolicyKey, _Mapping]]] = ..., fallback_on_miss: _Optional[str] = ..., options: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ...) -> None: ...

class PolicyKey(_message.Message):
    __slots__ = ("dataset_urn", "known_etag")
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    KNOWN_ETAG_FIELD_NUMBER: _ClassVar[int]
    dataset_urn: str
    known_etag: str
    def __init__(self, dataset_urn: _Optional[str] = ..., known_etag: _Optional[str] = ...) -> None: ...

class BatchGetPoliciesResponse(_message.Message):
    __slots__ = ("policies", "answer")
    POLICIES_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    policies: _containers.RepeatedCompositeFieldContainer[DatasetPolicy]
    answer: _common_pb2.AnswerInfo
    def __init__(self, policies: _Optional[_Iterable[_Union[DatasetPolicy, _Mapping]]] = ..., answer: _Optional[_Union[_common_pb2.AnswerInfo, _Mapping]] = ...) -> None: ...
