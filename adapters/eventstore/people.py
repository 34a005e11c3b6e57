"""Erasing a person: the key is destroyed, and whatever was opened with it forgotten."""

from attrs import frozen

from adapters.eventstore.sealing import Seals
from adapters.eventstore.streams import LoggedStreams


@frozen
class SealedPeople:
    seals: Seals
    streams: LoggedStreams

    async def erase(self, person: str) -> bool:
        destroyed = self.seals.forget(person)
        self.streams.forget_all()
        return destroyed
