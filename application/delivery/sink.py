"""Where events leave the house."""

from collections.abc import Sequence
from typing import Protocol

from attrs import frozen

from application.delivery.event import Event


@frozen
class Refusal:
    """The sink answered, and did not take the event; `for_good` if it never will."""

    reason: str
    for_good: bool = False


@frozen
class Away:
    """The sink as a whole does not answer now, or has no room. The event may have arrived."""

    reason: str


Answer = Refusal | Away | None
"""What became of an event: nothing to be told of it if it was taken."""


class EventSink(Protocol):
    @property
    def name(self) -> str:
        """Under which its position and its dead letters are kept: lower case, without a slash."""
        ...

    async def send(self, events: Sequence[Event]) -> Sequence[Answer]:
        """Hand the events over; returns for each in turn what became of it.

        Each is of another stream, so they may go in any order and at the same time.
        """
        ...
