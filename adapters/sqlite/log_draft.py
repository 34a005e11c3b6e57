"""What a group of appends would add to the log, worked out before anything is stored."""

from collections.abc import Callable, Sequence
from datetime import datetime

from adapters.eventstore.log import Append, Guard, NewEvent, Receipt, StreamConflict
from adapters.sqlite.log_table import Row, moment, to_row
from adapters.sqlite.waiting import Failed

LastVersion = Callable[[str], int | None]


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
            self._check_guards(append.guards)
            moved = self._continued(append.events)
        except StreamConflict as conflict:
            return Failed(conflict)
        self.moved.update(moved)
        return self._placed(append.events)

    def _check_guards(self, guards: Sequence[Guard]) -> None:
        for guard in guards:
            last = self._last(guard.stream)
            if last != (guard.version or None):
                raise StreamConflict(guard.stream, guard.version, last)

    def _continued(self, events: Sequence[NewEvent]) -> dict[str, int]:
        moved: dict[str, int] = {}
        for event in events:
            stream, version = event.stream, event.version
            last = moved[stream] if stream in moved else self._last(stream)
            if version != last + 1 if last is not None else version not in (0, 1):
                raise StreamConflict(stream, version, last)
            moved[stream] = version
        return moved

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
