"""Appends of every kind, mostly sensible ones, drawn from a seed."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from random import Random

from attrs import define, field

from adapters.eventstore.log import Append, Guard, NewEvent, Receipt, StreamConflict
from tests.adapters.dynamodb.trials.history import Outcome

STREAMS = tuple(f"s-{number}" for number in range(24))
INLINE, POINTED, IN_PARTS = 40, 1_500, 400_000
"""Bytes of an event that lies in its span, in the log alone, and in several items of the log."""


@define
class Appending:
    """Proposes appends and learns from how they ended, as callers that share a cache would.

    Every event has an id of its own. Of its proposals some overlap what is stored or leave a gap.
    """

    name: str
    dice: Random
    streams: Sequence[str] = STREAMS
    large: bool = True
    proposed: int = 0
    last: dict[str, int] = field(factory=dict)
    """Where streams are believed to end."""
    _numbers: Iterator[int] = field(factory=count, init=False)

    def propose(self) -> Append:
        self.proposed += 1
        chosen = self.dice.sample(self.streams, k=self.dice.choice((1, 1, 1, 2, 3)))
        guarded = chosen[1:] if self.dice.random() < 0.3 else []
        events = [event for one in chosen if one not in guarded for event in self._events(one)]
        return Append(events, [Guard(one, self.last.get(one, 0)) for one in guarded])

    def learn(self, append: Append, outcome: Outcome) -> None:
        if isinstance(outcome, Receipt):
            for event in append.events:
                self._ends(event.stream, event.version)
        elif isinstance(outcome, StreamConflict):
            self.last[outcome.stream] = outcome.last or 0

    def _ends(self, stream: str, version: int) -> None:
        self.last[stream] = max(self.last.get(stream, 0), version)

    def _events(self, stream: str) -> Iterable[NewEvent]:
        first = max(1, self.last.get(stream, 0) + 1 + self._slip())
        for version in range(first, first + self.dice.choice((1, 1, 1, 2, 5))):
            yield self._event(stream, version)

    def _slip(self) -> int:
        return self.dice.choice((-2, -1, 1)) if self.dice.random() < 0.05 else 0

    def _event(self, stream: str, version: int) -> NewEvent:
        size = self.dice.choices((INLINE, POINTED, IN_PARTS), (90, 9, 0.3 * self.large))[0]
        event_id = f"{self.name}-{next(self._numbers)}".encode()
        return NewEvent(stream, version, "thing.happened", self.dice.randbytes(size), event_id)
