"""
How many bytes an item counts, by DynamoDB's rules.

    name           its UTF-8 bytes
    string         its UTF-8 bytes
    number         1, and 1 per pair of significant digits, and 1 if negative
    binary         its bytes
    null, boolean  1
    set            its elements
    list, map      3, and its contents, and 1 per element
"""

from collections.abc import Mapping
from decimal import Context, Decimal
from typing import Any

from adapters.dynamodb.transport.transport import Item

_CONTAINER = 3
_ELEMENT = 1
_EXACT = Context(prec=38)
"""Numbers have up to 38 digits."""


def item_size(item: Item) -> int:
    return sum(_text(name) + value_size(value) for name, value in item.items())


def value_size(value: Mapping[str, Any]) -> int:
    """The size of one typed value, such as `{"S": "text"}`."""
    ((kind, held),) = value.items()
    match kind:
        case "S":
            return _text(held)
        case "N":
            return _number(held)
        case "B":
            return _binary(held)
        case "SS" | "NS" | "BS":
            return sum(value_size({kind[0]: one}) for one in held)
        case "L":
            return _CONTAINER + sum(_ELEMENT + value_size(one) for one in held)
        case "M":
            return _CONTAINER + len(held) * _ELEMENT + item_size(held)
    return 1


def _text(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


def _number(text: str) -> int:
    if text.isdigit() and text[0] != "0":
        # What nearly all numbers are, without the Decimal.
        return 2 + (len(text) - 1) // 2 - (len(text) - len(text.rstrip("0"))) // 2
    number = Decimal(text)
    if not number:
        return 1
    sign, _, last = number.normalize(_EXACT).as_tuple()
    # Pairs are counted from the decimal point: 1.5 is two of them, 15 is one.
    return 2 + number.adjusted() // 2 - int(last) // 2 + sign


def _binary(base64: str) -> int:
    return len(base64) * 3 // 4 - base64.count("=", -2)
