"""A log that is open, and what a command can do with it."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from attrs import define, frozen

from adapters.dynamodb.transport.capacity import Units
from adapters.eventstore.export.transfer import Source
from adapters.eventstore.inspection.inspector import Inspector, Mender
from adapters.eventstore.inspection.progress import Progress
from adapters.eventstore.log_stats import LogStats
from entrypoints.settings.loading import Engine

APPLICATION = "statestore"


@define
class NoLog(Exception):
    where: str

    def __str__(self) -> str:
        return f"there is no event log in {self.where}"


class ReadLog(Source, Protocol):
    async def head(self) -> int:
        """The last durable position, 0 for an empty log."""
        ...

    async def beyond(self, position: int, *, timeout: float) -> bool:
        """Wait until the head exceeds the position; False when the time is up first."""
        ...


@frozen
class Tools:
    """A log that is open for reading, and what can be asked about it."""

    where: str
    engine: Engine
    log_id: str | None
    epoch: int
    log: ReadLog
    inspector: Inspector
    mender: Mender | None
    """Nothing where mending needs the store for itself."""
    stats: Callable[[Progress], Awaitable[LogStats]]
    units: Callable[[], Units | None]
    """What this command has spent so far, where that is counted."""
