"""
Erasing a person: the key is destroyed, and whatever was opened with it forgotten, in every process.

What a process remembers of a person it must not seal again under a new key. Until it has
forgotten, none is made.
"""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from attrs import frozen

from adapters.eventstore.feed import RecentFeed
from adapters.eventstore.sealing.seals import CONFIDENTIAL, Seals
from adapters.eventstore.streams import LoggedStreams
from application.errors import Unavailable

LOOKED_FOR_EVERY = 1.0


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
            self._forget_all()
            return destroyed

    async def look(self) -> None:
        """Forget whom other processes have erased."""
        if self.seals.keys.lost_some():
            async with self.projections_at_rest():
                self._forget_all()

    async def watch(self) -> None:
        """Look now and then, until cancelled."""
        while True:
            await asyncio.sleep(LOOKED_FOR_EVERY)
            try:
                await self.look()
            except Unavailable:
                continue  # Whoever needs a key says so; here it is looked again.

    def _forget_all(self) -> None:
        self.streams.forget_all()
        self.feed.forget_all()
        self.seals.forget_all()
