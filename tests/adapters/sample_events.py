"""Events to send."""

from datetime import UTC, datetime

from application.delivery.event import Event, EventType
from domain.ids import DatasetUrn, FailureSignature, SignalType
from domain.stream_categories import signal_stream

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)
LATE = FailureSignature("LATE_DATA:processed_at")


def event(number: int = 1, name: str = "order_created") -> Event:
    """The n-th dataset's freshness turns critical."""
    dataset = DatasetUrn(f"urn:dp:orders:{name}_{number}:v1")
    return Event(
        event_id=f"{number:032x}",
        event_type=EventType.SIGNAL_STATE_CHANGED,
        stream=signal_stream(dataset, SignalType("FRESHNESS")),
        position=number,
        at=NOON,
        dataset=dataset,
        told={
            "signal_type": "FRESHNESS",
            "previous_state": "OK",
            "new_state": "CRITICAL",
            "failure_signature": LATE,
            "version": 2,
        },
    )
