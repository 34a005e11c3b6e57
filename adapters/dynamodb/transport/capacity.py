"""
What calls cost in capacity units, computed from sizes by AWS's rules.

    read     4 KB are 1 unit when consistent, half when not, 2 in a transaction
    Query    sizes are summed, then rounded once; batches round every item
    write    1 KB is 1 unit, 2 in a transaction; an index that holds the item is 1 more per KB,
             and 1 where it held it at another place
    nothing  reading or deleting what is not there costs the least there is

A failed condition costs what the write would have. What cannot be seen from outside is counted
by what can: items that a projection or filter left out, and the old item of a write that did not
ask for it (`ReturnValues`), count nothing. DynamoDB brings indexes up to date after a transaction,
with ordinary writes.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from adapters.dynamodb.items.item_sizes import item_size
from adapters.dynamodb.transport.errors import (
    Canceled,
    ConditionFailed,
    DynamoError,
    OutcomeUnknown,
    Reason,
)
from adapters.dynamodb.transport.transport import Item, Operation
from adapters.row_layouts.catalogue import Index

READ_BYTES, WRITE_BYTES = 4096, 1024

Indexes = Mapping[str, Sequence[Index]]
"""The indexes of each table that has any."""


@frozen
class Units:
    read: float = 0.0
    write: float = 0.0

    def __add__(self, other: "Units") -> "Units":
        return Units(self.read + other.read, self.write + other.write)


Charge = tuple[str, Units]
"""A table's name and what it is charged with."""


def charges_of_answer(
    operation: Operation, request: Mapping[str, Any], answer: Mapping[str, Any], indexes: Indexes
) -> Iterator[Charge]:
    """What a call cost that was answered."""
    match operation:
        case Operation.GET_ITEM:
            yield _read_one(request["TableName"], answer.get("Item"), _weight(request))
        case Operation.BATCH_GET_ITEM:
            yield from _read_batch(request, answer)
        case Operation.QUERY | Operation.SCAN:
            size = sum(map(item_size, answer.get("Items", ())))
            yield request["TableName"], Units(read=_weight(request) * _rounded(size, READ_BYTES))
        case Operation.TRANSACT_GET_ITEMS:
            for wanted, got in zip(request["TransactItems"], answer["Responses"], strict=True):
                yield _read_one(wanted["Get"]["TableName"], got.get("Item"), 2.0)
        case _:
            yield from _charges_of_write(operation, request, answer, indexes)


def charges_of_error(
    operation: Operation, request: Mapping[str, Any], error: DynamoError, indexes: Indexes
) -> Iterator[Charge]:
    """What a call cost that failed. One whose outcome is unknown may have been applied."""
    if operation.only_reads:
        return
    match error:
        case ConditionFailed(item):
            yield from _charges_of_write(operation, request, {"Attributes": item or {}}, {})
        case Canceled(reasons):
            yield from _transaction(request, reasons, {})
        case OutcomeUnknown():
            yield from _charges_of_write(operation, request, {}, indexes)


# Reads.


def _weight(request: Mapping[str, Any]) -> float:
    return 1.0 if request.get("ConsistentRead") else 0.5


def _read_one(table: str, item: Item | None, weight: float) -> Charge:
    return table, Units(read=weight * _rounded(item_size(item or {}), READ_BYTES))


def _read_batch(request: Mapping[str, Any], answer: Mapping[str, Any]) -> Iterator[Charge]:
    for table, wanted in request["RequestItems"].items():
        found = answer.get("Responses", {}).get(table, [])
        left = answer.get("UnprocessedKeys", {}).get(table, {}).get("Keys", [])
        missing = len(wanted["Keys"]) - len(found) - len(left)
        for item in [*found, *[None] * missing]:
            yield _read_one(table, item, _weight(wanted))


# Writes.


def _charges_of_write(
    operation: Operation, request: Mapping[str, Any], answer: Mapping[str, Any], indexes: Indexes
) -> Iterator[Charge]:
    match operation:
        case Operation.TRANSACT_WRITE_ITEMS:
            yield from _transaction(request, (), indexes)
        case Operation.BATCH_WRITE_ITEM:
            for table, left in _batch_writes(answer.get("UnprocessedItems", {})):
                yield table, Units(write=-_write(table, left, None, 1.0, indexes))
            for table, item in _batch_writes(request["RequestItems"]):
                yield table, Units(write=_write(table, item, None, 1.0, indexes))
        case _:
            table, other = request["TableName"], answer.get("Attributes")
            yield table, Units(write=_write(table, _written(request), other, 1.0, indexes))


def _batch_writes(requests: Mapping[str, Any]) -> Iterator[tuple[str, Item]]:
    for table, writes in requests.items():
        for write in writes:
            put = write.get("PutRequest")
            yield table, put["Item"] if put else write["DeleteRequest"]["Key"]


def _transaction(
    request: Mapping[str, Any], reasons: Sequence[Reason], indexes: Indexes
) -> Iterator[Charge]:
    items = request["TransactItems"]
    others = [reason.item for reason in reasons] or [None] * len(items)
    for action, other in zip(items, others, strict=True):
        ((kind, write),) = action.items()
        table = write["TableName"]
        held = indexes if kind != "ConditionCheck" else {}
        yield table, Units(write=_write(table, _written(write), other, 2.0, held))


def _written(write: Mapping[str, Any]) -> Item:
    """The item as far as the request tells it: a Put does, an Update tells the new values."""
    if "Item" in write:
        return write["Item"]  # type: ignore[no-any-return]
    changed = write.get("ExpressionAttributeValues", {}) if "UpdateExpression" in write else {}
    return {**write["Key"], **changed}


def _write(table: str, item: Item, other: Item | None, weight: float, indexes: Indexes) -> float:
    """The larger of an item's two versions counts."""
    size = max(item_size(item), item_size(other or {}))
    within = sum(_index_writes(index, item, other or {}) for index in indexes.get(table, ()))
    return (weight + within) * _rounded(size, WRITE_BYTES)


def _index_writes(index: Index, item: Item, before: Item) -> int:
    """What is no longer at its place in the index is taken away, what belongs there is put."""
    place, old = (
        (one[index.hash], one[index.range]) if index.holds(one) else None for one in (item, before)
    )
    return (old is not None and old != place) + (place is not None)


def _rounded(size: int, unit: int) -> int:
    """Whole units, at least one."""
    return max(1, -(-size // unit))
