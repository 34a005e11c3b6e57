"""Reading the log, on the thread of whoever asks."""

from bisect import bisect_right
from collections.abc import Sequence

from attrs import frozen

from adapters.eventstore.log import LogEntry
from adapters.sqlite.log_table import LogTable, to_entry
from adapters.sqlite.rows import Rows

UNBOUNDED = 2**63 - 1
NO_LIMIT = -1


@frozen
class LogReader:
    """Everything durable in one application's log."""

    database: Rows
    table: LogTable

    def stream(
        self,
        stream: str,
        *,
        after: int = -1,
        upto: int | None = None,
        limit: int | None = None,
        newest_first: bool = False,
    ) -> list[LogEntry]:
        """A stream's entries with after < version <= upto."""
        sql = self.table.select(
            "stream = ?",
            "version > ?",
            "version <= ?",
            order="version DESC" if newest_first else "version",
        )
        bounds = (after, UNBOUNDED if upto is None else upto, NO_LIMIT if limit is None else limit)
        return [to_entry(row) for row in self.database.rows(sql, (stream, *bounds))]

    def entries(
        self, after: int, limit: int, *, upto: int | None = None, names: Sequence[str] = ()
    ) -> list[LogEntry]:
        """Entries of any stream with after < position <= upto, those of the given names."""
        conditions = ["position > ?", "position <= ?"]
        if names:
            conditions.append(f"name IN ({', '.join('?' * len(names))})")
        sql = self.table.select(*conditions, order="position")
        bounds = (after, UNBOUNDED if upto is None else upto)
        return [to_entry(row) for row in self.database.rows(sql, (*bounds, *names, limit))]

    def position_at(self, ms: int, *, upto: int) -> int:
        """The last position recorded then or before. They are in order: halving finds it."""
        return bisect_right(range(1, upto + 1), ms, key=self._recorded_ms)

    def version_at(self, stream: str, position: int, *, upto: int) -> int | None:
        """The last version up to the position, among those up to the stream's last."""
        versions = range(upto + 1)
        at = bisect_right(versions, position, key=lambda version: self._place(stream, version)) - 1
        return at if at >= 0 and self._place(stream, at) else None

    def _recorded_ms(self, position: int) -> int:
        ms: int = self.database.rows(self.table.recorded_ms, (position,))[0][0]
        return ms

    def _place(self, stream: str, version: int) -> int:
        """The version's position, 0 for version 0 of a stream that begins at 1."""
        found = self.database.rows(self.table.place, (stream, version))
        return found[0][0] if found else 0

    def head(self) -> int:
        found = self.database.rows(self.table.last)
        return found[0][0] if found else 0

    def last_version(self, stream: str) -> int | None:
        version: int | None = self.database.rows(self.table.last_version, (stream,))[0][0]
        return version
