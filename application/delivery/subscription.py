"""Hearing of events as they are recorded, or from any moment on."""

import asyncio
from collections.abc import AsyncIterator, Sequence

from attrs import frozen

from application.caller import Caller
from application.delivery.event import Event, EventType
from application.delivery.event_factory import Announcements
from application.ports.access import Access
from application.reads.position import Position
from application.subscriptions.batches import BATCH
from application.subscriptions.feed import Feed
from domain.errors import Invalid, Violation
from domain.ids import DatasetUrn

BREATH = 0.1


@frozen
class EventFilter:
    """Which events are wanted. What is left out does not matter."""

    types: frozenset[EventType] = frozenset()
    datasets: frozenset[DatasetUrn] = frozenset()

    def fits(self, event: Event) -> bool:
        return (not self.types or event.event_type in self.types) and (
            not self.datasets or event.dataset in self.datasets
        )


@frozen
class ListenToEvents:
    """Follows the log itself: whatever process wrote something, all who listen hear of it."""

    feed: Feed
    announcements: Announcements
    access: Access

    async def start(self, after: Position | None, *, by: Caller, said_in: str = "after") -> int:
        """Where to begin: behind the position, or now.

        Raises:
            Invalid: There is no such position; the violation names where it was said.
        """
        await self.access.permit(by, "event:read", "*")
        head = await self.feed.head()
        if after is None:
            return head
        if after != Position(after.number):
            raise _nowhere(said_in, "is of another log")
        if after.number > head:
            raise _nowhere(said_in, "lies beyond the end of the log")
        return after.number

    async def follow(
        self, after: int, wanted: EventFilter, *, patience: float
    ) -> AsyncIterator[tuple[Sequence[Event], int]]:
        """What fits, and how far the log was read for it, without an end.

        Something is told within the patience, if only how far it is.
        """
        while True:
            facts = await self.feed.read(after, BATCH)
            if not facts:
                if not await self.feed.beyond(after, timeout=patience):
                    yield [], after
                continue
            events = await self.announcements.of_all(facts)
            after = facts[-1].position
            yield [event for event in events if wanted.fits(event)], after
            if len(facts) < BATCH:
                # Facts that come one by one are looked at together.
                await asyncio.sleep(BREATH)


def _nowhere(said_in: str, reason: str) -> Invalid:
    return Invalid([Violation(said_in, "OUT_OF_RANGE", f"{reason}: start without it")])
