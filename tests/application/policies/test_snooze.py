"""Incidents that wake, on every engine."""

from datetime import timedelta

from attrs import evolve

from domain.dataset.settings import IncidentPolicy
from domain.dataset.settings_validation import SettingsReport
from domain.incident import incident
from tests.application.policies.scene import (
    Play,
    last,
    snoozed,
    told,
    unchanged,
)
from tests.application.store import (
    ADMIN,
    ORDERS,
    SETTINGS,
    Store,
)


def test_a_snooze_ends_when_its_time_is_up(play: Play) -> None:
    async def story(store: Store) -> None:
        await snoozed(store, 2)
        store.clock.at += timedelta(hours=2) - timedelta(milliseconds=1)
        await store.react()
        assert (await told(store)).snoozed_until is not None
        store.clock.at += timedelta(milliseconds=1)
        await store.react()
        assert (await told(store)).snoozed_until is None
        happening = await last(store)
        assert happening.by == "policy:end-snoozes"
        assert happening.fact == incident.Woken("the time is up")
        await unchanged(store)

    play(story)


def test_a_snooze_that_was_moved_ends_later(play: Play) -> None:
    async def story(store: Store) -> None:
        await snoozed(store, 2)
        await snoozed(store, 4)
        store.clock.at += timedelta(hours=3)
        await store.react()
        assert (await told(store)).snoozed_until is not None

    play(story)


def test_a_dataset_may_want_snoozes_to_last(play: Play) -> None:
    async def story(store: Store) -> None:
        await snoozed(store, 2)
        store.clock.at += timedelta(hours=3)
        await store.react()
        assert (await told(store)).snoozed_until is not None

    play(story, end_snoozes=False)


def test_a_dataset_may_change_its_mind_about_snoozes(play: Play) -> None:
    async def story(store: Store) -> None:
        await snoozed(store, 2)
        store.clock.at += timedelta(hours=3)
        await store.react()
        again = evolve(SETTINGS, incident_policy=IncidentPolicy())
        await store.use_cases.update_dataset(
            ORDERS, SettingsReport(again, ["incident_policy"]), expected_version=1, by=ADMIN
        )
        await store.react()
        assert (await told(store)).snoozed_until is None
        happening = await last(store)
        assert happening.causation_id is not None

    play(story, end_snoozes=False)
