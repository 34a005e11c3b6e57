"""
Taking turns at the log, so that several processes do not race for every position.

    W#<app>#<epoch>#<lane>   0   owner, stamp, queue

Who has lost a position to somebody else asks for a turn, waits in the queue, writes for a moment
and hands over to the next in line. It is a hint and nothing rests on it: whoever finds no turn in
time, or no lease at all, writes anyway, and the log's own conditions decide. A process that is
alone never asks, it only looks now and then while it writes without pause. The stamp changes with
every owner: one that stays the same for too long belongs to a process that is gone, whatever the
clocks say.
"""

import asyncio
from contextlib import suppress
from typing import Any

from attrs import define, frozen

from adapters.dynamodb.errors import ConditionFailed
from adapters.dynamodb.item_table import ItemTable, surroundings
from adapters.dynamodb.items import Key, int_of, number, text, text_of
from adapters.dynamodb.transport import Item, Operation
from application.errors import Unavailable

NOBODY = "-"
SOON = 1.0
"""Seconds after which a lease that does not answer is done without."""


@frozen
class Manners:
    """Seconds."""

    turn: float = 0.2
    """How long one process writes while others wait."""
    gone: float = 1.0
    """After how long an owner that does not move is taken to be gone."""
    longest_wait: float = 3.0
    """Then one writes without a turn."""
    calm: float = 5.0
    """After how long without others one stops asking for turns."""
    glance: float = 0.25
    """How often one that writes without pause looks whether others wait."""
    first_look: float = 0.005
    longest_look: float = 0.04


@define
class Turns:
    table: ItemTable
    key: Key
    me: str
    manners: Manners = Manners()
    _polite_until: float = 0.0
    _turn_ends: float | None = None
    """When our turn ends; nothing while it is not ours."""
    _came: float = 0.0
    _glanced: float = 0.0

    # For the writer.

    def met_others(self) -> None:
        """Somebody else writes, too: ask for turns for a while."""
        self._polite_until = _now() + self.manners.calm

    @property
    def is_ours(self) -> bool:
        return self._turn_ends is not None

    async def come(self) -> bool:
        """Return when it is our turn, or when waiting makes no sense any more.

        True if others may have written meanwhile.
        """
        if self.is_ours or not (_now() < self._polite_until or await self._others_wait()):
            return False
        with suppress(Unavailable):
            if await self._taken() or await self._waited():
                self._turn_ends = _now() + self.manners.turn
        return True

    async def wrote(self, *, more: bool) -> None:
        """Go on while it is our turn and there is more; else hand over."""
        if self._turn_ends is None or (more and _now() < self._turn_ends):
            return
        with suppress(Unavailable):
            if await self._handed_over():
                self.met_others()
                self._turn_ends = None
            elif more:
                self._turn_ends = _now() + self.manners.turn
            else:
                self._turn_ends = None
                await self._released()

    async def _others_wait(self) -> bool:
        """Asked now and then while writing without pause: who always wins never meets anybody."""
        now = _now()
        if now - self._came > self.manners.glance:
            self._glanced = now
        self._came = now
        if now - self._glanced < self.manners.glance:
            return False
        self._glanced = now
        with suppress(Unavailable):
            item = await self.table.get(self.key, strong=False)
            return item is not None and text_of(item, "owner") not in (NOBODY, self.me)
        return False

    # The lease.

    async def _taken(self) -> bool:
        """Take a lease that nobody holds."""
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

    async def _waited(self) -> bool:
        """Stand in line until somebody hands over to us."""
        self.met_others()
        await self._queued()
        ends = _now() + self.manners.longest_wait
        look, stamp, since = self.manners.first_look, -1, _now()
        while _now() < ends:
            await asyncio.sleep(look)
            item = await self.table.get(self.key)
            if item is None or text_of(item, "owner") == self.me:
                return item is not None
            look = self._next_look(look, item)
            if int_of(item, "stamp") != stamp:
                stamp, since = int_of(item, "stamp"), _now()
            elif _now() - since >= self.manners.gone:
                return await self._taken_over(item, stamp)
        return False

    def _next_look(self, look: float, item: Item) -> float:
        """Who is next looks often: while it does not look, nobody writes."""
        line = item["queue"]["L"]
        if line and line[0]["S"] == self.me:
            return self.manners.first_look
        return min(2 * look, self.manners.longest_look)

    async def _queued(self) -> None:
        await self._changed(
            "SET queue = list_append(queue, :us)",
            "attribute_exists(PK) AND NOT contains(queue, :me)",
            {":us": {"L": [text(self.me)]}, ":me": text(self.me)},
        )

    async def _taken_over(self, item: Item, stamp: int) -> bool:
        """Take the lease of an owner that is gone, and our place out of the line."""
        line = [waiting["S"] for waiting in item["queue"]["L"]]
        if self.me not in line:
            return False
        mine = f"queue[{line.index(self.me)}]"
        found = await self._changed(
            f"SET #owner = :me REMOVE {mine} ADD stamp :one",
            f"stamp = :stamp AND {mine} = :me",
            {":me": text(self.me), ":one": number(1), ":stamp": number(stamp)},
        )
        return found is None

    async def _handed_over(self) -> bool:
        """Make the first in line the owner; False if nobody waits."""
        found = await self._changed(
            "SET #owner = queue[0] REMOVE queue[0] ADD stamp :one",
            "#owner = :me AND size(queue) > :none",
            {":me": text(self.me), ":one": number(1), ":none": number(0)},
        )
        # An owner that was taken for gone has nothing left to hand over.
        return found is None or text_of(found, "owner") != self.me

    async def _released(self) -> None:
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
                await self.table.transport.call(Operation.UPDATE_ITEM, request, deadline=SOON)
            except ConditionFailed as failed:
                return failed.item or {"owner": text(NOBODY)}
        return None


def _now() -> float:
    return asyncio.get_running_loop().time()
