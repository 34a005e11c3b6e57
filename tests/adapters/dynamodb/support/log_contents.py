"""What a log holds, and what callers had been told of it: two views that a history is judged by."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from adapters.eventstore.log import Append, LogEntry, Receipt
from tests.adapters.dynamodb.trials.history import Attempt


class Kept:
    """What the log holds, by event and by stream. Events are told apart by their ids."""

    def __init__(self, log: Sequence[LogEntry]) -> None:
        self.log = log
        self.at: defaultdict[bytes, list[LogEntry]] = defaultdict(list)
        self.streams: defaultdict[str, list[LogEntry]] = defaultdict(list)
        for entry in log:
            self.at[entry.event_id].append(entry)
            self.streams[entry.stream].append(entry)

    def places(self, append: Append) -> list[LogEntry]:
        """Where the append's events are, those that are."""
        return [self.at[event.event_id][0] for event in append.events if event.event_id in self.at]

    def version(self, stream: str, *, before: int) -> int:
        """The stream's version at a position, without what lies there; 0 before it begins."""
        entries = self.streams[stream]
        return max((entry.version for entry in entries if entry.position < before), default=0)


class Acknowledged:
    """What callers had been told to be stored, as of any moment."""

    def __init__(self, attempts: Iterable[Attempt]) -> None:
        self._told: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        self._positions: list[tuple[int, int]] = []
        for attempt in attempts:
            if attempt.ended is not None and isinstance(attempt.outcome, Receipt):
                self._positions.append((attempt.ended, attempt.outcome.last))
                for event in attempt.append.events:
                    self._told[event.stream].append((attempt.ended, event.version))

    def version(self, stream: str, before: int) -> int:
        """The stream's last acknowledged version; streams of a history begin at 1."""
        return max((version for at, version in self._told[stream] if at < before), default=0)

    def position(self, before: int) -> int:
        return max((position for at, position in self._positions if at < before), default=0)
