"""Reading a whole table, in no order: only for operators, it costs what the table holds."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from adapters.dynamodb.items.item_table import ItemTable, surroundings
from adapters.dynamodb.items.typed_values import text
from adapters.dynamodb.transport.transport import Item, Operation
from adapters.row_layouts.catalogue import PK


async def scan(
    table: ItemTable, *, begins_with: str | None = None, strong: bool = True
) -> AsyncIterator[Sequence[Item]]:
    """All items, or those whose partition key begins so, about a megabyte at a time."""
    request: dict[str, Any] = {"TableName": table.name, "ConsistentRead": strong}
    if begins_with is not None:
        request["FilterExpression"] = f"begins_with({PK}, :prefix)"
        request["ExpressionAttributeValues"] = {":prefix": text(begins_with)}
    start: Mapping[str, Any] | None = None
    while True:
        page = {**request, **({"ExclusiveStartKey": start} if start else {})}
        with surroundings(f"the table {table.name}"):
            answer = await table.transport.call(Operation.SCAN, page)
        yield answer.get("Items", ())
        start = answer.get("LastEvaluatedKey")
        if start is None:
            return
