"""A circuit breaker: whoever failed again and again is left alone for a while."""

from collections.abc import Callable
from time import monotonic

from attrs import define, field


@define
class Breaker:
    """Opens after so many failures in a row. When the pause is over one may try, alone.

    Each failed try doubles the pause.
    """

    failures: int = 3
    pause: float = 1.0
    longest_pause: float = 15.0
    now: Callable[[], float] = monotonic
    on_change: Callable[[str | None], None] = lambda trouble: None
    """Told when it opens, and why, and when it closes; not at every try."""
    trouble: str | None = field(default=None, init=False)
    """Why it is open, if it is."""
    _failed: int = field(default=0, init=False)
    _pause: float = field(default=0.0, init=False)
    _closed_until: float = field(default=0.0, init=False)
    _trying: bool = field(default=False, init=False)

    def allows(self) -> bool:
        """Whether one may try. Whoever may must tell how it went."""
        if self.trouble is None:
            return True
        if self._trying or self.now() < self._closed_until:
            return False
        self._trying = True
        return True

    def succeeded(self) -> None:
        if self.trouble is not None:
            self.on_change(None)
        self.trouble, self._failed, self._pause, self._trying = None, 0, 0.0, False

    def failed(self, reason: str) -> None:
        self._failed += 1
        was_tried, self._trying = self._trying, False
        if self._failed < self.failures or (self.trouble is not None and not was_tried):
            return
        self._pause = min(self._pause * 2 or self.pause, self.longest_pause)
        self._closed_until = self.now() + self._pause
        if self.trouble is None:
            self.on_change(reason)
        self.trouble = reason

    def gave_up(self) -> None:
        """It was not tried to the end: nothing is known."""
        self._trying = False
