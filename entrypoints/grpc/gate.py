"""
Where writes that come one by one wait for each other, for a moment, and begin together.

Between the work of gRPC, code takes two to three times as long as where it runs again and again:
when it comes to its turn, the processor's caches hold something else. So what callers want at about
the same time is decided in one go. Their writes then come to the log together, too.
"""

import asyncio
from collections.abc import Callable
from time import monotonic

from attrs import define, field

QUIET_TURNS = 30
"""Turns of the event loop in which nobody else came. An idle loop makes them in 0.2 ms."""

ENOUGH = 64
LONGEST_WAIT = 0.02


@define
class Gate:
    now: Callable[[], float] = monotonic
    _waiting: list[asyncio.Future[None]] = field(factory=list, init=False)
    _several_come: bool = field(default=False, init=False)

    async def opened(self) -> None:
        """Wait for others, if others came at the same time before: who is alone hardly waits."""
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
        self._several_come = len(waiting) > 1
        for opened in waiting:
            # Who waited may have gone.
            if not opened.done():
                opened.set_result(None)
