"""
Events as rows of `events_<application>`.

    position   recorded_ms   stream   version   name   data   event_id   meta

The position is the row's own key; stream and version are unique together. Times are whole
milliseconds since 1970.
"""

from typing import Any

import apsw
from attrs import frozen

from adapters.eventstore.log import LogEntry, NewEvent
from adapters.eventstore.times import moment

Row = tuple[int, int, str, int, str, bytes, bytes, bytes]


def to_row(position: int, ms: int, event: NewEvent) -> Row:
    return (
        position,
        ms,
        event.stream,
        event.version,
        event.name,
        event.data,
        event.event_id,
        event.meta,
    )


def to_entry(row: tuple[Any, ...]) -> LogEntry:
    position, ms, stream, version, name, data, event_id, meta = row
    return LogEntry(position, moment(ms), stream, version, name, data, event_id, meta)


@frozen
class LogTable:
    """The statements on one application's events."""

    application: int

    @property
    def name(self) -> str:
        return f"events_{self.application}"

    @property
    def insert(self) -> str:
        return f"INSERT INTO {self.name} VALUES (?, ?, ?, ?, ?, ?, ?, ?)"

    @property
    def last(self) -> str:
        return f"SELECT position, recorded_ms FROM {self.name} ORDER BY position DESC LIMIT 1"

    @property
    def last_version(self) -> str:
        return f"SELECT max(version) FROM {self.name} WHERE stream = ?"

    @property
    def recorded_ms(self) -> str:
        return f"SELECT recorded_ms FROM {self.name} WHERE position = ?"

    @property
    def place(self) -> str:
        return f"SELECT position FROM {self.name} WHERE stream = ? AND version = ?"

    def select(self, *conditions: str, order: str) -> str:
        return f"""
            SELECT position, recorded_ms, stream, version, name, data, event_id, meta
            FROM {self.name} WHERE {" AND ".join(conditions)} ORDER BY {order} LIMIT ?
        """

    def create(self, connection: apsw.Connection) -> None:
        connection.execute(f"""
            CREATE TABLE IF NOT EXISTS {self.name} (
                position INTEGER PRIMARY KEY,
                recorded_ms INTEGER NOT NULL,
                stream TEXT NOT NULL,
                version INTEGER NOT NULL,
                name TEXT NOT NULL,
                data BLOB NOT NULL,
                event_id BLOB NOT NULL,
                meta BLOB NOT NULL
            ) STRICT
        """)
        connection.execute(f"""
            CREATE UNIQUE INDEX IF NOT EXISTS {self.name}_stream ON {self.name} (stream, version)
        """)
