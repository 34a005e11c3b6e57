"""Which fields of the answers are filled in what was recorded."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import define, field

from tests.golden.responses.recorder import API, OPERATIONS

SCHEMAS: Mapping[str, Any] = API["components"]["schemas"]

Named = tuple[str, str]
"""A component of the API, and one of its fields."""


@define
class Filled:
    """Walks through answers along their schemas."""

    known: set[Named] = field(factory=set)
    """The fields of the components that were met."""
    filled: set[Named] = field(factory=set)

    def lacking(self) -> set[str]:
        return {".".join(one) for one in self.known - self.filled}

    def answer(self, operation: str, body: Any) -> None:
        self._value(OPERATIONS[operation].schema, body)

    def _value(self, schema: Mapping[str, Any], value: Any) -> None:
        if "$ref" in schema:
            self._component(schema["$ref"].rpartition("/")[2], value)
        for one in _alternatives(schema, value):
            self._value(one, value)
        if isinstance(value, list):
            for item in value:
                self._value(schema.get("items", {}), item)
        elif isinstance(value, dict) and isinstance(schema.get("additionalProperties"), dict):
            for item in value.values():
                self._value(schema["additionalProperties"], item)

    def _component(self, name: str, value: Any) -> None:
        fields = SCHEMAS[name].get("properties", {})
        for one, schema in fields.items() if isinstance(value, dict) else ():
            self.known.add((name, one))
            if value.get(one) not in (None, [], {}):
                self.filled.add((name, one))
                self._value(schema, value[one])


def _alternatives(schema: Mapping[str, Any], value: Any) -> Iterator[Mapping[str, Any]]:
    """Those that the value may be of: all of its fields are known to it."""
    for one in [*schema.get("anyOf", ()), *schema.get("oneOf", ())]:
        fields: Iterable[str] = SCHEMAS.get(one.get("$ref", "").rpartition("/")[2], {}).get(
            "properties", ()
        )
        if not isinstance(value, dict) or set(value) <= set(fields):
            yield one
