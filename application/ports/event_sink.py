"""Where events leave the house."""

from collections.abc import Sequence
from typing import Protocol

from attrs import frozen

from application.events_out.event import Event


@frozen
class Refusal:
    """Why a sink did not take an event; `for_good` if it never will."""

    because: str
    for_good: bool = False


class EventSink(Protocol):
    @property
    def name(self) -> str:
        """Under which its position and its dead letters are kept: lower case, without a slash."""
        ...

    async def send(self, events: Sequence[Event]) -> Sequence[Refusal | None]:
        """Hand the events over. Each is of another stream, so they may go in any order.

        Returns for each event in turn nothing if it was taken, or why it was not.

        Raises:
            Unavailable: The sink takes nothing at the moment. Some of the events may have been
                taken all the same.
        """
        ...
