"""Projections that met trouble are left alone for a while, so that the others go on."""

import asyncio

from attrs import define, field

from application.projections.progress import Progress
from application.subscriptions import old_follower as follower


@define
class LeftAlone:
    progress: Progress
    """Where it is told who is in trouble, and why."""
    _until: dict[str, float] = field(factory=dict)
    _pauses: dict[str, float] = field(factory=dict)

    def leave(self, name: str, error: Exception) -> None:
        """Longer each time, until it goes on."""
        self.progress.stuck(name, str(error) or type(error).__name__)
        pause = self._pauses.get(name, follower.FIRST_PAUSE)
        self._pauses[name] = min(2 * pause, follower.LONGEST_PAUSE)
        self._until[name] = _now() + pause

    def __contains__(self, name: str) -> bool:
        return name in self._until and _now() < self._until[name]

    def soonest(self, within: float) -> float:
        """Seconds until the first of them is tried again, or so many if that is less."""
        return max(0.0, min([_now() + within, *self._until.values()]) - _now())

    def goes_on(self, name: str) -> None:
        """Here or elsewhere: it is no longer our trouble."""
        self._until.pop(name, None)
        if self._pauses.pop(name, None) is not None:
            self.progress.goes_on(name)


def _now() -> float:
    return asyncio.get_running_loop().time()
