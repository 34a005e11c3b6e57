"""Backoff: what is unavailable is tried again, after pauses that grow."""

import asyncio
from collections.abc import Awaitable, Callable
from math import inf

from attrs import define

from application.errors import Contended, OutcomeUnknown, Unavailable
from application.projections.progress import Progress

FIRST_PAUSE, LONGEST_PAUSE = 0.05, 5.0

RETRIED = (Unavailable, Contended, OutcomeUnknown)
"""The last one, too: a decision that is made again is idempotent."""


@define
class Backoff:
    """Twice as long after each failure, until something succeeds."""

    longest: float = LONGEST_PAUSE
    _pause: float | None = None
    _until: float = -inf

    def failed(self) -> float:
        """Returns the seconds to wait."""
        pause = FIRST_PAUSE if self._pause is None else self._pause
        self._pause = min(2 * pause, self.longest)
        self._until = _now() + pause
        return pause

    def succeeded(self) -> bool:
        """Whether it had failed before."""
        had_failed = self._pause is not None
        self._pause, self._until = None, -inf
        return had_failed

    @property
    def remaining(self) -> float:
        """Seconds until the next attempt; infinite if there was no failure."""
        return inf if self._pause is None else max(0.0, self._until - _now())

    @property
    def is_over(self) -> bool:
        return _now() >= self._until


async def keep_trying(
    name: str,
    attempt: Callable[[], Awaitable[None]],
    progress: Progress,
    on_trouble: Callable[[Exception], None],
    longest_pause: float = LONGEST_PAUSE,
) -> None:
    """Attempt again and again until cancelled; at once, or after a pause if something failed."""
    backoff = Backoff(longest_pause)
    while True:
        try:
            await attempt()
            backoff.succeeded()
            progress.goes_on(name)
        except RETRIED as error:
            progress.stuck(name, str(error))
            on_trouble(error)
            await asyncio.sleep(backoff.failed())


def _now() -> float:
    return asyncio.get_running_loop().time()
