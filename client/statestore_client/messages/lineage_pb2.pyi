import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from statestore_client.messages import common_pb2 as _common_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DeclaredEntry(_message.Message):
    __slots__ = ("urn", "entity_id", "entity_name", "entity_type")
    URN_FIELD_NUMBER: _ClassVar[int]
    ENTITY_ID_FIELD_NUMBER: _ClassVar[int]
    ENTITY_NAME_FIELD_NUMBER: _ClassVar[int]
    ENTITY_TYPE_FIELD_NUMBER: _ClassVar[int]
    urn: str
    entity_id: str
    entity_name: str
    entity_type: str
    def __init__(self, urn: _Optional[str] = ..., entity_id: _Optional[str] = ..., entity_name: _Optional[str] = ..., entity_type: _Optional[str] = ...) -> None: ...

class DeclareLineageRequest(_message.Message):
    __slots__ = ("spec_id", "dataset_reads", "dataset_writes", "column_reads", "column_writes", "confidence", "commit", "updated_at", "ttl_seconds")
    SPEC_ID_FIELD_NUMBER: _ClassVar[int]
    DATASET_READS_FIELD_NUMBER: _ClassVar[int]
    DATASET_WRITES_FIELD_NUMBER: _ClassVar[int]
    COLUMN_READS_FIELD_NUMBER: _ClassVar[int]
    COLUMN_WRITES_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    COMMIT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    TTL_SECONDS_FIELD_NUMBER: _ClassVar[int]
    spec_id: str
    dataset_reads: _containers.RepeatedCompositeFieldContainer[DeclaredEntry]
    dataset_writes: _containers.RepeatedCompositeFieldContainer[DeclaredEntry]
    column_reads: _containers.RepeatedCompositeFieldContainer[DeclaredEntry]
    column_writes: _containers.RepeatedCompositeFieldContainer[DeclaredEntry]
    confidence: str
    commit: str
    updated_at: _timestamp_pb2.Timestamp
    ttl_seconds: int
    def __init__(self, spec_id: _Optional[str] = ..., dataset_reads: _Optional[_Iterable[_Union[DeclaredEntry, _Mapping]]] = ..., dataset_writes: _Optional[_Iterable[_Union[DeclaredEntry, _Mapping]]] = ..., column_reads: _Optional[_Iterable[_Union[DeclaredEntry, _Mapping]]] = ..., column_writes: _Optional[_Iterable[_Union[DeclaredEntry, _Mapping]]] = ..., confidence: _Optional[str] = ..., commit: _Optional[str] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., ttl_seconds: _Optional[int] = ...) -> None: ...

class DeclareLineageResponse(_message.Message):
    __slots__ = ("spec_id", "producer_id", "result", "current_spec_id", "updated_at", "expires_at", "answer")
    SPEC_ID_FIELD_NUMBER: _ClassVar[int]
    PRODUCER_ID_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    CURRENT_SPEC_ID_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    spec_id: str
    producer_id: str
    result: str
    current_spec_id: str
    updated_at: _timestamp_pb2.Timestamp
    expires_at: _timestamp_pb2.Timestamp
    answer: _common_pb2.AnswerInfo
    def __init__(self, spec_id: _Optional[str] = ..., producer_id: _Optional[str] = ..., result: _Optional[str] = ..., current_spec_id: _Optional[str] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., answer: _Optional[_Union[_common_pb2.AnswerInfo, _Mapping]] = ...) -> None: ...

class ListWritersRequest(_message.Message):
    __slots__ = ("urn", "page_size", "page_token", "options")
    URN_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    urn: str
    page_size: int
    page_token: str
    options: _common_pb2.ReadOptions
    def __init__(self, urn: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., options: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ...) -> None: ...

class ListReadersRequest(_message.Message):
    __slots__ = ("urn", "page_size", "page_token", "options")
    URN_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    urn: str
    page_size: int
    page_token: str
    options: _common_pb2.ReadOptions
    def __init__(self, urn: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., options: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ...) -> None: ...

