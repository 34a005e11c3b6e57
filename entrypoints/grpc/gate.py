"""
Where updates that come one by one wait for each other, for a moment, and begin together.

Between the work of gRPC, code takes two to three times as long as where it runs again and again:
when it comes to its turn, the processor's caches hold something else. So updates that come at about
the same time are decided in one go. They then come to the log together, too.

Nothing that must keep its order may pass here: evidence is kept as it comes.
"""

import asyncio
from collections.abc import Callable
from time import monotonic

from attrs import define, field

QUIET_TURNS = 30
"""Turns of the event loop in which nobody else came. An idle loop makes them in 0.2 ms."""

ENOUGH = 64
"""Who wait: all of them begin, whether others come or not."""

LONGEST_WAIT = 0.005
"""Seconds from the first of them on. The turns of a loop that has much to do are long."""


@define
class Gate:
    now: Callable[[], float] = monotonic
    _waiting: list[asyncio.Future[None]] = field(factory=list, init=False)
    _several_come: bool = field(default=False, init=False)

    async def opened(self) -> None:
        """Wait for others, if several came at once the last time; else for a turn of the loop."""
        loop = asyncio.get_running_loop()
        opened: asyncio.Future[None] = loop.create_future()
        self._waiting.append(opened)
        if len(self._waiting) == 1:
            loop.call_soon(self._turn, loop, 1, self._turns(), self.now() + LONGEST_WAIT)
        await opened

    def _turns(self) -> int:
        return QUIET_TURNS if self._several_come else 1

    def _turn(self, loop: asyncio.AbstractEventLoop, seen: int, turns: int, until: float) -> None:
        count = len(self._waiting)
        turns = self._turns() if count > seen else turns - 1
        if turns and count < ENOUGH and self.now() < until:
            loop.call_soon(self._turn, loop, count, turns, until)
        else:
            self._open()

    def _open(self) -> None:
        waiting, self._waiting = self._waiting, []
        # Who waited may have gone.
        still_there = [opened for opened in waiting if not opened.done()]
        self._several_come = len(still_there) > 1
        for opened in still_there:
            opened.set_result(None)
