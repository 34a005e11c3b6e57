"""Events that sinks would not take, as people look after them."""

from datetime import datetime
from typing import Protocol

from attrs import frozen

from application.reads.paging import Page, PageRequest


@frozen
class DeadLetterKey:
    sink: str
    event_id: str


@frozen
class DeadLetterView:
    sink: str
    event_id: str
    event_type: str
    log_position: int
    """Of the fact that the event is of."""
    reason: str
    attempts: int
    at: datetime
    """When it was set aside."""

    @property
    def key(self) -> DeadLetterKey:
        return DeadLetterKey(self.sink, self.event_id)


class DeadLetterReadModel(Protocol):
    async def letters(self, sink: str | None, page: PageRequest) -> Page[DeadLetterView]:
        """Return those of a sink, or all by sink; the oldest events first."""
        ...

    async def count(self, *, most: int) -> int:
        """How many there are; no more than `most` are counted."""
        ...
