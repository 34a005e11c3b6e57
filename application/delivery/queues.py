"""Events on their way to a sink, each stream's in order."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice

from attrs import define, field

from application.delivery.event import Event
from domain.streams import StreamId


@define
class Waiting:
    event: Event
    tries: int = 0
    due: datetime | None = None
    """Not to be tried again before; nothing if it was never refused."""


@define
class Queues:
    """Only the first of a stream may be sent; the streams do not wait for each other."""

    read: int
    """How far the log was read."""
    _streams: dict[StreamId, deque[Waiting]] = field(factory=dict)

    def __len__(self) -> int:
        return sum(map(len, self._streams.values()))

    def add(self, events: Iterable[Event]) -> None:
        for event in events:
            self._streams.setdefault(event.stream, deque()).append(Waiting(event))

    def ready(self, now: datetime, most: int) -> Sequence[Waiting]:
        """The first of each stream, where it may be sent now."""
        due = (one for one in self._firsts() if one.due is None or one.due <= now)
        return list(islice(due, most))

    def next_due(self) -> datetime | None:
        """When one that was refused may be tried again; nothing if none waits for that."""
        return min((one.due for one in self._firsts() if one.due is not None), default=None)

    def done(self, waiting: Waiting) -> None:
        """It was taken or set aside: the next of its stream is the first now."""
        stream = self._streams[waiting.event.stream]
        assert stream[0] is waiting, "events of one stream must not overtake each other"
        stream.popleft()
        if not stream:
            del self._streams[waiting.event.stream]

    @property
    def settled(self) -> int:
        """The position up to which nothing is on its way any more."""
        oldest = self.oldest()
        return self.read if oldest is None else oldest.position - 1

    def oldest(self) -> Event | None:
        firsts = (one.event for one in self._firsts())
        return min(firsts, key=lambda event: event.position, default=None)

    def _firsts(self) -> Iterator[Waiting]:
        return (stream[0] for stream in self._streams.values())
