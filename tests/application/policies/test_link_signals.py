"""Signals that are first evaluated after they were attached."""

from domain.ids import SignalType
from domain.incident.patch import IncidentPatch
from tests.application.policies.scene import (
    ONE,
    Play,
    evaluated,
    unchanged,
)
from tests.application.store import (
    ADMIN,
    ORDERS,
    Store,
)


def test_a_signal_is_linked_when_it_is_evaluated_for_the_first_time(play: Play) -> None:
    async def story(store: Store) -> None:
        patch = IncidentPatch(signal_types=("LATENCY",))
        await store.use_cases.change_incident(ONE, patch, by=ADMIN)
        await store.react()
        await evaluated(store, 1, "WARNING", signal_type="LATENCY")
        signal = (await store.use_cases.read_signal(ORDERS, SignalType("LATENCY"), by=ADMIN)).value
        assert signal.incident_id == ONE
        await evaluated(store, 1, "WARNING", signal_type="PII")
        other = (await store.use_cases.read_signal(ORDERS, SignalType("PII"), by=ADMIN)).value
        assert other.incident_id is None
        await unchanged(store)

    play(story)
