"""When a call is tried again, and after which pause."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

_DOUBLED_OFTEN = 100
"""By then every pause is the longest; further powers of two would be too large for a number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrying:
    """Until the deadline of the call, or until the budget is spent.

    Pauses grow twofold up to `longest_pause`, and any part of one is waited (full jitter). Every
    retry takes one from a budget that all calls of a client share. Every success gives `earned`
    back and every second `earned_each_second`, which is more than one caller alone spends on calls
    of ten seconds: while many fail, few are tried again.
    """

    most_tries: int | None = None
    """The first one included; as many as there is time for, if nothing is said."""
    first_pause: float = 0.05
    longest_pause: float = 2.0
    budget: float = 100.0
    earned: float = 0.1
    earned_each_second: float = 2.0
    try_timeout: float | None = None
    """How long one try may take, in seconds; as long as the call, if nothing is said."""

    def pause(self, tries: int, asked: float | None) -> float:
        """After so many tries. What the server asks for is the least that is waited."""
        longest = min(self.longest_pause, self.first_pause * 2 ** min(tries - 1, _DOUBLED_OFTEN))
        return random.uniform(0, longest) + (asked or 0.0)

    def may_try(self, tries: int) -> bool:
        """Whether so many tries may be followed by another."""
        return self.most_tries is None or tries < self.most_tries


NO_RETRIES = Retrying(most_tries=1)


@dataclass(slots=True)
class Budget:
    """What is left for retries."""

    retrying: Retrying
    now: Callable[[], float] = time.monotonic
    left: float = field(init=False)
    _counted: float = field(init=False)

    def __post_init__(self) -> None:
        self.left, self._counted = self.retrying.budget, self.now()

    def succeeded(self) -> None:
        self._earn(self.retrying.earned)

    def spend(self) -> bool:
        """Whether there is enough for a retry, which is then taken."""
        before, self._counted = self._counted, self.now()
        self._earn((self._counted - before) * self.retrying.earned_each_second)
        if self.left < 1:
            return False
        self.left -= 1
        return True

    def _earn(self, more: float) -> None:
        self.left = min(self.retrying.budget, self.left + more)