class LineageEntry(_message.Message):
    __slots__ = ("entity_id", "entity_name", "entity_type", "confidence", "spec_id", "commit", "updated_at", "expires_at", "other_spec_ids")
    ENTITY_ID_FIELD_NUMBER: _ClassVar[int]
    ENTITY_NAME_FIELD_NUMBER: _ClassVar[int]
    ENTITY_TYPE_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    SPEC_ID_FIELD_NUMBER: _ClassVar[int]
    COMMIT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    OTHER_SPEC_IDS_FIELD_NUMBER: _ClassVar[int]
    entity_id: str
    entity_name: str
    entity_type: str
    confidence: str
    spec_id: str
    commit: str
    updated_at: _timestamp_pb2.Timestamp
    expires_at: _timestamp_pb2.Timestamp
    other_spec_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, entity_id: _Optional[str] = ..., entity_name: _Optional[str] = ..., entity_type: _Optional[str] = ..., confidence: _Optional[str] = ..., spec_id: _Optional[str] = ..., commit: _Optional[str] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., other_spec_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class ListLineageResponse(_message.Message):
    __slots__ = ("entries", "next_page_token", "answer")
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[LineageEntry]
    next_page_token: str
    answer: _common_pb2.AnswerInfo
    def __init__(self, entries: _Optional[_Iterable[_Union[LineageEntry, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., answer: _Optional[_Union[_common_pb2.AnswerInfo, _Mapping]] = ...) -> None: ...

class GetDatasetImpactRequest(_message.Message):
    __slots__ = ("dataset_urn", "field", "depth", "options")
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    FIELD_FIELD_NUMBER: _ClassVar[int]
    DEPTH_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    dataset_urn: str
    field: str
    depth: int
    options: _common_pb2.ReadOptions
    def __init__(self, dataset_urn: _Optional[str] = ..., field: _Optional[str] = ..., depth: _Optional[int] = ..., options: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ...) -> None: ...

class DatasetImpact(_message.Message):
    __slots__ = ("dataset_urn", "field", "depth", "entities", "datasets", "truncated", "depth_limit_reached", "answer")
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    FIELD_FIELD_NUMBER: _ClassVar[int]
    DEPTH_FIELD_NUMBER: _ClassVar[int]
    ENTITIES_FIELD_NUMBER: _ClassVar[int]
    DATASETS_FIELD_NUMBER: _ClassVar[int]
    TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    DEPTH_LIMIT_REACHED_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    dataset_urn: str
    field: str
    depth: int
    entities: _containers.RepeatedCompositeFieldContainer[ImpactedEntity]
    datasets: _containers.RepeatedCompositeFieldContainer[ImpactedDataset]
    truncated: bool
    depth_limit_reached: bool
    answer: _common_pb2.AnswerInfo
    def __init__(self, dataset_urn: _Optional[str] = ..., field: _Optional[str] = ..., depth: _Optional[int] = ..., entities: _Optional[_Iterable[_Union[ImpactedEntity, _Mapping]]] = ..., datasets: _Optional[_Iterable[_Union[ImpactedDataset, _Mapping]]] = ..., truncated: _Optional[bool] = ..., depth_limit_reached: _Optional[bool] = ..., answer: _Optional[_Union[_common_pb2.AnswerInfo, _Mapping]] = ...) -> None: ...

class ImpactedEntity(_message.Message):
    __slots__ = ("entity_id", "entity_name", "entity_type", "distance", "via", "confidence")
    ENTITY_ID_FIELD_NUMBER: _ClassVar[int]
    ENTITY_NAME_FIELD_NUMBER: _ClassVar[int]
    ENTITY_TYPE_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_FIELD_NUMBER: _ClassVar[int]
    VIA_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    entity_id: str
    entity_name: str
    entity_type: str
    distance: int
    via: str
    confidence: str
    def __init__(self, entity_id: _Optional[str] = ..., entity_name: _Optional[str] = ..., entity_type: _Optional[str] = ..., distance: _Optional[int] = ..., via: _Optional[str] = ..., confidence: _Optional[str] = ...) -> None: ...

class ImpactedDataset(_message.Message):
    __slots__ = ("dataset_urn", "tier", "columns", "whole", "distance", "through", "confidence")
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    TIER_FIELD_NUMBER: _ClassVar[int]
    COLUMNS_FIELD_NUMBER: _ClassVar[int]
    WHOLE_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_FIELD_NUMBER: _ClassVar[int]
    THROUGH_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    dataset_urn: str
    tier: str
    columns: _containers.RepeatedScalarFieldContainer[str]
    whole: bool
    distance: int
    through: str
    confidence: str
    def __init__(self, dataset_urn: _Optional[str] = ..., tier: _Optional[str] = ..., columns: _Optional[_Iterable[str]] = ..., whole: _Optional[bool] = ..., distance: _Optional[int] = ..., through: _Optional[str] = ..., confidence: _Optional[str] = ...) -> None: ...
