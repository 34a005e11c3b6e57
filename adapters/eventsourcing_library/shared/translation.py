"""Saying in the library's words what our log says in its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal
from uuid import UUID

from eventsourcing.persistence import (
    DataError,
    IntegrityError,
    Notification,
    OperationalError,
    StoredEvent,
)

from adapters.eventstore.log import LogEntry, NewEvent, StreamConflict
from application.errors import OutcomeUnknown, TooMuch, Unavailable

OriginatorIdType = Literal["uuid", "text"]


@contextmanager
def library_errors() -> Iterator[None]:
    try:
        yield
    except StreamConflict as conflict:
        raise IntegrityError(str(conflict)) from conflict
    except TooMuch as too_much:
        raise DataError(str(too_much)) from too_much
    except (OutcomeUnknown, Unavailable) as trouble:
        raise OperationalError(str(trouble)) from trouble


def originator_id(stream: str, kind: OriginatorIdType) -> UUID | str:
    return UUID(stream) if kind == "uuid" else stream


def new_event(stored: StoredEvent) -> NewEvent:
    return NewEvent(
        stream=str(stored.originator_id),
        version=stored.originator_version,
        name=stored.topic,
        data=stored.state,
    )


def stored_event(entry: LogEntry, kind: OriginatorIdType) -> StoredEvent:
    return StoredEvent(
        originator_id=originator_id(entry.stream, kind),
        originator_version=entry.version,
        topic=entry.name,
        state=entry.data,
    )


def notification(entry: LogEntry, kind: OriginatorIdType) -> Notification:
    return Notification(
        id=entry.position,
        originator_id=originator_id(entry.stream, kind),
        originator_version=entry.version,
        topic=entry.name,
        state=entry.data,
    )
