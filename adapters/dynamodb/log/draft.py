"""What a group of appends would add to the log, worked out before anything is sent."""

from collections.abc import Iterable

from attrs import frozen

from adapters.dynamodb.log.packing import Placed
from adapters.eventstore.appending.continuation import LastVersion, continued
from adapters.eventstore.appending.write_outcomes import Failed
from adapters.eventstore.log import Append, StreamConflict

MOST_ACTIONS = 100
MOST_STREAMS = MOST_ACTIONS - 2
"""Every stream needs an action of its own, next to those of the log and of a new block."""

GROUP_BYTES = 300_000
"""Appends share a transaction as long as they surely fit into one item; a larger one is alone."""

_AROUND = 64


@frozen
class Place:
    """Where an append lies in its batch: from an offset on, so many events."""

    offset: int
    n: int


class Draft:
    """Appends that continue their streams, one after the other."""

    def __init__(self, last_version: LastVersion) -> None:
        self._base = last_version
        self.placed: list[Placed] = []
        self.written: dict[str, list[Placed]] = {}
        self.guarded: set[str] = set()
        self._moved: dict[str, int] = {}

    def add(self, append: Append) -> Place | Failed:
        """Take the append in, or say why it does not fit; then it leaves no trace."""
        try:
            moved = continued(append, self._last)
        except StreamConflict as conflict:
            return Failed(conflict)
        # A stream that this group has moved needs no check: nobody else can be beyond it.
        self.guarded.update(g.stream for g in append.guards if g.stream not in self._moved)
        self._moved.update(moved)
        return self._take(append)

    @property
    def checked(self) -> Iterable[str]:
        """Streams that are guarded and not written: their next version must not exist."""
        return sorted(self.guarded - self.written.keys())

    @property
    def actions(self) -> int:
        """How many streams the transaction has to write or to check."""
        return len(self.written.keys() | self.guarded)

    @property
    def moved(self) -> dict[str, int]:
        return self._moved

    def next_key(self, stream: str) -> int:
        """The sort key at which the stream goes on, as it was before the group."""
        base = self._base(stream)
        return 0 if base is None else base + 1

    def _take(self, append: Append) -> Place:
        place = Place(len(self.placed), len(append.events))
        for offset, event in enumerate(append.events, place.offset):
            one = Placed(offset, event)
            self.placed.append(one)
            self.written.setdefault(event.stream, []).append(one)
        return place

    def _last(self, stream: str) -> int | None:
        moved = self._moved.get(stream)
        return self._base(stream) if moved is None else moved


def streams_of(append: Append) -> set[str]:
    """Every stream that the append writes or guards."""
    return {e.stream for e in append.events} | {g.stream for g in append.guards}


def bytes_of_append(append: Append) -> int:
    """At least what its events take before they are compressed."""
    return sum(
        len(e.data) + len(e.meta) + len(e.event_id) + len(e.name) + len(e.stream) + _AROUND
        for e in append.events
    )


class Room:
    """Room for appends in one transaction."""

    def __init__(self) -> None:
        self._streams: set[str] = set()
        self._bytes = 0
        self._full = False

    def takes(self, append: Append, *, alone: bool = False) -> bool:
        """Whether the append was taken in. The first always is."""
        streams = self._streams | streams_of(append)
        size = self._bytes + bytes_of_append(append)
        fits = not alone and len(streams) <= MOST_STREAMS and size <= GROUP_BYTES
        if self._full or (self._streams and not fits):
            return False
        self._streams, self._bytes, self._full = streams, size, alone
        return True
