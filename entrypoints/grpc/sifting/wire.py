"""Where the fields of a message lie in its bytes, without reading what they say."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

Path = tuple[int, ...]
"""The tags that lead to a field: its number, and what kind of value it has.

So what has the number of a field, but not its kind, is not taken for it.
"""

_NUMBER, _BYTES = 0, 2
_LONGEST_NUMBER = 10
_NUMBERS = (FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_INT64)


class Strange(Exception):
    """The bytes are of a kind that is not looked into here."""


def path(message: type[Message], name: str) -> Path:
    """To the field of this name, with dots: a text, a message or a whole number."""
    described: Any = message.DESCRIPTOR
    tags = list[int]()
    for word in name.split("."):
        field = described.fields_by_name[word]
        tags.append(field.number << 3 | (_NUMBER if field.type in _NUMBERS else _BYTES))
        described = field.message_type
    return tuple(tags)


def located(sent: bytes, wanted: Collection[Path]) -> Mapping[Path, slice]:
    """Where the values lie of those that are wanted. Raises Strange."""
    inner = {one[:end] for one in wanted for end in range(1, len(one))}
    found: dict[Path, slice] = {}
    messages: list[tuple[Path, slice]] = [((), slice(0, len(sent)))]
    for above, message in messages:
        for tag, place in _fields(sent, message):
            here = (*above, tag)
            if here in inner:
                messages.append((here, place))
            elif here in wanted:
                # If there are several, the last one counts.
                found[here] = place
    return found


def repeated(sent: bytes, tag: int) -> Iterator[bytes]:
    """The messages of a message that has no other field. Raises Strange.

    Hundreds come at once: the usual lengths, of two bytes, are put together here.
    """
    start, end = 0, len(sent)
    while start < end:
        if sent[start] != tag:
            raise Strange
        if end - start > 2 and sent[start + 1] > 127 >= sent[start + 2]:
            length, begins = sent[start + 1] - 128 + (sent[start + 2] << 7), start + 3
        else:
            length, begins = _number(sent, start + 1, end)
        start = begins + length
        if start > end:
            raise Strange
        yield sent[begins:start]


def _fields(sent: bytes, message: slice) -> Iterator[tuple[int, slice]]:
    """The tags of the message that lies there, in their order, with the places of the values."""
    start, end = message.start, message.stop
    while start < end:
        tag, start = _number(sent, start, end)
        length, after = _number(sent, start, end)
        if tag & 7 == _BYTES:
            start, after = after, after + length
        elif tag & 7 != _NUMBER:
            raise Strange
        yield tag, slice(start, after)
        start = after


def _number(sent: bytes, start: int, end: int) -> tuple[int, int]:
    """The number that begins there, and where it ends."""
    value = 0
    for place, byte in enumerate(sent[start : min(end, start + _LONGEST_NUMBER)]):
        value |= (byte & 127) << (7 * place)
        if byte < 128:
            return value, start + place + 1
    raise Strange
