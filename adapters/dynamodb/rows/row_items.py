"""
Rows as items: every attribute in DynamoDB's own types, so that any tool can read the tables.

DynamoDB knows one kind of number. A number without a fraction comes back as a whole one, 1.0 as 1;
the value is the same. What it cannot hold at all (1e200, more than 38 digits) is `Unfit`.

    gone    on what was taken away: nobody sees the item, it only keeps its position
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from attrs import define

from adapters.dynamodb.items.typed_values import number, text
from adapters.dynamodb.transport.transport import Item
from adapters.row_layouts.catalogue import PK, SK
from adapters.row_layouts.engine import Row, RowKey

GONE = "deleted"
POSITION = "position"

BEYOND_WHOLE = 2**63
"""Whole numbers are smaller, as in JSON; what is not was a float."""
MOST_DIGITS = 38
SMALLEST = 1e-130


@define
class Unfit(Exception):
    value: float

    def __str__(self) -> str:
        return f"{self.value} is beyond the numbers of DynamoDB"


def key_item(key: RowKey) -> dict[str, Any]:
    return {PK: text(key.pk), SK: text(key.sk)}


def tombstone(key: RowKey, position: int, *, ends: int) -> dict[str, Any]:
    """What stays of a row for a while, so that no late writer brings it back."""
    return {
        **key_item(key),
        POSITION: number(position),
        GONE: {"BOOL": True},
        "ttl": number(ends),
    }


def is_row(item: Item) -> bool:
    """Whether readers see it. A table may also hold what others keep there, without positions."""
    return POSITION in item and GONE not in item


def row_item(row: Row) -> dict[str, Any]:
    """Raises Unfit for a number that DynamoDB has not, TypeError for what is no JSON."""
    return {name: _typed(value) for name, value in row.items()}


def row_of(item: Item) -> dict[str, Any]:
    return {name: _plain(value) for name, value in item.items()}


def _typed(value: Any) -> dict[str, Any]:
    match value:
        case str():
            return text(value)
        case bool():
            return {"BOOL": value}
        case int() | float():
            return {"N": _digits(value)}
        case None:
            return {"NULL": True}
        case Mapping():
            return {"M": {name: _typed(one) for name, one in value.items()}}
        case list() | tuple():
            return {"L": [_typed(one) for one in value]}
    raise TypeError(f"a row cannot hold {value!r}")


def _digits(value: float) -> str:
    if isinstance(value, int) or value.is_integer():
        # In full: what a float writes as 1e+22 is not always the number that it is.
        digits = str(int(value))
        if len(digits.strip("-0")) > MOST_DIGITS:
            raise Unfit(value)
        return digits
    if not abs(value) >= SMALLEST:
        raise Unfit(value)
    return repr(value)


def _plain(value: Mapping[str, Any]) -> Any:
    ((kind, held),) = value.items()
    match kind:
        case "S" | "BOOL":
            return held
        case "N":
            return _number(held)
        case "M":
            return {name: _plain(one) for name, one in held.items()}
        case "L":
            return [_plain(one) for one in held]
        case "NULL":
            return None
    raise TypeError(f"no row holds a value of the type {kind}")


def _number(digits: str) -> float:
    if digits.isdigit() and len(digits) < len(str(BEYOND_WHOLE)):
        return int(digits)
    exact = Decimal(digits)
    whole = exact == exact.to_integral_value() and abs(exact) < BEYOND_WHOLE
    return int(exact) if whole else float(digits)
