"""Any JSON within a message, as plain values and back."""

import math
from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import Any, TypeVar

from google.protobuf.struct_pb2 import ListValue, Value

from domain.errors import Violation
from domain.validation import LARGEST_INTEGER
from domain.violations import MOST_VIOLATIONS
from entrypoints.grpc.fields.fields import LONGEST_PLACE
from entrypoints.interfaces.sent import Sent

T = TypeVar("T")

LARGEST = 1024 * 1024
"""Bytes: as much as HTTP takes. All other calls wait while a value is read."""


def parse_value(value: Value, place: str) -> Sent[Any]:
    """What was sent. Messages have one kind of number: a whole one is read as such."""
    if value.ByteSize() > LARGEST:
        said = f"must have at most {LARGEST} bytes"
        return Sent(None, [Violation(place[:LONGEST_PLACE], "TOO_LARGE", said)])
    violations: list[Violation] = []
    return Sent(_said(value, place, violations), violations)


def _said(value: Value, place: str, found: list[Violation]) -> Any:
    match value.WhichOneof("kind"):
        case "null_value":
            return None
        case "bool_value":
            return value.bool_value
        case "string_value":
            return value.string_value
        case "number_value":
            return _number(value.number_value, place, found)
        case "list_value":
            items = _readable(enumerate(value.list_value.values), found)
            return [_said(item, f"{place}[{index}]", found) for index, item in items]
        case "struct_value":
            fields = _readable(value.struct_value.fields.items(), found)
            return {name: _said(item, f"{place}.{name}", found) for name, item in fields}
        case _:
            said = "must be null, true, false, a number, a text, a list or an object"
            found.append(Violation(place[:LONGEST_PLACE], "WRONG_TYPE", said))
            return None


def _readable(items: Iterable[T], found: list[Violation]) -> Iterator[T]:
    """The items, until more is wrong than anyone is told."""
    return takewhile(lambda _: len(found) < MOST_VIOLATIONS, items)


def _number(value: float, place: str, found: list[Violation]) -> float | None:
    if value.is_integer() and abs(value) <= LARGEST_INTEGER:
        return int(value)
    if math.isfinite(value):
        return value
    found.append(Violation(place[:LONGEST_PLACE], "OUT_OF_RANGE", "must be a finite number"))
    return None


def value_told(value: object) -> Value | None:
    """Nothing for nothing."""
    match value:
        case bool():
            return Value(bool_value=value)
        case str():
            return Value(string_value=value)
        case int() | float():
            return Value(number_value=value)
        case list() | tuple():
            items = ListValue()
            items.extend(value)
            return Value(list_value=items)
        case _:
            return None
