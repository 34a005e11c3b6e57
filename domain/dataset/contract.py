"""
Whether a record keeps the contract its dataset is bound to (S0-079).

A field's name with dots reaches into nested objects: `address.city`. A field that is null counts
as missing. What is broken reads as a failure signature: `MISSING_FIELD:customer_id`.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from domain.dataset.settings import ContractBinding, FieldConstraint, FieldType
from domain.errors import Violation

Matches = Callable[[str, str], bool]
"""Tells whether a regular expression, given first, is found in a text."""


def broken(
    binding: ContractBinding, record: Mapping[str, object], matches: Matches
) -> Sequence[Violation]:
    """Every way in which the record breaks the contract, none if it keeps it."""
    return [*_missing(binding, record), *_astray(binding, record, matches)]


def _missing(binding: ContractBinding, record: Mapping[str, object]) -> Iterator[Violation]:
    for name in binding.required_fields:
        if _value(record, name) is None:
            yield Violation(name, "MISSING_FIELD", "is required")


def _astray(
    binding: ContractBinding, record: Mapping[str, object], matches: Matches
) -> Iterator[Violation]:
    for name, constraint in binding.field_constraints.items():
        value = _value(record, name)
        if value is not None:
            yield from _judged(name, value, constraint, matches)


def _value(record: Mapping[str, object], name: str) -> object | None:
    if name in record:
        return record[name]
    first, _, rest = name.partition(".")
    inner = record.get(first)
    return _value(inner, rest) if rest and isinstance(inner, Mapping) else None


def _judged(
    name: str, value: object, constraint: FieldConstraint, matches: Matches
) -> Iterator[Violation]:
    if constraint.type is not None and not _IS[constraint.type](value):
        yield Violation(name, "WRONG_TYPE", f"must be of type {constraint.type}")
        return
    if isinstance(value, int | float) and _is_number(value):
        yield from _bounded(name, value, constraint)
    if isinstance(value, str):
        yield from _matched(name, value, constraint, matches)


def _bounded(name: str, value: float, constraint: FieldConstraint) -> Iterator[Violation]:
    if constraint.min is not None and value < constraint.min:
        yield Violation(name, "OUT_OF_RANGE", f"must be at least {constraint.min}")
    if constraint.max is not None and value > constraint.max:
        yield Violation(name, "OUT_OF_RANGE", f"must be at most {constraint.max}")


def _matched(
    name: str, value: str, constraint: FieldConstraint, matches: Matches
) -> Iterator[Violation]:
    if constraint.pattern is not None and not matches(constraint.pattern, value):
        yield Violation(name, "PATTERN_MISMATCH", f"must match {constraint.pattern}")


def _is_number(value: object) -> bool:
    # JSON's true is not its 1, although Python's is.
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))


def _is_integer(value: object) -> bool:
    # JSON does not tell 1.0 from 1.
    if isinstance(value, float):
        return value.is_integer()
    return _is_number(value)


_IS: Mapping[FieldType, Callable[[object], bool]] = {
    FieldType.STRING: lambda value: isinstance(value, str),
    FieldType.NUMBER: _is_number,
    FieldType.INTEGER: _is_integer,
    FieldType.BOOLEAN: lambda value: isinstance(value, bool),
    FieldType.OBJECT: lambda value: isinstance(value, Mapping),
    FieldType.ARRAY: lambda value: isinstance(value, list | tuple),
}
