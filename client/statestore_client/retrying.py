"""When a call is tried again, and after which pause."""

import random
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrying:
    """Pauses grow twofold up to `longest_pause`, and any part of one is waited (full jitter).

    Every retry takes one from a budget that all calls of a client share, and every success gives
    `earned` back: while little succeeds, little is tried again.
    """

    most_tries: int = 6
    first_pause: float = 0.05
    longest_pause: float = 2.0
    budget: float = 50.0
    earned: float = 0.1
    try_timeout: float | None = None
    """How long one try may take, in seconds; as long as the call, if nothing is said."""

    def pause(self, tries: int, asked: float | None) -> float:
        """After so many tries. What the server asks for is the least that is waited."""
        longest = min(self.longest_pause, self.first_pause * 2 ** (tries - 1))
        return random.uniform(0, longest) + (asked or 0.0)


NO_RETRIES = Retrying(most_tries=1)


@dataclass(slots=True)
class Budget:
    """What is left for retries."""

    retrying: Retrying
    left: float = field(init=False)

    def __post_init__(self) -> None:
        self.left = self.retrying.budget

    def succeeded(self) -> None:
        self.left = min(self.retrying.budget, self.left + self.retrying.earned)

    def spend(self) -> bool:
        """Whether there is enough for a retry, which is then taken."""
        if self.left < 1:
            return False
        self.left -= 1
        return True
