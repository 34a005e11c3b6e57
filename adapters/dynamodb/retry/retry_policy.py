"""How long and how often a call is tried again."""

from random import Random

from attrs import define, frozen


@frozen
class Patience:
    """Seconds and counts (S2-52, S2-68)."""

    deadline: float = 30.0
    """Of a call whose caller names none."""
    reply: float = 5.0
    """How long one reply is waited for."""
    attempts: int = 10
    """How often a call is sent that surely changed nothing so far."""
    first_pause: float = 0.025
    longest_pause: float = 2.0

    def pause(self, attempt: int, dice: Random) -> float:
        """Full jitter: anything between nothing and a bound that doubles with each attempt."""
        bound = min(self.longest_pause, self.first_pause * 2.0 ** min(attempt - 1, 30))
        return dice.uniform(0.0, bound)


@define
class RetryBudget:
    """Keeps retries a share of the calls, so that they cannot drown a service that struggles.

    All calls of a process share one: what succeeds earns a part of a retry, a retry costs one.
    """

    most: float = 100.0
    earned: float = 0.2
    left: float = 100.0

    def earn(self) -> None:
        self.left = min(self.most, self.left + self.earned)

    def take(self) -> bool:
        """Whether one more retry is affordable; it is paid for then."""
        if self.left < 1.0:
            return False
        self.left -= 1.0
        return True
