"""Recorders for aggregates and applications, a thin face on a log."""

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any, Protocol
from uuid import UUID

from eventsourcing.persistence import (
    AggregateRecorder,
    ApplicationRecorder,
    Notification,
    StoredEvent,
    Subscription,
)

from adapters.eventsourcing_library.shared.subscription import (
    LogSubscription,
    Look,
    LookingRecorder,
)
from adapters.eventsourcing_library.shared.translation import (
    OriginatorIdType,
    library_errors,
    new_event,
    notification,
    stored_event,
)
from adapters.eventstore.appending.head_watch import HeadWatch
from adapters.eventstore.log import Append, LogEntry, Receipt, Scanned


class BlockingLog(Protocol):
    """A log whose reads hold the calling thread, as the library wants it."""

    @property
    def watch(self) -> HeadWatch: ...

    def submit(self, append: Append) -> Future[Receipt]: ...

    def read_stream(
        self,
        stream: str,
        *,
        after: int = -1,
        upto: int | None = None,
        limit: int | None = None,
        newest_first: bool = False,
    ) -> Sequence[LogEntry]:
        """A stream's entries with after < version <= upto."""
        ...

    def read_entries(
        self, after: int, limit: int, *, upto: int | None = None, names: Sequence[str] = ()
    ) -> Scanned:
        """Entries of any stream with after < position <= upto, those of the given names."""
        ...

    def head_now(self) -> int:
        """The end of the log as it is now, 0 for an empty one."""
        ...


class LogAggregateRecorder(AggregateRecorder):
    """Stores events of aggregates; each must continue its aggregate's versions."""

    def __init__(self, log: BlockingLog, ids: OriginatorIdType) -> None:
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
            entries = self.log.read_stream(
                str(originator_id), after=after, upto=lte, limit=limit, newest_first=desc
            )
        return [stored_event(entry, self.ids) for entry in entries]


class LogApplicationRecorder(LogAggregateRecorder, LookingRecorder):
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
        return self.look(after, limit, stop=stop, topics=topics).page

    def look(
        self, after: int, limit: int, *, stop: int | None = None, topics: Sequence[str] = ()
    ) -> Look:
        with library_errors():
            scanned = self.log.read_entries(after, limit, upto=stop, names=topics)
        return Look([notification(entry, self.ids) for entry in scanned.entries], scanned.upto)

    def max_notification_id(self) -> int | None:
        with library_errors():
            return self.log.head_now() or None

    def subscribe(
        self, gt: int | None = None, topics: Sequence[str] = ()
    ) -> Subscription[ApplicationRecorder]:
        return LogSubscription(self, self.log.watch, gt=gt, topics=topics)


def to_append(stored_events: Sequence[StoredEvent]) -> Append:
    return Append([new_event(stored) for stored in stored_events])


def positions(receipt: Receipt) -> Sequence[int]:
    return list(range(receipt.first, receipt.last + 1))
