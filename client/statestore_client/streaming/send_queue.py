"""What stands in line for an answer: in order, and no more than there is room for."""

import asyncio
from dataclasses import dataclass
from typing import Generic, TypeVar

from statestore_client.errors import StateStoreError
from statestore_client.transport.attempts import unknown

Item = TypeVar("Item")
Told = TypeVar("Told")


@dataclass(slots=True, eq=False)
class Standing(Generic[Item, Told]):
    item: Item
    outcome: asyncio.Future[Told | StateStoreError]
    sent: int = 0
    """How often, not counting what was certainly not done."""

    def abandoned(self, reason: StateStoreError) -> StateStoreError:
        """What is told of it when nobody waits for the answer any more."""
        if self.sent == 0:
            return reason
        return unknown("it was sent and not answered", reason, None)


async def ended(working: asyncio.Task[None] | None) -> None:
    """Waits for the end of what works on a line; raises what went wrong there.

    If it was cancelled, as when the client is closed, who waits was not.
    """
    if working is not None:
        await asyncio.wait([working])
        if not working.cancelled():
            working.result()


class Line(Generic[Item, Told]):
    """Outcomes are told as values: a future never fails, so that none has to be looked at."""

    def __init__(self, most: int) -> None:
        if most < 1:
            raise ValueError("most_waiting must be at least 1")
        self._room = asyncio.Semaphore(most)
        self._count = 0
        self._empty = asyncio.Event()
        self._empty.set()

    async def enter(self, item: Item) -> Standing[Item, Told]:
        """Waits until there is room."""
        await self._room.acquire()
        self._count += 1
        self._empty.clear()
        return Standing(item, asyncio.get_running_loop().create_future())

    def leave(self, one: Standing[Item, Told], outcome: Told | StateStoreError) -> None:
        if not one.outcome.done():
            one.outcome.set_result(outcome)
        self._room.release()
        self._count -= 1
        if self._count == 0:
            self._empty.set()

    async def empty(self) -> None:
        """Waits until everyone has an outcome."""
        await self._empty.wait()
