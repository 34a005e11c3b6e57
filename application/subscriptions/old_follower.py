"""
Following the log for ever: what is unavailable is tried again, later each time.

So is what may or may not have been stored: whoever follows decides again what is decided already,
and that yields nothing.
"""

import asyncio
from collections.abc import Awaitable, Callable

from attrs import define

from application.errors import Contended, OutcomeUnknown, Unavailable
from application.projections.progress import Progress

IDLE = 1.0
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 5.0


@define
class Follower:
    """Says in the progress, and to whoever wants to know, when it cannot go on."""

    name: str
    progress: Progress
    on_trouble: Callable[[Exception], None]
    longest_pause: float = LONGEST_PAUSE

    async def follow(self, turn: Callable[[], Awaitable[None]]) -> None:
        """Take one turn after the other until cancelled."""
        pause = FIRST_PAUSE
        while True:
            try:
                await turn()
                pause = FIRST_PAUSE
                self.progress.goes_on(self.name)
            except (Unavailable, Contended, OutcomeUnknown) as error:
                self.progress.stuck(self.name, str(error))
                self.on_trouble(error)
                await asyncio.sleep(pause)
                pause = min(pause * 2, self.longest_pause)
