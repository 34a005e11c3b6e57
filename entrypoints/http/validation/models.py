"""
Reading a JSON object into a model, and telling everything that is wrong with it.

What cannot be read is named, put aside, and the rest is read without it: so the use case sees as
much as possible, and the caller hears of unreadable and of unacceptable fields at once.
"""

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, ClassVar, Generic, TypeVar

from attrs import frozen
from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler, ValidationError
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from domain.errors import Invalid, Violation
from domain.violations import MOST_VIOLATIONS, parts

_LONGEST_NAME = 200

Path = tuple[str | int, ...]


class Body(BaseModel):
    """An object sent to us.

    To pydantic every field is optional, so that one can be put aside. What must be there is named
    in `required`, which is checked last.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    required: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        schema = handler(core_schema)
        inner = handler.resolve_ref_schema(schema)
        if cls.required:
            inner["required"] = list(cls.required)
        for name in cls.required:
            inner["properties"][name] = _not_null(inner["properties"][name])
        return schema

    def missing(self, place: str = "") -> Iterator[Violation]:
        """What is required and not there, at any depth."""
        for name in type(self).model_fields:
            value, field = getattr(self, name), f"{place}{name}"
            if value in (None, "") and name in self.required:
                yield Violation(field, "REQUIRED", "is required")
            yield from _missing_within(value, field)


def _missing_within(value: object, field: str) -> Iterator[Violation]:
    match value:
        case Body():
            yield from value.missing(f"{field}.")
        case list():
            for index, item in enumerate(value):
                yield from _missing_within(item, f"{field}[{index}]")
        case dict():
            for key, item in value.items():
                yield from _missing_within(item, f"{field}.{key}")


def _not_null(schema: dict[str, Any]) -> dict[str, Any]:
    kinds = [kind for kind in schema.get("anyOf", []) if kind != {"type": "null"}]
    rest = {key: value for key, value in schema.items() if key not in ("anyOf", "default")}
    if len(kinds) == 1:
        return {**kinds[0], **rest}
    return {**rest, "anyOf": kinds} if kinds else rest


M = TypeVar("M", bound=Body)


@frozen
class Read(Generic[M]):
    """The readable part of a body, and a violation for each field that is not."""

    body: M
    violations: Sequence[Violation] = ()

    @property
    def found(self) -> Sequence[Violation]:
        """As `violations`, for routes that still collect violations in a list."""
        return self.violations


def read(model: type[M], document: object, *, place: str = "body") -> Read[M]:
    """Raises Invalid if it is not even an object."""
    if not isinstance(document, dict):
        raise Invalid([Violation(place, "WRONG_TYPE", "must be an object")])
    violations: Sequence[Violation] = ()
    try:
        body = model.model_validate(document)
    except ValidationError as error:
        body, violations = _read_rest(model, document, error)
    unread = {violation.field for violation in violations}
    missing = (one for one in body.missing() if unread.isdisjoint(parts(one.field)))
    return Read(body, [*violations, *islice(missing, MOST_VIOLATIONS)])


def _read_rest(
    model: type[M], document: dict[str, Any], error: ValidationError
) -> tuple[M, Sequence[Violation]]:
    errors = error.errors(include_url=False, include_input=False)
    violations = violations_of(errors[:MOST_VIOLATIONS])
    rest = copy.deepcopy(document)
    for one in errors:
        _put_aside(rest, one["loc"], one["type"])
    try:
        return model.model_validate(rest), violations
    except ValidationError:
        raise Invalid(violations) from None


def _put_aside(document: Any, path: Path, kind: str) -> None:
    *way, last = path
    for step in way:
        document = document[step]
    if isinstance(document, list):
        # Leaving an item out would give the others new numbers.
        document[int(last)] = {} if kind == "model_type" else f"unread-{last}"
    elif isinstance(document, dict):
        document.pop(last, None)


def violations_of(errors: Iterable[Any], *, skip: int = 0) -> Sequence[Violation]:
    """Pydantic's errors in our words."""
    return [Violation(_field(one["loc"][skip:]), *_meaning(one)) for one in errors]


def _field(path: Path) -> str:
    field = ""
    for step in path:
        if isinstance(step, int):
            field += f"[{step}]"
        else:
            field += f".{step}" if field else step
    return field[:_LONGEST_NAME]


def _meaning(error: Mapping[str, Any]) -> tuple[str, str]:
    kind, context = error["type"], error.get("ctx", {})
    match kind:
        case "extra_forbidden":
            return "UNKNOWN_FIELD", "is not known"
        case "missing":
            return "REQUIRED", "is required"
        case "enum" | "literal_error":
            return "UNKNOWN_VALUE", f"must be {str(context['expected']).replace(chr(39), '')}"
        case "value_error":
            return "MALFORMED", str(context["error"])
        case "string_too_long":
            return "TOO_LONG", f"must have at most {context['max_length']} characters"
        case "greater_than_equal":
            return "OUT_OF_RANGE", f"must be at least {context['ge']}"
        case "less_than_equal":
            return "OUT_OF_RANGE", f"must be at most {context['le']}"
        case _:
            return "WRONG_TYPE", _TYPES.get(kind, f"cannot be read: {error['msg']}")


_TYPES = {
    "string_type": "must be a text",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "model_type": "must be an object",
}
