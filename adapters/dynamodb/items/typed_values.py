"""Items in DynamoDB's own JSON, where every value says its type."""

from base64 import b64decode, b64encode
from decimal import Decimal
from typing import Any

from attrs import frozen

from adapters.dynamodb.transport.transport import Item
from adapters.row_layouts.catalogue import PK, SK


@frozen
class Key:
    pk: str
    sk: Decimal | int

    def item(self) -> dict[str, Any]:
        return {PK: text(self.pk), SK: number(self.sk)}


def text(value: str) -> dict[str, str]:
    return {"S": value}


def number(value: int | Decimal) -> dict[str, str]:
    return {"N": f"{value:f}" if isinstance(value, Decimal) else str(value)}


def binary(value: bytes) -> dict[str, str]:
    return {"B": b64encode(value).decode()}


def text_of(item: Item, name: str) -> str:
    value: str = item[name]["S"]
    return value


def int_of(item: Item, name: str) -> int:
    return int(item[name]["N"])


def decimal_of(item: Item, name: str) -> Decimal:
    return Decimal(item[name]["N"])


def bytes_of(item: Item, name: str) -> bytes:
    return b64decode(item[name]["B"])
