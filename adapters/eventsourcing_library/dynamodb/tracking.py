"""How far an application has followed others, and events recorded together with that."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen
from eventsourcing.persistence import (
    IntegrityError,
    StoredEvent,
    Tracking,
    TrackingRecorder,
)

from adapters.dynamodb.log.companions import Companion
from adapters.dynamodb.log_records.upstream_checkpoints import DynamoTracking
from adapters.dynamodb.transport.loop_thread import LoopThread
from adapters.eventsourcing_library.dynamodb.blocking_log import BlockingDynamoLog
from adapters.eventsourcing_library.dynamodb.recorders import DynamoApplicationRecorder
from adapters.eventsourcing_library.shared.process_recorder import LogProcessRecorder
from adapters.eventsourcing_library.shared.recorders import positions, to_append
from adapters.eventsourcing_library.shared.translation import OriginatorIdType, library_errors


@frozen
class Trackings:
    """Positions of the applications that are followed, for callers without an event loop."""

    items: DynamoTracking
    thread: LoopThread

    def moving(self, tracking: Tracking) -> Companion:
        upstream, to = tracking.application_name, tracking.notification_id
        return self.items.moving(upstream, to, lambda: _passed(tracking))

    def move(self, tracking: Tracking, more: Sequence[Mapping[str, Any]]) -> None:
        with library_errors():
            self.thread.run(self.items.move(self.moving(tracking), more))

    def position(self, upstream: str) -> int | None:
        with library_errors():
            return self.thread.run(self.items.position(upstream))


def _passed(tracking: Tracking) -> IntegrityError:
    upstream, position = tracking.application_name, tracking.notification_id
    return IntegrityError(f"{upstream} was already followed to {position} or beyond")


class DynamoTrackingRecorder(TrackingRecorder):
    """Remembers positions. A subclass may write items of its own in the same transaction:
    `insert_tracking(tracking, actions)` with actions as TransactWriteItems takes them.
    """

    def __init__(self, trackings: Trackings) -> None:
        self.trackings = trackings

    def insert_tracking(
        self, tracking: Tracking, actions: Sequence[Mapping[str, Any]] = ()
    ) -> None:
        self.trackings.move(tracking, actions)

    def max_tracking_id(self, application_name: str) -> int | None:
        return self.trackings.position(application_name)


class DynamoProcessRecorder(LogProcessRecorder, DynamoTrackingRecorder, DynamoApplicationRecorder):
    def __init__(self, log: BlockingDynamoLog, ids: OriginatorIdType, trackings: Trackings) -> None:
        DynamoTrackingRecorder.__init__(self, trackings)
        DynamoApplicationRecorder.__init__(self, log, ids)

    def _insert_tracked(
        self, stored_events: Sequence[StoredEvent], tracking: Tracking
    ) -> Sequence[int]:
        moving = self.trackings.moving(tracking)
        with library_errors():
            return positions(self.log.submit(to_append(stored_events), [moving]).result())
