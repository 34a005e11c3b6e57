"""
An event that a sink would not take. It is kept until somebody has it sent again, or drops it.

What the event says is not kept here: it is told anew from the log, so that nobody who was erased
meanwhile is named.
"""

from collections.abc import Sequence
from typing import assert_never

from attrs import frozen

from domain.errors import NotFound

# Facts. Names and fields are the storage format: to change one, add an upcast.


@frozen
class SetAside:
    """`position` tells which fact of the log the event is of."""

    event_type: str
    position: int
    reason: str
    attempts: int


@frozen
class Resent:
    """The sink has taken it after all."""


@frozen
class Dropped:
    """Nobody needs it any more."""


DeadLetterFact = SetAside | Resent | Dropped


@frozen
class DeadLetter:
    waiting: SetAside | None = None

    # Decisions: what may happen next. Repeating one yields no facts.

    def set_aside(self, why: SetAside) -> Sequence[DeadLetterFact]:
        """Whoever sends an event again, after a stop, may be refused again."""
        return [] if self.waiting is not None else [why]

    def resent(self) -> Sequence[DeadLetterFact]:
        return [] if self.waiting is None else [Resent()]

    def drop(self, name: str) -> Sequence[DeadLetterFact]:
        self.must_wait(name)
        return [Dropped()]

    def must_wait(self, name: str) -> SetAside:
        """Raises NotFound unless it waits to be sent again or dropped."""
        if self.waiting is None:
            raise NotFound("dead letter", name)
        return self.waiting

    # Evolution: what has happened. Never refuses.

    def after(self, fact: DeadLetterFact) -> "DeadLetter":
        match fact:
            case SetAside():
                return DeadLetter(fact)
            case Resent() | Dropped():
                return DeadLetter()
            case _:
                assert_never(fact)
