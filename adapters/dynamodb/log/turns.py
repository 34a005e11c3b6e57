"""
Taking turns at the log, so that several processes do not race for every position.

Who has lost a position to somebody else asks for a turn, waits in line, writes for a moment and
hands over to the next. It is a hint and nothing rests on it: whoever finds no turn in time, or no
lease at all, writes anyway, and the log's own conditions decide. A process that is alone never
asks, it only looks now and then while it writes without pause. An owner whose stamp stays the same
for too long belongs to a process that is gone, whatever the clocks say.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

from attrs import define, field

from adapters.dynamodb.log.turn_lease import NOBODY, TurnLease
from adapters.dynamodb.log.turn_polling import Manners, TurnWatch
from application.errors import Unavailable


@define
class Turns:
    lease: TurnLease
    manners: Manners = field(factory=Manners)
    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    _polite_until: float = 0.0
    _turn_ends: float | None = None
    """When our turn ends; nothing while it is not ours."""
    _came: float = 0.0
    _glanced: float = 0.0

    def met_others(self) -> None:
        """Somebody else writes, too: ask for turns for a while."""
        self._polite_until = self.now() + self.manners.calm

    @property
    def is_ours(self) -> bool:
        return self._turn_ends is not None

    async def come(self) -> bool:
        """Return when it is our turn, or when waiting makes no sense any more.

        True if others may have written meanwhile.
        """
        if self.is_ours or not (self.now() < self._polite_until or await self._others_wait()):
            return False
        with suppress(Unavailable):
            if await self.lease.take() or await self._waited():
                self._turn_ends = self.now() + self.manners.turn
        return True

    async def wrote(self, *, more: bool) -> None:
        """Go on while it is our turn and there is more; else hand over."""
        if self._turn_ends is None or (more and self.now() < self._turn_ends):
            return
        with suppress(Unavailable):
            if await self.lease.hand_over():
                self.met_others()
                self._turn_ends = None
            elif more:
                self._turn_ends = self.now() + self.manners.turn
            else:
                self._turn_ends = None
                await self.lease.release()

    async def _others_wait(self) -> bool:
        """Asked now and then while writing without pause: who always wins never meets anybody."""
        now = self.now()
        if now - self._came > self.manners.glance:
            self._glanced = now
        self._came = now
        if now - self._glanced < self.manners.glance:
            return False
        self._glanced = now
        with suppress(Unavailable):
            seen = await self.lease.look(strong=False)
            return seen is not None and seen.owner not in (NOBODY, self.lease.me)
        return False

    async def _waited(self) -> bool:
        """Stand in line until somebody hands over to us."""
        self.met_others()
        await self.lease.stand_in_line()
        ends = self.now() + self.manners.longest_wait
        watch = TurnWatch(self.manners, self.lease.me, self.now())
        while self.now() < ends:
            await self.sleep(watch.pause(self.now()))
            seen = await self.lease.look()
            if seen is None or seen.owner == self.lease.me:
                return seen is not None
            watch.saw(seen, self.now())
            if watch.is_gone(self.now()):
                return await self.lease.take_over(seen)
        return False
