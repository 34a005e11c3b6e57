"""Erasing a person: the key is destroyed, and whatever was opened with it forgotten."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from attrs import frozen

from adapters.eventstore.feed import RecentFeed
from adapters.eventstore.sealing import CONFIDENTIAL, Seals
from adapters.eventstore.streams import LoggedStreams


@frozen
class SealedPeople:
    seals: Seals
    streams: LoggedStreams
    feed: RecentFeed
    projections_at_rest: Callable[[], AbstractAsyncContextManager[None]]

    async def erase(self, person: str) -> bool:
        if person.strip().casefold() == CONFIDENTIAL:
            return False  # Nobody's name: what lies under that key is about no person.
        # A batch that was read before and filed after would seal the person anew.
        async with self.projections_at_rest():
            destroyed = self.seals.forget(person)
            self.streams.forget_all()
            self.feed.forget_all()
            return destroyed
