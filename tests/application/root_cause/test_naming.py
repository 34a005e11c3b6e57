"""Whom the signals in breach name as their top producer, and which signals have no say."""

from pathlib import Path

import pytest
from attrs import evolve

from domain.ids import IncidentId
from domain.signal.report import SignalReport
from tests.application.incidents.stories import RESOLVED
from tests.application.root_cause.scene import context, known, minutes, opened, play
from tests.application.store import ADMIN, ENGINES, NOON, ORDERS, VOLUME, Store
from tests.application.store import report as evaluation

pytestmark = pytest.mark.parametrize("engine", ENGINES)

FRESHNESS = "FRESHNESS"


def saying(window: int, state: str, who: str | None = None, *, after: float = 1) -> SignalReport:
    """What is said of a window some minutes after it ended."""
    told: SignalReport = evolve(
        evaluation(window, state=state),
        evaluated_at=NOON + minutes(5 * window + after),
        producer_id=who,
        producer_version="v1" if who else None,
        confidence="HIGH" if who else None,
    )
    return told


async def tell(store: Store, *reports: SignalReport) -> IncidentId:
    store.clock.at = NOON + minutes(30)
    await known(store, ORDERS)
    for one in reports:
        await store.use_cases.update_signal(one, by=ADMIN)
    await store.project()
    both = (VOLUME, FRESHNESS)
    return await opened(store, signal_types=both, implicated=None, evidence_sample=())


async def named(store: Store, name: IncidentId) -> dict[str, int]:
    cause = (await context(store, name)).cause
    return {one.producer_id: one.weight for one in cause.suspicion.suspects}


def test_a_signal_that_is_well_again_has_no_say(engine: str, tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        name = await tell(
            store,
            evolve(saying(-4, "CRITICAL", "old"), signal_type=FRESHNESS),
            evolve(saying(-3, "OK"), signal_type=FRESHNESS),
            saying(1, "CRITICAL", "new"),
        )
        assert await named(store, name) == {"new": 25}

    play(engine, tmp_path, story)


def test_windows_that_come_late_have_a_say_in_their_own_breach(engine: str, tmp_path: Path) -> None:
    """It was opened for a window ahead of the clock; the windows before that one come later."""

    async def story(store: Store) -> None:
        name = await tell(store, saying(4, "OK"), saying(9, "CRITICAL", "ahead"))
        await store.use_cases.change_incident(name, RESOLVED, by=ADMIN)
        await store.use_cases.update_signal(saying(3, "CRITICAL", "earlier"), by=ADMIN)
        await store.project()
        assert await named(store, name) == {}
        await store.use_cases.update_signal(saying(6, "CRITICAL", "own"), by=ADMIN)
        await store.project()
        assert await named(store, name) == {"own": 25}

    play(engine, tmp_path, story)


@pytest.mark.parametrize("turned", [False, True])
def test_a_verdict_that_was_withdrawn_has_no_say(engine: str, tmp_path: Path, turned: bool) -> None:
    """In whatever order the two arrived."""

    async def story(store: Store) -> None:
        said = [saying(2, "CRITICAL", "wrong"), saying(2, "UNKNOWN", "other", after=2)]
        ordered = reversed(said) if turned else said
        name = await tell(store, saying(1, "CRITICAL", "right"), *ordered)
        assert await named(store, name) == {"right": 25}

    play(engine, tmp_path, story)
