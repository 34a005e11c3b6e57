"""Trying again for a while: pauses that grow, with jitter, and an end."""

import asyncio
import random

from application.errors import Unavailable

FIRST_PAUSE, LONGEST_PAUSE = 0.004, 0.25


class BackingOff:
    """Counts attempts within a time. The first retry comes at once: it has news to go by."""

    def __init__(self, seconds: float) -> None:
        self._ends = asyncio.get_running_loop().time() + seconds
        self._pause = 0.0

    def left(self) -> float:
        """Seconds that are left, a little at least, so that an attempt can end."""
        return max(self._ends - asyncio.get_running_loop().time(), 0.05)

    async def pause(self, what: str) -> None:
        """Raises Unavailable when the time is up."""
        if asyncio.get_running_loop().time() >= self._ends:
            raise Unavailable(what, "others were faster until the time was up")
        await asyncio.sleep(random.uniform(0, self._pause))
        self._pause = min(max(2 * self._pause, FIRST_PAUSE), LONGEST_PAUSE)
