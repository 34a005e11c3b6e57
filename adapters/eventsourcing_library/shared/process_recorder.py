"""What the library asks of whoever stores events together with a position."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from eventsourcing.persistence import ProcessRecorder, StoredEvent, Tracking

from adapters.eventsourcing_library.shared.recorders import LogApplicationRecorder


class LogProcessRecorder(LogApplicationRecorder, ProcessRecorder):
    """Stores events together with the position whose processing caused them."""

    def insert_events(
        self, stored_events: Sequence[StoredEvent], **kwargs: Any
    ) -> Sequence[int] | None:
        tracking: Tracking | None = kwargs.get("tracking")
        if tracking is None:
            return super().insert_events(stored_events, **kwargs)
        if stored_events:
            return self._insert_tracked(stored_events, tracking)
        self.insert_tracking(tracking)
        return []

    @abstractmethod
    def _insert_tracked(
        self, stored_events: Sequence[StoredEvent], tracking: Tracking
    ) -> Sequence[int]:
        """Store both, or neither."""
