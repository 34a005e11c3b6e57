"""
When to look at the lease again, for one that waits in line.

    turn begins   5    10     20         40                 80         |  5   10   15   20
    ├─────────────┴────┴──────┴──────────┴──────────────────┴──────────┤──┴────┴────┴────┴── …
                                                               its usual end

A turn that has lasted for a moment may end any moment, one that has lasted for long lasts longer:
looks lie as far apart as it is old, so that a turn that ends early is noticed early, and a whole
one costs a few looks. Behind its usual end looks lie closer, a quarter of how long it is overdue:
the owner is at its last group, and afterwards nobody writes until the next has looked.
"""

from attrs import define, field, frozen

from adapters.dynamodb.log.turn_lease import Seen

CLOSER = 4
"""How many looks fit into the time that a turn is overdue."""


@frozen
class Manners:
    """Seconds."""

    turn: float = 0.25
    """How long one process writes while others wait."""
    gone: float = 1.0
    """After how long an owner that does not move is taken to be gone."""
    longest_wait: float = 3.0
    """Then one writes without a turn."""
    calm: float = 5.0
    """After how long without others one stops asking for turns."""
    glance: float = 0.25
    """How often one that writes without pause looks whether others wait."""
    first_look: float = 0.005
    """While who is next does not look, nobody writes."""
    longest_look: float = 0.04
    """How far apart looks are for an end that is overdue."""


@define
class TurnWatch:
    manners: Manners
    me: str
    looked: float
    """When the lease was last looked at."""
    _began: float = field(init=False)
    """When the turn began that goes on, at the earliest."""
    _seen: Seen | None = field(default=None, init=False)
    _since: float = field(init=False)
    """When this turn was first seen."""

    def __attrs_post_init__(self) -> None:
        self._began = self._since = self.looked

    def saw(self, seen: Seen, at: float) -> None:
        if self._seen is None or seen.stamp != self._seen.stamp:
            self._began, self._since = self.looked, at
        self._seen, self.looked = seen, at

    def pause(self, now: float) -> float:
        """Seconds until the next look."""
        ends = self._began + self.manners.turn
        if now < ends:
            return max(min(now - self._began, ends - now), self._shortest)
        return max(min((now - ends) / CLOSER, self.manners.longest_look), self._shortest)

    def is_gone(self, now: float) -> bool:
        return now - self._since >= self.manners.gone

    @property
    def _shortest(self) -> float:
        if self._seen is None or self._seen.line[:1] == [self.me]:
            return self.manners.first_look
        # Whoever is further back loses nothing by looking late.
        return self.manners.longest_look / 2
