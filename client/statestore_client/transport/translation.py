"""
Between our values and the messages of the wire, by the names and types of their fields.

A field that a value may leave out (`X | None`) is None where the message says nothing: where it is
not set or, if the wire cannot tell, empty. What to do for each field is found out once per type.
"""

import types
from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import UTC, datetime
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct, Value
from google.protobuf.timestamp_pb2 import Timestamp

Model = TypeVar("Model")
Read = Callable[[Any], Any]

_CALLED = "called"
_ONLY_TOLD = {"answer"}
_TIMESTAMP = Timestamp.DESCRIPTOR.full_name
_JSON = {Struct.DESCRIPTOR.full_name, Value.DESCRIPTOR.full_name}


def called(name: str) -> Mapping[str, str]:
    """Metadata of a field that has another name on the wire."""
    return {_CALLED: name}


def told(model: type[Model], message: Message) -> Model:
    """What the message says."""
    readers = _readers(model, message.DESCRIPTOR)  # type: ignore[arg-type]  # types are hashable
    return model(**{name: read(message) for name, read in readers})


def tell(value: Any, message: Any) -> None:
    """Write the value into the message."""
    for name, ours in _names(type(value)):  # type: ignore[arg-type]  # as above
        if ours not in _ONLY_TOLD:
            put(message, name, getattr(value, ours))


def put(message: Any, name: str, said: Any) -> None:
    """Set one field of a message, of whatever type; nothing is set if None is said."""
    if said is None:
        return
    field = message.DESCRIPTOR.fields_by_name[name]
    if field.message_type is None:
        _put_plain(message, name, said)
    elif field.message_type.full_name == _TIMESTAMP:
        getattr(message, name).CopyFrom(to_timestamp(said, name))
    elif field.message_type.full_name in _JSON:
        ParseDict(said, getattr(message, name))
    else:
        _put_parts(getattr(message, name), said)


def to_timestamp(moment: datetime, name: str) -> Timestamp:
    if moment.utcoffset() is None:
        raise ValueError(f"{name} must tell its offset from UTC, such as datetime.now(UTC)")
    stamp = Timestamp()
    stamp.FromDatetime(moment)
    return stamp


def _put_plain(message: Any, name: str, said: Any) -> None:
    if isinstance(said, tuple | list):
        getattr(message, name).extend(said)
    else:
        setattr(message, name, said)


def _put_parts(place: Any, said: Any) -> None:
    match said:
        case tuple() | list():
            for one in said:
                tell(one, place.add())
        case Mapping():
            for key, one in said.items():
                tell(one, place[key])
        case _:
            # Even a value in which nothing is said is said.
            place.SetInParent()
            tell(said, place)


@cache
def _names(model: type) -> tuple[tuple[str, str], ...]:
    return tuple((one.metadata.get(_CALLED, one.name), one.name) for one in fields(model))


@cache
def _readers(model: type, descriptor: Descriptor) -> tuple[tuple[str, Read], ...]:
    hints = get_type_hints(model)
    return tuple(
        (ours, _reader(hints[ours], descriptor.fields_by_name[name]))
        for name, ours in _names(model)
    )


def _reader(hint: Any, field: FieldDescriptor) -> Read:
    """How a field is read off a message."""
    name = field.name
    if get_origin(hint) is tuple:
        one = _converter(get_args(hint)[0], field)
        return lambda message: tuple(map(one, getattr(message, name)))
    entry = field.message_type
    if get_origin(hint) is Mapping and entry is not None and entry.GetOptions().map_entry:
        value = _converter(get_args(hint)[1], entry.fields_by_name["value"])
        return lambda message: {key: value(v) for key, v in getattr(message, name).items()}
    bare, optional = _without_none(hint)
    convert = _converter(bare, field)
    if not optional:
        return lambda message: convert(getattr(message, name))
    if field.has_presence:
        return lambda message: convert(getattr(message, name)) if message.HasField(name) else None
    return lambda message: convert(said) if (said := getattr(message, name)) else None


def _converter(hint: Any, field: FieldDescriptor) -> Read:
    kind = field.message_type
    if kind is None:
        # Words, and numbers as they are.
        return hint if isinstance(hint, type) and issubclass(hint, str) else _same
    if kind.full_name == _TIMESTAMP:
        return _moment
    if kind.full_name in _JSON:
        return MessageToDict
    return lambda message: told(hint, message)


def _same(said: Any) -> Any:
    return said


def _moment(stamp: Timestamp) -> datetime:
    return stamp.ToDatetime(tzinfo=UTC)


def _without_none(hint: Any) -> tuple[Any, bool]:
    if get_origin(hint) not in (Union, types.UnionType):
        # Anything may be nothing.
        return hint, hint is Any
    bare = [one for one in get_args(hint) if one is not type(None)]
    return bare[0], True
