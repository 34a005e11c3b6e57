import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ProducerInfo(_message.Message):
    __slots__ = ("producer_id", "version", "confidence")
    PRODUCER_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    producer_id: str
    version: str
    confidence: str
    def __init__(self, producer_id: _Optional[str] = ..., version: _Optional[str] = ..., confidence: _Optional[str] = ...) -> None: ...

class Violation(_message.Message):
    __slots__ = ("field", "code", "message")
    FIELD_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    field: str
    code: str
    message: str
    def __init__(self, field: _Optional[str] = ..., code: _Optional[str] = ..., message: _Optional[str] = ...) -> None: ...

class ReadOptions(_message.Message):
    __slots__ = ("as_of", "min_position", "strong")
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    MIN_POSITION_FIELD_NUMBER: _ClassVar[int]
    STRONG_FIELD_NUMBER: _ClassVar[int]
    as_of: _timestamp_pb2.Timestamp
    min_position: str
    strong: bool
    def __init__(self, as_of: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., min_position: _Optional[str] = ..., strong: _Optional[bool] = ...) -> None: ...

class AnswerInfo(_message.Message):
    __slots__ = ("position", "age_seconds", "as_of", "replayed", "stale")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    AGE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    REPLAYED_FIELD_NUMBER: _ClassVar[int]
    STALE_FIELD_NUMBER: _ClassVar[int]
    position: str
    age_seconds: float
    as_of: _timestamp_pb2.Timestamp
    replayed: bool
    stale: bool
    def __init__(self, position: _Optional[str] = ..., age_seconds: _Optional[float] = ..., as_of: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., replayed: _Optional[bool] = ..., stale: _Optional[bool] = ...) -> None: ...
