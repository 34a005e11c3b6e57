"""Recorders for aggregates and applications, a thin face on the log."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from eventsourcing.persistence import (
    AggregateRecorder,
    ApplicationRecorder,
    Notification,
    StoredEvent,
    Subscription,
)

from adapters.eventstore.library.subscription import LogSubscription
from adapters.eventstore.library.words import (
    OriginatorIdType,
    library_errors,
    new_event,
    notification,
    stored_event,
)
from adapters.eventstore.log import Append, Receipt
from adapters.sqlite.log import SqliteLog


class SqliteAggregateRecorder(AggregateRecorder):
    """Stores events of aggregates; each must continue its aggregate's versions."""

    def __init__(self, log: SqliteLog, ids: OriginatorIdType) -> None:
        self.log = log
        self.ids: OriginatorIdType = ids

    def insert_events(
        self, stored_events: Sequence[StoredEvent], **kwargs: Any
    ) -> Sequence[int] | None:
        if stored_events:
            self._insert(stored_events)
        return None

    def _insert(self, stored_events: Sequence[StoredEvent]) -> Sequence[int]:
        with library_errors():
            return positions(self.log.submit(to_append(stored_events)).result())

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        after = -1 if gt is None else gt
        with library_errors():
            entries = self.log.reader.stream(
                str(originator_id), after=after, upto=lte, limit=limit, newest_first=desc
            )
        return [stored_event(entry, self.ids) for entry in entries]


class SqliteApplicationRecorder(SqliteAggregateRecorder, ApplicationRecorder):
    """Stores events and hands them out again in the order of the log."""

    def insert_events(
        self, stored_events: Sequence[StoredEvent], **kwargs: Any
    ) -> Sequence[int] | None:
        return self._insert(stored_events) if stored_events else []

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        after = (start or 0) - (1 if inclusive_of_start else 0)
        with library_errors():
            entries = self.log.reader.entries(after, limit, upto=stop, names=topics)
        return [notification(entry, self.ids) for entry in entries]

    def max_notification_id(self) -> int | None:
        with library_errors():
            return self.log.head_now() or None

    def subscribe(
        self, gt: int | None = None, topics: Sequence[str] = ()
    ) -> Subscription[ApplicationRecorder]:
        return LogSubscription(self, self.log.writer.watch, gt=gt, topics=topics)


def to_append(stored_events: Sequence[StoredEvent]) -> Append:
    return Append([new_event(stored) for stored in stored_events])


def positions(receipt: Receipt) -> Sequence[int]:
    return list(range(receipt.first, receipt.last + 1))
