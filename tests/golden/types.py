"""Types as text that names no class of ours: a class may be renamed or moved."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, NewType, Union, get_args, get_origin, get_type_hints

import attrs
from pydantic import SecretStr

Shape = str | dict[str, Any] | list[Any]

_PLAIN: Mapping[Any, str] = {
    Any: "any",
    NoneType: "null",
    Path: "path",
    SecretStr: "secret",
    bool: "boolean",
    bytes: "bytes",
    datetime: "moment",
    float: "number",
    int: "integer",
    object: "any",
    str: "string",
    timedelta: "span",
}


def shape(kind: Any) -> Shape:
    """A plain type by its name, a record by its fields, an enumeration by its values."""
    if isinstance(kind, NewType):
        return shape(kind.__supertype__)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return shape(arguments[0])
    if origin in (Union, UnionType):
        return _one_of([shape(one) for one in arguments])
    if origin is not None:
        return _collection(origin, [one for one in arguments if one is not Ellipsis])
    if kind in _PLAIN:
        return _PLAIN[kind]
    if issubclass(kind, Enum):
        return "enum " + " ".join(sorted(str(one.value) for one in kind))
    return record(kind)


def record(kind: type) -> dict[str, Shape]:
    """By field; those with a default are left out where they have it, and end with a `?`."""
    hints = get_type_hints(kind)
    return {
        one.name + ("" if one.default is attrs.NOTHING else "?"): shape(hints[one.name])
        for one in attrs.fields(kind)
    }


def _one_of(shapes: list[Shape]) -> Shape:
    if all(isinstance(one, str) for one in shapes):
        return " or ".join(map(str, shapes))
    return {"one of": shapes}


def _collection(origin: Any, arguments: list[Any]) -> Shape:
    if issubclass(origin, Mapping):
        key, value = arguments
        return {"by": shape(key), "to": shape(value)}
    return {"list of": [shape(one) for one in arguments]}
