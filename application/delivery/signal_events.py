"""Signals that changed their state, for other systems (S0-252)."""

from typing import Any

from application.delivery.event import Event, EventType
from application.recorded import Recorded
from domain.signal.evaluation import SignalStateEnum
from domain.signal.signal import Evaluated
from domain.stream_categories import dataset_of, signal_of


def signal_event(recorded: Recorded, fact: Evaluated) -> Event | None:
    """Nothing unless another state is shown from now on.

    `previous_state` is what was shown until then, so that the events of a signal form a chain. A
    signal that was never evaluated counts as UNKNOWN.
    """
    state = fact.evaluation.state
    before = SignalStateEnum.UNKNOWN if fact.version == 1 else fact.replaced
    if before is None or before is state:
        return None
    told: dict[str, Any] = {
        "signal_type": signal_of(recorded.stream),
        "previous_state": before.value,
        "new_state": state.value,
        "failure_signature": fact.evaluation.failure_signature,
        "version": fact.version,
    }
    return Event(
        event_id=recorded.event_id.hex(),
        event_type=EventType.SIGNAL_STATE_CHANGED,
        stream=recorded.stream,
        position=recorded.position,
        at=recorded.at,
        dataset=dataset_of(recorded.stream),
        told=told,
    )
