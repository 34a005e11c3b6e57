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
from adapters.eventstore.milliseconds import moment
from adapters.sqlite.connection.bulk_insert import Insertion

_FIRST_STEP = 2**40
"""More than a log will ever hold. What exceeds its end is not even looked at."""

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
    def insert(self) -> Insertion:
        return Insertion(self.name, columns=8)

    @property
    def last(self) -> str:
        return f"SELECT position, recorded_ms FROM {self.name} ORDER BY position DESC LIMIT 1"

    @property
    def last_version(self) -> str:
        return f"SELECT max(version) FROM {self.name} WHERE stream = ?"

    @property
    def position_at(self) -> str:
        """The last of the positions up to ?1 that was recorded at ?2 milliseconds or before."""
        at = f"SELECT recorded_ms FROM {self.name} WHERE position = found + step"
        return _last_with(f"({at}) <= ?2")

    @property
    def version_at(self) -> str:
        """The last of the versions up to ?1 of the stream ?3 that has a position up to ?2."""
        held = f"SELECT position FROM {self.name} WHERE stream = ?3 AND version = found + step"
        return _last_with(f"({held}) <= ?2")

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


def _last_with(condition: str) -> str:
    """The last number up to ?1 that fulfils a condition, as do all before it; 0 if none does.

    Found in steps that are halved again and again, from a power of two on that exceeds it. A
    statement costs far more than such a step, so all are taken within one.
    """
    return f"""
        WITH RECURSIVE walk(found, step) AS (
            VALUES (0, {_FIRST_STEP})
            UNION ALL
            SELECT iif(found + step <= ?1 AND {condition}, found + step, found), step / 2
            FROM walk WHERE step > 0
        )
        SELECT found FROM walk WHERE step = 0
    """
