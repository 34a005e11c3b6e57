"""What a group of appends would add to the log, worked out before anything is stored."""

from collections.abc import Sequence
from datetime import datetime

from adapters.eventstore.appending.continuation import LastVersion, continued
from adapters.eventstore.appending.write_outcomes import Failed
from adapters.eventstore.log import Append, NewEvent, Receipt, StreamConflict
from adapters.eventstore.milliseconds import moment
from adapters.sqlite.log.table import Row, to_row


class Draft:
    """Appends that continue their streams, one after the other, as rows at the next positions."""

    def __init__(self, last_version: LastVersion, *, position: int, ms: int) -> None:
        self._last_version = last_version
        self.ms = ms
        self._at: datetime = moment(ms)
        self.position = position
        self.rows: list[Row] = []
        self.moved: dict[str, int] = {}

    def add(self, append: Append) -> Receipt | Failed:
        """Take the append in, or say why it does not fit; then it leaves no trace."""
        try:
            moved = continued(append, self._last)
        except StreamConflict as conflict:
            return Failed(conflict)
        self.moved.update(moved)
        return self._placed(append.events)

    def _last(self, stream: str) -> int | None:
        moved = self.moved.get(stream)
        return self._last_version(stream) if moved is None else moved

    def _placed(self, events: Sequence[NewEvent]) -> Receipt:
        first = self.position + 1
        self.rows += [
            to_row(position, self.ms, event) for position, event in enumerate(events, first)
        ]
        self.position += len(events)
        return Receipt(first, self.position, self._at)
