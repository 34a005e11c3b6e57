"""What was read with the entries that somebody asked for, kept until they ask for the next ones."""

from collections import OrderedDict, deque

from attrs import field, frozen

from adapters.dynamodb.log.batches import Batch
from adapters.eventstore.log import LogEntry

READERS = 4


@frozen
class Ahead:
    """Entries, and the batches behind them, which are neither fetched from blobs nor decoded."""

    entries: list[LogEntry] = field(factory=list)
    batches: deque[Batch] = field(factory=deque)

    def __bool__(self) -> bool:
        return bool(self.entries or self.batches)

    @property
    def after(self) -> int:
        """The position before them."""
        first = self.entries[0].position if self.entries else self.batches[0].first
        return first - 1


class ReadAhead:
    """What lies ahead by the position before it, for the few readers that asked last.

    Entries never change, so what is kept here is never old.
    """

    def __init__(self, readers: int = READERS) -> None:
        self._readers = readers
        self._kept: OrderedDict[int, Ahead] = OrderedDict()

    def take(self, after: int) -> Ahead:
        return self._kept.pop(after, None) or Ahead()

    def keep(self, ahead: Ahead) -> None:
        if not ahead:
            return
        self._kept[ahead.after] = ahead
        while len(self._kept) > self._readers:
            self._kept.popitem(last=False)
