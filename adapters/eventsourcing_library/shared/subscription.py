"""A subscription that is woken by the log itself."""

from abc import abstractmethod
from collections.abc import Sequence

from attrs import frozen
from eventsourcing.persistence import (
    ApplicationRecorder,
    ListenNotifySubscription,
    Notification,
    ShutDown,
)

from adapters.eventstore.appending.head_watch import HeadWatch


@frozen
class Look:
    """Notifications that were found, and how far the log was looked through for them."""

    page: Sequence[Notification]
    upto: int


class LookingRecorder(ApplicationRecorder):
    """A recorder that says how far it has looked, which may be less far than it was asked to."""

    @abstractmethod
    def look(
        self, after: int, limit: int, *, stop: int | None = None, topics: Sequence[str] = ()
    ) -> Look: ...


class LogSubscription(ListenNotifySubscription[LookingRecorder]):
    """Yields what is recorded, from the given position on, and waits for more."""

    def __init__(
        self,
        recorder: LookingRecorder,
        watch: HeadWatch,
        *,
        gt: int | None = None,
        topics: Sequence[str] = (),
    ) -> None:
        self._watch = watch
        super().__init__(recorder=recorder, gt=gt, topics=topics)
        watch.listen(self._has_been_notified.set)
        # What was recorded since the thread first looked and before we listened has woken nobody.
        self._has_been_notified.set()

    def stop(self) -> None:
        super().stop()
        self._watch.unlisten(self._has_been_notified.set)

    def _pull(self) -> None:
        self._has_been_notified.clear()
        while not self._has_been_stopped and self._pull_page():
            pass

    def _pull_page(self) -> bool:
        """Hand on one page, and say whether there may be another.

        The position moves with what was looked through, not only with what matched: otherwise a
        rare topic makes every look start over. A log that cannot show all of itself yet is not
        looked through to its head: what is behind such a place is still to come.
        """
        head = self._recorder.max_notification_id() or 0
        look = self._recorder.look(
            self._last_notification_id or 0, self._select_limit, stop=head, topics=self._topics
        )
        if look.page and not self._handed_on(look.page):
            return False
        self._last_notification_id = look.upto
        return look.upto < head

    def _handed_on(self, page: Sequence[Notification]) -> bool:
        try:
            self._notifications_queue.put(page)
        except ShutDown:
            return False
        return True
