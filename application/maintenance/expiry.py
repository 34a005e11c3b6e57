"""
Throwing away what has ended, where the engine does not do so by itself.

Nobody waits for it: what has ended is not shown, whether it is still there or not (T26).
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

from attrs import define

from application.errors import Unavailable
from application.maintenance.expired_rows import Leftovers
from application.ports.clock import Clock

LAG = timedelta(hours=1)
"""So long after its end a card is still there for a projection that is behind the log."""

SLICE = 32
"""Few enough that an append which waits behind them does not notice."""

PAUSE = 0.05
EVERY = 600.0


@define
class Sweeper:
    leftovers: Leftovers
    clock: Clock
    on_swept: Callable[[int], None] = lambda count: None
    on_trouble: Callable[[Exception], None] = lambda error: None
    rest: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def run(self) -> None:
        """Sweep now and then until cancelled."""
        while True:
            try:
                swept = await self.sweep()
            except Unavailable as error:
                self.on_trouble(error)
            else:
                if swept:
                    self.on_swept(swept)
            await self.rest(EVERY)

    async def sweep(self) -> int:
        """Throw away all that has ended, a few at a time, and tell how many it were.

        Raises:
            Unavailable: Nothing can be thrown away now.
        """
        ended_by, swept, last = self.clock.now() - LAG, 0, SLICE
        while last == SLICE:
            last = await self.leftovers.sweep(ended_by, most=SLICE)
            swept += last
            if last == SLICE:
                await self.rest(PAUSE)
        return swept
