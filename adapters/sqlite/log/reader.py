"""Reading the log, on the thread of whoever asks."""

from collections.abc import Sequence

from attrs import frozen

from adapters.eventstore.log import LogEntry
from adapters.sqlite.connection.row_queries import Rows
from adapters.sqlite.log.table import LogTable, to_entry

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
        position: int = self.database.rows(self.table.position_at, (upto, ms))[0][0]
        return position

    def version_at(self, stream: str, position: int, *, upto: int) -> int | None:
        """The last version up to the position, among those up to the stream's last."""
        bounds = (upto, position, stream)
        version: int = self.database.rows(self.table.version_at, bounds)[0][0]
        return version or self._first(stream, position)

    def _first(self, stream: str, position: int) -> int | None:
        """Version 0, if the stream begins with that, and by the position."""
        sql = self.table.select("stream = ?", "version = 0", "position <= ?", order="version")
        return 0 if self.database.rows(sql, (stream, position, 1)) else None

    def head(self) -> int:
        found = self.database.rows(self.table.last)
        return found[0][0] if found else 0

    def last_version(self, stream: str) -> int | None:
        version: int | None = self.database.rows(self.table.last_version, (stream,))[0][0]
        return version
