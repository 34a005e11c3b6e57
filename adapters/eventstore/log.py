"""
The log: what every engine promises about keeping events.

An append is one or more events for one or more streams. It is stored whole or not at all, at
consecutive positions. Positions start at 1 and have no gaps; nobody sees position 8 before 7
exists. A stream's versions start at 0 or 1 and have no gaps either: an event is refused unless it
continues its stream.
"""

from collections.abc import Sequence
from concurrent.futures import Future
from datetime import datetime
from typing import Protocol

from attrs import define, frozen

from application.reads.history import End


@frozen
class NewEvent:
    """An event before the log has given it a position."""

    stream: str
    version: int
    name: str
    data: bytes
    event_id: bytes = b""
    meta: bytes = b""


@frozen
class LogEntry:
    """An event as the log keeps it. `recorded_at` never decreases with the position."""

    position: int
    recorded_at: datetime
    stream: str
    version: int
    name: str
    data: bytes
    event_id: bytes
    meta: bytes

    @property
    def event(self) -> NewEvent:
        """The event as it was before the log took it."""
        return NewEvent(self.stream, self.version, self.name, self.data, self.event_id, self.meta)


@frozen
class Guard:
    """A stream that was read and is not written: its last version must not have moved.

    Version 0 stands for a stream that does not exist.
    """

    stream: str
    version: int


@frozen
class Append:
    """What is stored together. A stream may appear once or many times, versions ascending."""

    events: Sequence[NewEvent]
    guards: Sequence[Guard] = ()


@frozen
class Receipt:
    """Where an append was stored: positions `first` to `last`."""

    first: int
    last: int
    recorded_at: datetime


@frozen
class Scanned:
    """Entries that were wanted, and how far the log was looked through for them."""

    entries: Sequence[LogEntry]
    upto: int


@define
class StreamConflict(Exception):
    """Someone else has moved the stream, or the append does not continue it."""

    stream: str
    attempted: int
    last: int | None

    def __str__(self) -> str:
        at = "does not exist" if self.last is None else f"is at version {self.last}"
        return f"{self.stream} {at}: cannot use version {self.attempted}"


class Log(Protocol):
    """An ordered log of events with atomic appends."""

    def submit(self, append: Append) -> Future[Receipt]:
        """Queue the append; the future ends when it is durable.

        Raises (through the future):
            StreamConflict: A version or a guard did not hold; nothing was stored.
            Unavailable: The engine cannot write now; nothing was stored.
        """
        ...

    async def append(self, append: Append) -> Receipt:
        """`submit`, awaited without holding a thread."""
        ...

    async def last_version(self, stream: str) -> int | None:
        """The stream's last durable version, never a stale one; nothing if it does not exist."""
        ...

    async def stream(
        self, stream: str, *, after: int = -1, upto: int | None = None, limit: int | None = None
    ) -> Sequence[LogEntry]:
        """A stream's entries with after < version <= upto, in order."""
        ...

    async def read(self, after: int, limit: int) -> Sequence[LogEntry]:
        """Entries with position > after, in order."""
        ...

    async def position_at(self, moment: datetime) -> int:
        """The last position that was recorded at the moment or before; 0 if there is none."""
        ...

    async def version_at(self, stream: str, position: int) -> int | None:
        """The stream's last version up to the position; nothing if it did not exist then."""
        ...

    async def head(self) -> int:
        """The last durable position, 0 for an empty log."""
        ...

    async def end(self) -> End:
        """The head as it was lately. It costs nothing while somebody waits for the log to grow."""
        ...

    async def beyond(self, position: int, *, timeout: float) -> bool:
        """Wait until the head exceeds the position; False when the time is up first."""
        ...
