"""
How far others' logs have been followed: one item for each.

    T#<app>#<upstream>   0   p: the last position that was processed

Positions only grow: whoever records one that was passed already is refused.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import frozen

from adapters.dynamodb.items.item_table import ItemTable
from adapters.dynamodb.items.typed_values import int_of, number
from adapters.dynamodb.log.companions import Companion
from adapters.dynamodb.log.keys import Keys
from adapters.dynamodb.retry.transactions import store_all


@frozen
class DynamoTracking:
    table: ItemTable
    keys: Keys

    async def position(self, upstream: str) -> int | None:
        item = await self.table.get(self.keys.tracking(upstream))
        return None if item is None else int_of(item, "p")

    def moving(self, upstream: str, to: int, refusal: Callable[[], Exception]) -> Companion:
        """The move, to be stored together with what was made of that position."""
        item = {**self.keys.tracking(upstream).item(), "p": number(to)}
        put = {
            "TableName": self.table.name,
            "Item": item,
            "ConditionExpression": "attribute_not_exists(PK) OR p < :p",
            "ExpressionAttributeValues": {":p": number(to)},
        }
        return Companion({"Put": put}, refusal)

    async def move(self, moving: Companion, more: Sequence[Mapping[str, Any]] = ()) -> None:
        """Move on, and do more in the same transaction.

        Raises:
            The move's refusal: The position was passed already.
            Unavailable: DynamoDB refused; nothing was stored.
            OutcomeUnknown: It may or may not have been stored.
        """
        extras = [Companion(action, moving.refusal) for action in more]
        await store_all(self.table, [moving, *extras])
