"""
Whose turn it is at the log, as one item of its table.

    W#<app>#<epoch>#<lane>   0   owner, stamp, queue

The stamp changes with every owner. Every change is one conditional update: of two who want the
same one succeeds.
"""

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from adapters.dynamodb.items.item_table import ItemTable, surroundings
from adapters.dynamodb.items.typed_values import Key, int_of, number, text, text_of
from adapters.dynamodb.transport.errors import ConditionFailed
from adapters.dynamodb.transport.transport import Item, Operation

NOBODY = "-"
SOON = 1.0
"""Seconds after which a lease that does not answer is done without."""


@frozen
class Seen:
    """The lease as it was when it was looked at."""

    owner: str
    stamp: int
    line: Sequence[str]


@frozen
class TurnLease:
    """Raises Unavailable (all methods): the lease does not answer."""

    table: ItemTable
    key: Key
    me: str
    soon: float = SOON

    async def look(self, *, strong: bool = True) -> Seen | None:
        """Nothing if there is no lease."""
        item = await self.table.get(self.key, strong=strong)
        if item is None:
            return None
        line = [waiting["S"] for waiting in item["queue"]["L"]]
        return Seen(text_of(item, "owner"), int_of(item, "stamp"), line)

    async def take(self) -> bool:
        """Take a lease that nobody holds; whether it is ours."""
        found = await self._changed(
            "SET #owner = :me, queue = if_not_exists(queue, :empty) ADD stamp :one",
            "attribute_not_exists(PK) OR #owner = :nobody",
            {
                ":me": text(self.me),
                ":nobody": text(NOBODY),
                ":one": number(1),
                ":empty": {"L": []},
            },
        )
        return found is None or text_of(found, "owner") == self.me

    async def stand_in_line(self) -> None:
        await self._changed(
            "SET queue = list_append(queue, :us)",
            "attribute_exists(PK) AND NOT contains(queue, :me)",
            {":us": {"L": [text(self.me)]}, ":me": text(self.me)},
        )

    async def take_over(self, seen: Seen) -> bool:
        """Take the lease of an owner that is gone, and our place out of the line."""
        if self.me not in seen.line:
            return False
        mine = f"queue[{seen.line.index(self.me)}]"
        found = await self._changed(
            f"SET #owner = :me REMOVE {mine} ADD stamp :one",
            f"stamp = :stamp AND {mine} = :me",
            {":me": text(self.me), ":one": number(1), ":stamp": number(seen.stamp)},
        )
        return found is None

    async def hand_over(self) -> bool:
        """Make the first in line the owner; False if nobody waits."""
        found = await self._changed(
            "SET #owner = queue[0] REMOVE queue[0] ADD stamp :one",
            "#owner = :me AND size(queue) > :none",
            {":me": text(self.me), ":one": number(1), ":none": number(0)},
        )
        # An owner that was taken for gone has nothing left to hand over.
        return found is None or text_of(found, "owner") != self.me

    async def release(self) -> None:
        """Leave it to nobody, unless somebody waits."""
        await self._changed(
            "SET #owner = :nobody ADD stamp :one",
            "#owner = :me AND size(queue) = :none",
            {
                ":me": text(self.me),
                ":nobody": text(NOBODY),
                ":one": number(1),
                ":none": number(0),
            },
        )

    async def _changed(self, update: str, condition: str, values: dict[str, Any]) -> Item | None:
        """Nothing if the item was changed; the item as it is if the condition did not hold."""
        names = {"#owner": "owner"} if "#owner" in update + condition else None
        request = {
            "TableName": self.table.name,
            "Key": self.key.item(),
            "UpdateExpression": update,
            "ConditionExpression": condition,
            "ExpressionAttributeValues": values,
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
            **({"ExpressionAttributeNames": names} if names else {}),
        }
        with surroundings("the lease"):
            try:
                await self.table.transport.call(Operation.UPDATE_ITEM, request, deadline=self.soon)
            except ConditionFailed as failed:
                return failed.item or {"owner": text(NOBODY)}
        return None
