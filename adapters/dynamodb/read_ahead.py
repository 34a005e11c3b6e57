"""What was read with the entries that somebody asked for, kept until they ask for the next ones."""

from collections import OrderedDict
from collections.abc import Sequence

from adapters.eventstore.log import LogEntry

READERS = 4


class ReadAhead:
    """Entries by the position before them, for the few readers that asked last.

    Entries never change, so what is kept here is never old.
    """

    def __init__(self, readers: int = READERS) -> None:
        self._readers = readers
        self._kept: OrderedDict[int, list[LogEntry]] = OrderedDict()

    def take(self, after: int) -> list[LogEntry]:
        return self._kept.pop(after, [])

    def keep(self, entries: Sequence[LogEntry]) -> None:
        if not entries:
            return
        self._kept[entries[0].position - 1] = list(entries)
        while len(self._kept) > self._readers:
            self._kept.popitem(last=False)
