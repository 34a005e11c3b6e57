"""What was seen of a log on a walk through it, however long the log is."""

from collections.abc import Iterator
from contextlib import contextmanager

import apsw

_CREATE = (
    "CREATE TABLE streams (stream TEXT PRIMARY KEY, version INTEGER) STRICT, WITHOUT ROWID",
    "CREATE TABLE ids (id BLOB PRIMARY KEY) STRICT, WITHOUT ROWID",
)


class Scratch:
    """Streams and event ids in a database of SQLite's that is nobody's and ends with its user."""

    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection
        for statement in _CREATE:
            connection.execute(statement)

    def last_version(self, stream: str) -> int | None:
        sql = "SELECT version FROM streams WHERE stream = ?"
        found: int | None = self.connection.execute(sql, (stream,)).get
        return found

    def move(self, stream: str, version: int) -> None:
        self.connection.execute("INSERT OR REPLACE INTO streams VALUES (?, ?)", (stream, version))

    def is_new(self, event_id: bytes) -> bool:
        self.connection.execute("INSERT OR IGNORE INTO ids VALUES (?)", (event_id,))
        return self.connection.changes() > 0


@contextmanager
def scratch() -> Iterator[Scratch]:
    # An empty name is a file of SQLite's own, which it removes; only what exceeds the cache is
    # ever written to it.
    connection = apsw.Connection("")
    try:
        connection.pragma("journal_mode", "OFF")
        connection.pragma("cache_size", -64_000)
        connection.execute("BEGIN")
        yield Scratch(connection)
    finally:
        connection.close()
