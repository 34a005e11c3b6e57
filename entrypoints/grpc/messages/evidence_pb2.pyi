import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from entrypoints.grpc.messages import common_pb2 as _common_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Evidence(_message.Message):
    __slots__ = ("evidence_id", "dataset_urn", "created_at", "producer", "source", "validation", "fingerprints", "otel", "payload_ref", "payload_size_bytes", "recorded_at", "archived")
    EVIDENCE_ID_FIELD_NUMBER: _ClassVar[int]
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    PRODUCER_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    VALIDATION_FIELD_NUMBER: _ClassVar[int]
    FINGERPRINTS_FIELD_NUMBER: _ClassVar[int]
    OTEL_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_REF_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_SIZE_BYTES_FIELD_NUMBER: _ClassVar[int]
    RECORDED_AT_FIELD_NUMBER: _ClassVar[int]
    ARCHIVED_FIELD_NUMBER: _ClassVar[int]
    evidence_id: str
    dataset_urn: str
    created_at: _timestamp_pb2.Timestamp
    producer: _common_pb2.ProducerInfo
    source: SourceInfo
    validation: ValidationResult
    fingerprints: Fingerprints
    otel: OtelContext
    payload_ref: str
    payload_size_bytes: int
    recorded_at: _timestamp_pb2.Timestamp
    archived: bool
    def __init__(self, evidence_id: _Optional[str] = ..., dataset_urn: _Optional[str] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., producer: _Optional[_Union[_common_pb2.ProducerInfo, _Mapping]] = ..., source: _Optional[_Union[SourceInfo, _Mapping]] = ..., validation: _Optional[_Union[ValidationResult, _Mapping]] = ..., fingerprints: _Optional[_Union[Fingerprints, _Mapping]] = ..., otel: _Optional[_Union[OtelContext, _Mapping]] = ..., payload_ref: _Optional[str] = ..., payload_size_bytes: _Optional[int] = ..., recorded_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., archived: _Optional[bool] = ...) -> None: ...

class SourceInfo(_message.Message):
    __slots__ = ("topic", "partition", "offset")
    TOPIC_FIELD_NUMBER: _ClassVar[int]
    PARTITION_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    topic: str
    partition: int
    offset: int
    def __init__(self, topic: _Optional[str] = ..., partition: _Optional[int] = ..., offset: _Optional[int] = ...) -> None: ...

class ValidationResult(_message.Message):
    __slots__ = ("result", "failed_gates", "reason_codes")
    RESULT_FIELD_NUMBER: _ClassVar[int]
    FAILED_GATES_FIELD_NUMBER: _ClassVar[int]
    REASON_CODES_FIELD_NUMBER: _ClassVar[int]
    result: str
    failed_gates: _containers.RepeatedScalarFieldContainer[str]
    reason_codes: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, result: _Optional[str] = ..., failed_gates: _Optional[_Iterable[str]] = ..., reason_codes: _Optional[_Iterable[str]] = ...) -> None: ...

class Fingerprints(_message.Message):
    __slots__ = ("schema_fingerprint", "payload_hash")
    SCHEMA_FINGERPRINT_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_HASH_FIELD_NUMBER: _ClassVar[int]
    schema_fingerprint: str
    payload_hash: str
    def __init__(self, schema_fingerprint: _Optional[str] = ..., payload_hash: _Optional[str] = ...) -> None: ...

class OtelContext(_message.Message):
    __slots__ = ("trace_id", "span_id")
    TRACE_ID_FIELD_NUMBER: _ClassVar[int]
    SPAN_ID_FIELD_NUMBER: _ClassVar[int]
    trace_id: str
    span_id: str
    def __init__(self, trace_id: _Optional[str] = ..., span_id: _Optional[str] = ...) -> None: ...

class PutEvidenceRequest(_message.Message):
    __slots__ = ("evidence",)
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    evidence: Evidence
    def __init__(self, evidence: _Optional[_Union[Evidence, _Mapping]] = ...) -> None: ...

class PutEvidenceResponse(_message.Message):
    __slots__ = ("kept", "error_code", "error_message", "violations")
    KEPT_FIELD_NUMBER: _ClassVar[int]
    ERROR_CODE_FIELD_NUMBER: _ClassVar[int]
    ERROR_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    VIOLATIONS_FIELD_NUMBER: _ClassVar[int]
    kept: bool
    error_code: str
    error_message: str
    violations: _containers.RepeatedCompositeFieldContainer[_common_pb2.Violation]
    def __init__(self, kept: _Optional[bool] = ..., error_code: _Optional[str] = ..., error_message: _Optional[str] = ..., violations: _Optional[_Iterable[_Union[_common_pb2.Violation, _Mapping]]] = ...) -> None: ...

class BatchPutEvidenceRequest(_message.Message):
    __slots__ = ("evidence",)
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    evidence: _containers.RepeatedCompositeFieldContainer[Evidence]
    def __init__(self, evidence: _Optional[_Iterable[_Union[Evidence, _Mapping]]] = ...) -> None: ...

class BatchPutEvidenceResponse(_message.Message):
    __slots__ = ("results", "stored_count", "sampled_out_count", "failure_count")
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    STORED_COUNT_FIELD_NUMBER: _ClassVar[int]
    SAMPLED_OUT_COUNT_FIELD_NUMBER: _ClassVar[int]
    FAILURE_COUNT_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[PutEvidenceResponse]
    stored_count: int
    sampled_out_count: int
    failure_count: int
    def __init__(self, results: _Optional[_Iterable[_Union[PutEvidenceResponse, _Mapping]]] = ..., stored_count: _Optional[int] = ..., sampled_out_count: _Optional[int] = ..., failure_count: _Optional[int] = ...) -> None: ...

class GetEvidenceRequest(_message.Message):
    __slots__ = ("evidence_id",)
    EVIDENCE_ID_FIELD_NUMBER: _ClassVar[int]
    evidence_id: str
    def __init__(self, evidence_id: _Optional[str] = ...) -> None: ...

class BatchGetEvidenceRequest(_message.Message):
    __slots__ = ("evidence_ids",)
    EVIDENCE_IDS_FIELD_NUMBER: _ClassVar[int]
    evidence_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, evidence_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class BatchGetEvidenceResponse(_message.Message):
    __slots__ = ("evidence", "missing_ids")
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    MISSING_IDS_FIELD_NUMBER: _ClassVar[int]
    evidence: _containers.RepeatedCompositeFieldContainer[Evidence]
    missing_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, evidence: _Optional[_Iterable[_Union[Evidence, _Mapping]]] = ..., missing_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class ListEvidenceRequest(_message.Message):
    __slots__ = ("dataset_urn", "created_since", "created_before", "page_size", "page_token")
    DATASET_URN_FIELD_NUMBER: _ClassVar[int]
    CREATED_SINCE_FIELD_NUMBER: _ClassVar[int]
    CREATED_BEFORE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    dataset_urn: str
    created_since: _timestamp_pb2.Timestamp
    created_before: _timestamp_pb2.Timestamp
    page_size: int
    page_token: str
    def __init__(self, dataset_urn: _Optional[str] = ..., created_since: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., created_before: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListEvidenceResponse(_message.Message):
    __slots__ = ("evidence", "next_page_token")
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    evidence: _containers.RepeatedCompositeFieldContainer[Evidence]
    next_page_token: str
    def __init__(self, evidence: _Optional[_Iterable[_Union[Evidence, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...
