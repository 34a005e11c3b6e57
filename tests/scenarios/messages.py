"""Messages as JSON in which everything is said, also what is not there."""

from datetime import UTC
from typing import Any

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct
from google.protobuf.timestamp_pb2 import Timestamp

from domain.timestamps import stamp
from tests.scenarios.answers import Told, plain


def in_json(message: Message) -> dict[str, Told]:
    """What HTTP says in headers is left out."""
    return {
        field.name: _field(message, field)
        for field in message.DESCRIPTOR.fields
        if field.name != "answer"
    }


def _field(message: Message, field: Any) -> Told:
    value = getattr(message, field.name)
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        return {key: _one(value[key]) for key in value}
    if field.is_repeated:
        return list(map(_one, value))
    if field.has_presence and not message.HasField(field.name):
        return None
    return _one(value)


def _one(value: Any) -> Told:
    match value:
        case Timestamp():
            return stamp(value.ToDatetime(tzinfo=UTC))
        case Struct():
            return plain(MessageToDict(value))
        case Message():
            return in_json(value)
        case _:
            return plain(value)
