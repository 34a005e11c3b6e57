"""A subscription that is woken by the log itself."""

from collections.abc import Sequence

from eventsourcing.persistence import (
    ApplicationRecorder,
    ListenNotifySubscription,
    Notification,
    ShutDown,
)

from adapters.eventstore.head_watch import HeadWatch


class LogSubscription(ListenNotifySubscription[ApplicationRecorder]):
    """Yields what is recorded, from the given position on, and waits for more."""

    def __init__(
        self,
        recorder: ApplicationRecorder,
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
        rare topic makes every look start over.
        """
        head = self._recorder.max_notification_id() or 0
        page = self._recorder.select_notifications(
            start=self._last_notification_id or 0,
            limit=self._select_limit,
            stop=head,
            topics=self._topics,
            inclusive_of_start=False,
        )
        full = len(page) == self._select_limit
        if page and not self._handed_on(page):
            return False
        looked_at = page[-1].id if full else head
        self._last_notification_id = max(looked_at, self._last_notification_id or 0)
        return full

    def _handed_on(self, page: Sequence[Notification]) -> bool:
        try:
            self._notifications_queue.put(page)
        except ShutDown:
            return False
        return True
