"""The same answer over gRPC and over HTTP: messages as the JSON that HTTP would answer."""

from datetime import UTC
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct, Value
from google.protobuf.timestamp_pb2 import Timestamp

from domain.timestamps import stamp


def plain(message: Message) -> Any:
    """What a message tells, to be compared with JSON that went `without_nothing`."""
    return without_nothing(in_json(message))


def in_json(message: Message) -> Any:
    """All that a message says. What HTTP says in headers is left out."""
    return {
        field.name: _plain(field, value)
        for field, value in message.ListFields()
        if field.name != "answer"
    }


def _plain(field: FieldDescriptor, value: Any) -> Any:
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        return {key: _one(item) for key, item in value.items()}
    if field.is_repeated:
        return [_one(item) for item in value]
    return _one(value)


def _one(value: Any) -> Any:
    match value:
        case Timestamp():
            return stamp(value.ToDatetime(tzinfo=UTC))
        case Struct() | Value():
            return MessageToDict(value)
        case Message():
            return in_json(value)
        case _:
            return value


def without_nothing(told: Any) -> Any:
    """JSON without what messages do not tell apart from nothing: null, empty, zero and false."""
    match told:
        case dict():
            kept = {name: without_nothing(value) for name, value in told.items()}
            return {name: value for name, value in kept.items() if value}
        case list():
            return [without_nothing(item) for item in told]
        case _:
            return told
