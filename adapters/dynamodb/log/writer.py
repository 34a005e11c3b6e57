"""
The writing side of the log: appends that wait share a transaction (group commit).

One transaction is on its way at a time; what is submitted meanwhile forms the next group.
"""

import asyncio
import time
from collections import deque

from adapters.dynamodb.log.draft import Room
from adapters.dynamodb.log.group_commit import WHAT, GroupStore, Queued
from adapters.dynamodb.log.tail import LogEnd
from adapters.dynamodb.log.turns import Turns
from adapters.eventstore.appending.write_outcomes import Failed, still_wanted, tell
from application.errors import OutcomeUnknown, Unavailable

LINGER = 0.003


class LogWriter:
    def __init__(self, store: GroupStore, end: LogEnd, turns: Turns, patience: float) -> None:
        self._store = store
        self._end = end
        self._turns = turns
        self._patience = patience
        """Seconds after which nobody is kept waiting for a turn any more."""
        self._waiting: deque[Queued] = deque()
        self._work: asyncio.Task[None] | None = None
        self._closed = False

    def put(self, queued: Queued) -> None:
        """Queue the append. Only for the event loop that the log belongs to."""
        if self._closed:
            tell([(queued.waiting, Failed(Unavailable(WHAT, "it is closed")))])
            return
        self._waiting.append(queued)
        if self._work is None:
            self._work = asyncio.create_task(self._write_all())
            self._work.add_done_callback(self._ended)

    async def close(self) -> None:
        """Store what waits; nothing is accepted any more."""
        self._closed = True
        if self._work is not None:
            await asyncio.wait((self._work,))

    async def _write_all(self) -> None:
        try:
            while await self._more():
                await self._write_group(await self._turns.come())
        finally:
            self._stopped()

    def _ended(self, work: asyncio.Task[None]) -> None:
        # One that is cancelled before its first step runs none of its own code.
        if self._work is work:
            self._stopped()

    def _stopped(self) -> None:
        self._work = None
        # Only when something ended it that nobody foresaw: nobody may wait for ever.
        tell((one.waiting, Failed(Unavailable(WHAT, "it stopped"))) for one in self._waiting)
        self._waiting.clear()

    async def _write_group(self, others_wrote: bool) -> None:
        group = self._next_group()
        try:
            if others_wrote:
                await self._end.refresh()
            outcomes = await self._store.stored(group)
        except asyncio.CancelledError:
            stopped = Failed(OutcomeUnknown(WHAT, "it was stopped on the way"))
            tell((one.waiting, stopped) for one in group)
            raise
        except Exception as error:  # noqa: BLE001  # whoever waits must be told, whatever it is
            outcomes = [Failed(error)] * len(group)
        tell((one.waiting, outcome) for one, outcome in zip(group, outcomes, strict=True))

    async def _more(self) -> bool:
        if self._turns.is_ours:
            if not self._waiting:
                # Those who were just told may have more to say; it is still our turn.
                await asyncio.sleep(LINGER)
            await self._turns.wrote(more=bool(self._waiting))
        return bool(self._waiting)

    def _next_group(self) -> list[Queued]:
        room, group = Room(), []
        while self._waiting and self._fits(room, self._waiting[0]):
            one = self._waiting.popleft()
            if not still_wanted(one.waiting):
                continue
            if time.monotonic() - one.since > self._patience:
                tell([(one.waiting, Failed(Unavailable(WHAT, "it waited in line for too long")))])
            else:
                group.append(one)
        return group

    def _fits(self, room: Room, queued: Queued) -> bool:
        return room.takes(queued.append, alone=bool(queued.companions))
