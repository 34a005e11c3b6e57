"""Changes of rows as puts of items, each only over an earlier position than its own."""

from collections.abc import Iterable, Sequence
from typing import Any

from attrs import frozen

from adapters.dynamodb.items.item_sizes import item_size
from adapters.dynamodb.rows.row_items import POSITION
from adapters.dynamodb.transport.transport import Item
from adapters.row_layouts.catalogue import PK, SK
from adapters.row_layouts.engine import Delete, Put, RowKey
from application.projections.view_store import TooMuchAtOnce

MOST_ROWS = 99
MOST_BYTES = 4_000_000
"""Of a transaction; its hundredth item is the progress, whose bytes are few."""


@frozen
class Write:
    """An item to be put, be it a tombstone, unless a later one is there."""

    table: str
    item: Item
    deletes: bool = False

    def put(self) -> dict[str, Any]:
        sign = "<=" if self.deletes else "<"
        return {
            "TableName": self.table,
            "Item": self.item,
            "ConditionExpression": f"attribute_not_exists({PK}) OR #position {sign} :position",
            "ExpressionAttributeNames": {"#position": POSITION},
            "ExpressionAttributeValues": {":position": self.item[POSITION]},
        }


def last_of_each(changes: Sequence[Put | Delete]) -> Iterable[Put | Delete]:
    """What the changes, one after the other, come to: one for each row."""
    last: dict[RowKey, Put | Delete] = {}
    for change in changes:
        key = _key(change)
        if key not in last or _overrules(change, last[key]):
            last[key] = change
    return last.values()


def refuse_too_much(writes: Sequence[Write]) -> None:
    """Raises TooMuchAtOnce if one transaction cannot hold all of it."""
    if len(writes) > MOST_ROWS or sum(item_size(write.item) for write in writes) > MOST_BYTES:
        raise TooMuchAtOnce(len(writes))


def _overrules(change: Put | Delete, earlier: Put | Delete) -> bool:
    if isinstance(change, Delete):
        return change.position >= _position(earlier)
    return _position(change) > _position(earlier)


def _key(change: Put | Delete) -> RowKey:
    if isinstance(change, Delete):
        return change.key
    return RowKey(change.table, change.row[PK], change.row[SK])


def _position(change: Put | Delete) -> int:
    position: int = change.position if isinstance(change, Delete) else change.row[POSITION]
    return position
