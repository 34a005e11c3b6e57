"""Who listens to the stream of events: how many may, and until when."""

import asyncio

from attrs import define, field

from application.errors import Unavailable

SLOWEST = 30.0
"""Seconds in which a reader must take what is written to it."""


@define
class EventStreams:
    """Those who listen now: no more than so many, and none for long once the server stops."""

    most: int
    heartbeat: float
    slowest: float = SLOWEST
    listening: int = 0
    ended: asyncio.Event = field(factory=asyncio.Event)

    def enter(self) -> None:
        """Raises Unavailable if no more may listen."""
        if self.listening >= self.most:
            raise Unavailable("the stream of events", f"{self.listening} listen already")
        self.listening += 1

    def leave(self) -> None:
        self.listening -= 1

    def end(self) -> None:
        self.ended.set()
