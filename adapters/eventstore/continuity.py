"""What must hold from one entry to the next, whatever the engine."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Protocol

from attrs import define

from adapters.eventstore.inspection.inspector import Finding, Kind
from adapters.eventstore.log import LogEntry
from adapters.eventstore.milliseconds import EPOCH
from domain.timestamps import stamp

Trouble = Callable[[LogEntry], str | None]
"""Why an entry cannot be understood, nothing if it can."""


class Seen(Protocol):
    """What was seen of the log so far; it may be more than fits into memory."""

    def last_version(self, stream: str) -> int | None: ...

    def move(self, stream: str, version: int) -> None: ...

    def is_new(self, event_id: bytes) -> bool:
        """Whether the id was never asked about before."""
        ...


@define
class Continuity:
    """Follows the entries in order. An event without an id is nobody's duplicate."""

    seen: Seen
    trouble: Trouble
    position: int = 0
    recorded_at: datetime = EPOCH

    def after(self, entry: LogEntry) -> Iterator[Finding]:
        yield from self._order(entry)
        yield from self._version(entry)
        if entry.event_id and not self.seen.is_new(entry.event_id):
            yield _found(Kind.DUPLICATE_ID, entry, f"event id {entry.event_id.hex()} again")
        reason = self.trouble(entry)
        if reason is not None:
            yield _found(Kind.UNREADABLE, entry, reason)

    def _order(self, entry: LogEntry) -> Iterator[Finding]:
        if entry.position > self.position + 1:
            yield gap(self.position + 1, entry.position - 1)
        if entry.recorded_at < self.recorded_at:
            at, before = stamp(entry.recorded_at), stamp(self.recorded_at)
            yield _found(Kind.TIME_BACKWARDS, entry, f"recorded at {at}, after {before}")
        self.position = entry.position
        self.recorded_at = max(self.recorded_at, entry.recorded_at)

    def _version(self, entry: LogEntry) -> Iterator[Finding]:
        last = self.seen.last_version(entry.stream)
        if entry.version != last + 1 if last is not None else entry.version not in (0, 1):
            after = "nothing" if last is None else f"version {last}"
            yield _found(Kind.VERSION_GAP, entry, f"version {entry.version} follows {after}")
        self.seen.move(entry.stream, entry.version)


def gap(first: int, last: int) -> Finding:
    many = f"positions {first} to {last} are missing"
    return Finding(Kind.GAP, f"position {first}", many if last > first else "it is missing")


def _found(kind: Kind, entry: LogEntry, what: str) -> Finding:
    return Finding(kind, f"position {entry.position}", f"{entry.stream}: {what}")
