"""When the data began to fail, and what came too late to be the cause."""

from pathlib import Path

import pytest
from attrs import evolve

from application.root_cause.deploys import Deploys
from domain.dataset.settings_validation import SettingsReport
from tests.application.incidents.stories import RESOLVED
from tests.application.root_cause.scene import (
    BREACH,
    breach,
    context,
    deploy,
    minutes,
    opened,
    play,
    tell,
)
from tests.application.store import ADMIN, ENGINES, NOON, ORDERS, SETTINGS, Store
from tests.application.store import report as evaluation

pytestmark = pytest.mark.parametrize("engine", ENGINES)


def test_a_resolved_incident_still_knows_its_breach(engine: str, tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        name = await tell(store)
        store.clock.at = NOON + minutes(30)
        await store.use_cases.update_signal(evaluation(2), by=ADMIN)
        await store.use_cases.change_incident(name, RESOLVED, by=ADMIN)
        store.clock.at = NOON + minutes(60)
        await store.use_cases.update_signal(evaluation(12), by=ADMIN)
        await store.project()
        told = await context(store, name)
        assert told.breach.start == BREACH
        assert told.parts.signals.told
        windows = [one.evaluation.window_end for one in told.parts.signals.told[0].evaluations]
        assert windows == [NOON, NOON + minutes(5), NOON + minutes(10)]  # not what came after it

    play(engine, tmp_path, story)


def test_a_resolved_incident_has_no_breach_that_began_later(engine: str, tmp_path: Path) -> None:
    """Nor was any deploy its cause that came after it."""

    async def story(store: Store) -> None:
        store.clock.at = NOON - minutes(40)
        name = await opened(store, incident_id="INC-1", implicated=None, evidence_sample=())
        await store.use_cases.update_signal(evaluation(-9), by=ADMIN)
        store.clock.at = resolved = NOON - minutes(30)
        await store.use_cases.change_incident(name, RESOLVED, by=ADMIN)
        store.clock.at = NOON - minutes(10)
        await store.use_cases.declare_lineage(deploy("bad", store.clock.at, "id"), by=ADMIN)
        await breach(store)
        told = await context(store, name)
        assert told.incident.resolved_at == resolved
        assert (told.breach.start, told.breach.signals) == (NOON - minutes(40), {})
        assert told.parts.deploys.told == Deploys([], more=False)
        assert {one.producer_id: one.weight for one in told.cause.suspicion.suspects} == {
            "orders-svc": 15  # the only one declared to write it, as it is now
        }

    play(engine, tmp_path, story)


def test_a_resolved_incident_keeps_the_breach_that_began_after_it_was_opened(
    engine: str, tmp_path: Path
) -> None:
    async def story(store: Store) -> None:
        store.clock.at = NOON - minutes(30)
        name = await opened(store, incident_id="INC-1")
        await breach(store)
        store.clock.at = NOON + minutes(20)
        await store.use_cases.change_incident(name, RESOLVED, by=ADMIN)
        for number, state in ((3, "OK"), (6, "CRITICAL")):
            store.clock.at += minutes(30)
            await store.use_cases.update_signal(evaluation(number, state=state), by=ADMIN)
        await store.project()
        assert (await context(store, name)).breach.start == BREACH

    play(engine, tmp_path, story)


def test_a_resolved_incident_learns_of_its_breach_late(engine: str, tmp_path: Path) -> None:
    """The window had begun before it was resolved."""

    async def story(store: Store) -> None:
        store.clock.at = NOON + minutes(1)
        name = await opened(store, incident_id="INC-1")
        await store.use_cases.change_incident(name, RESOLVED, by=ADMIN)
        await breach(store)
        assert (await context(store, name)).breach.start == BREACH

    play(engine, tmp_path, story)


def test_what_was_changed_after_the_opening_is_no_cause(engine: str, tmp_path: Path) -> None:
    """Somebody opened it before the signal failed."""

    async def story(store: Store) -> None:
        store.clock.at = NOON - minutes(30)
        name = await opened(store, incident_id="INC-1")
        store.clock.at = NOON - minutes(20)
        other = evolve(SETTINGS, owner_team="orders-night")
        await store.use_cases.update_dataset(
            ORDERS, SettingsReport(other, ["owner_team"]), expected_version=1, by=ADMIN
        )
        store.clock.at = NOON - minutes(10)
        await store.use_cases.declare_lineage(deploy("bad", store.clock.at, "id"), by=ADMIN)
        await breach(store)
        told = await context(store, name)
        assert told.breach.start == BREACH
        assert told.parts.config_changes.told
        assert [one.what for one in told.parts.config_changes.told.changes] == ["registered it"]
        assert told.parts.deploys.told == Deploys([], more=False)

    play(engine, tmp_path, story)


def test_a_signal_that_fails_after_the_incident(engine: str, tmp_path: Path) -> None:
    """Somebody noticed before the signal did."""

    async def story(store: Store) -> None:
        store.clock.at = NOON - minutes(30)
        name = await opened(store, incident_id="INC-1")
        await breach(store)
        assert (await context(store, name)).breach.start == BREACH

    play(engine, tmp_path, story)
