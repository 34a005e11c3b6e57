"""Recorders for aggregates and applications on the DynamoDB log."""

from collections.abc import Sequence

from eventsourcing.persistence import ApplicationRecorder, Subscription

from adapters.eventsourcing_library.dynamodb.blocking_log import BlockingDynamoLog
from adapters.eventsourcing_library.shared.recorders import (
    LogAggregateRecorder,
    LogApplicationRecorder,
)
from adapters.eventsourcing_library.shared.subscription import LogSubscription, LookingRecorder
from adapters.eventsourcing_library.shared.translation import OriginatorIdType


class DynamoAggregateRecorder(LogAggregateRecorder):
    log: BlockingDynamoLog

    def __init__(self, log: BlockingDynamoLog, ids: OriginatorIdType) -> None:
        super().__init__(log, ids)


class DynamoApplicationRecorder(DynamoAggregateRecorder, LogApplicationRecorder):
    def subscribe(
        self, gt: int | None = None, topics: Sequence[str] = ()
    ) -> Subscription[ApplicationRecorder]:
        return DynamoSubscription(self, self.log, gt=gt, topics=topics)


class DynamoSubscription(LogSubscription):
    """Woken by what this process records at once, and by what others record after a look."""

    def __init__(
        self,
        recorder: LookingRecorder,
        log: BlockingDynamoLog,
        *,
        gt: int | None = None,
        topics: Sequence[str] = (),
    ) -> None:
        # Begun first: the subscription's thread may stop it at any time.
        self._following = log.follow()
        super().__init__(recorder, log.watch, gt=gt, topics=topics)

    def stop(self) -> None:
        super().stop()
        self._following.cancel()
