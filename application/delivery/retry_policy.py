"""How an outbox treats a sink."""

import random
from collections.abc import Callable
from datetime import timedelta

from attrs import frozen


@frozen
class Manners:
    """How often an event is tried that a sink refuses, and with which pauses."""

    tries: int = 10
    first_pause: float = 1.0
    longest_pause: float = 300.0
    from_the_beginning: bool = False
    """Whether a sink that is new is told the past, too."""
    dice: Callable[[], float] = random.random

    def pause_after(self, tries: int) -> timedelta:
        """Twice as long each time, and never quite the same for what was refused together."""
        longest = min(self.first_pause * 2 ** (tries - 1), self.longest_pause)
        return timedelta(seconds=longest * (0.5 + self.dice() / 2))
