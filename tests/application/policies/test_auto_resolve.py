"""Incidents that heal by themselves, on every engine."""

from datetime import timedelta

import pytest
from attrs import evolve

from domain.dataset.settings import IncidentPolicy
from domain.dataset.settings_validation import SettingsReport
from domain.ids import IncidentId
from domain.incident import incident
from domain.incident.patch import IncidentPatch
from domain.incident.report import IncidentReport
from domain.incident.values import IncidentStatus, ResolutionReason
from tests.application.policies.scene import (
    ONE,
    PAYMENTS,
    Play,
    evaluated,
    last,
    merged_payments,
    opened,
    resolved,
    told,
    unchanged,
)
from tests.application.store import (
    ADMIN,
    NOON,
    ORDERS,
    SETTINGS,
    VOLUME,
    Store,
)


def test_an_incident_heals_after_three_windows(play: Play) -> None:
    async def story(store: Store) -> None:
        for window in (1, 2):
            await evaluated(store, window)
            assert (await told(store)).status is IncidentStatus.OPEN
        await evaluated(store, 3)
        card = await told(store)
        assert card.status is IncidentStatus.RESOLVED
        assert card.resolution is not None
        assert card.resolution.reason is ResolutionReason.SELF_HEALED
        assert card.resolution.root_cause == "the signal was OK for 3 windows in a row"
        happening = await last(store)
        assert happening.by == "policy:auto-resolve"
        assert isinstance(happening.fact, incident.Resolved)
        await unchanged(store)

    play(story)


def test_a_dataset_says_how_many_windows(play: Play) -> None:
    async def story(store: Store) -> None:
        await evaluated(store, 1)
        assert (await told(store)).status is IncidentStatus.RESOLVED

    play(story, auto_resolve_windows=1)


def test_a_dataset_may_want_people_to_resolve(play: Play) -> None:
    async def story(store: Store) -> None:
        for window in range(1, 6):
            await evaluated(store, window)
        assert (await told(store)).status is IncidentStatus.OPEN

    play(story, auto_resolve=False)


def test_a_bad_window_in_between_starts_the_count_again(play: Play) -> None:
    async def story(store: Store) -> None:
        for window, state in enumerate(["OK", "OK", "WARNING", "OK", "OK"], start=1):
            await evaluated(store, window, state)
        assert (await told(store)).status is IncidentStatus.OPEN
        await evaluated(store, 6)
        assert (await told(store)).status is IncidentStatus.RESOLVED

    play(story)


def test_every_signal_must_have_healed_those_of_merged_incidents_too(play: Play) -> None:
    async def story(store: Store) -> None:
        await merged_payments(store)
        for window in (1, 2, 3, 4):
            await evaluated(store, window)
        assert (await told(store)).status is IncidentStatus.OPEN
        for window in (1, 2, 3):
            await evaluated(store, window, dataset_urn=PAYMENTS)
        card = await told(store)
        assert card.status is IncidentStatus.RESOLVED
        assert card.resolution is not None
        assert card.resolution.root_cause == "every signal was OK for 3 windows in a row"

    play(story)


def test_an_incident_opened_although_all_looks_fine_is_not_over_at_once(play: Play) -> None:
    async def story(store: Store) -> None:
        for window in (1, 2, 3, 4):
            await evaluated(store, window)
        assert (await told(store)).status is IncidentStatus.RESOLVED
        await store.use_cases.reopen_incident(ONE, "it is not over", by=ADMIN)
        await store.react()
        await evaluated(store, 5)
        assert (await told(store)).status is IncidentStatus.OPEN
        for window in (6, 7):
            await evaluated(store, window)
        assert (await told(store)).status is IncidentStatus.RESOLVED

    play(story)


def test_a_signal_that_was_never_evaluated_has_not_healed(play: Play) -> None:
    async def story(store: Store) -> None:
        await opened(store, incident_id=None, signal_types=(VOLUME, "PII"))
        for window in (1, 2, 3, 4):
            await evaluated(store, window)
        assert (await told(store)).status is IncidentStatus.OPEN

    play(story)


@pytest.mark.parametrize("order", [(1, 2, 3), (1, 3, 2), (3, 2, 1)], ids=str)
def test_windows_heal_in_whatever_order_they_come(play: Play, order: tuple[int, ...]) -> None:
    async def story(store: Store) -> None:
        for window in order:
            await evaluated(store, window)
        assert (await told(store)).status is IncidentStatus.RESOLVED

    play(story)


def test_a_late_correction_heals(play: Play) -> None:
    async def story(store: Store) -> None:
        for window, state in enumerate(["OK", "CRITICAL", "OK"], start=1):
            await evaluated(store, window, state)
        await evaluated(store, 2, evaluated_at=NOON + timedelta(hours=1))
        assert (await told(store)).status is IncidentStatus.RESOLVED

    play(story)


def test_a_signal_attached_before_its_first_window_is_watched(play: Play) -> None:
    """By a patch, and by a merge: its windows may be the last to come."""

    async def story(store: Store) -> None:
        late = IncidentPatch(signal_types=("LATENCY",))
        await store.use_cases.change_incident(ONE, late, by=ADMIN)
        two = IncidentId("INC-2")
        other = IncidentReport(ORDERS, ("PII",), ("PII_FOUND:email",), "SEV_2", two)
        await store.use_cases.open_incident(other, by=ADMIN)
        await store.use_cases.merge_incident(two, ONE, None, by=ADMIN)
        await store.react()
        for signal in (VOLUME, "LATENCY", "PII"):
            assert (await told(store)).status is IncidentStatus.OPEN
            for window in (1, 2, 3):
                await evaluated(store, window, signal_type=signal)
        assert (await told(store)).status is IncidentStatus.RESOLVED

    play(story)


def test_daily_windows_heal_too(play: Play) -> None:
    """They lie further apart than the signal remembers: its history is asked."""

    async def story(store: Store) -> None:
        day = 24 * 12
        store.clock.at += timedelta(days=10)
        for window in (day, 2 * day):
            await evaluated(store, window)
        assert (await told(store)).status is IncidentStatus.OPEN
        await evaluated(store, 3 * day)
        assert (await told(store)).status is IncidentStatus.RESOLVED

    play(story)


def test_splitting_off_what_held_it_up_lets_it_heal(play: Play) -> None:
    async def story(store: Store) -> None:
        two = await merged_payments(store)
        for window in (1, 2, 3):
            await evaluated(store, window)
        assert (await told(store)).status is IncidentStatus.OPEN
        await store.use_cases.split_incident(two, None, by=ADMIN)
        await store.react()
        assert (await told(store)).status is IncidentStatus.RESOLVED
        assert (await told(store, two)).status is IncidentStatus.OPEN

    play(story)


def test_a_dataset_may_change_its_mind_about_healing(play: Play) -> None:
    async def story(store: Store) -> None:
        for window in (1, 2, 3):
            await evaluated(store, window)
        assert (await told(store)).status is IncidentStatus.OPEN
        again = evolve(SETTINGS, incident_policy=IncidentPolicy())
        await store.use_cases.update_dataset(
            ORDERS, SettingsReport(again, ["incident_policy"]), expected_version=1, by=ADMIN
        )
        await store.react()
        assert (await told(store)).status is IncidentStatus.RESOLVED

    play(story, auto_resolve=False)


def test_a_dataset_of_a_merged_incident_is_asked_too(play: Play) -> None:
    async def story(store: Store) -> None:
        await merged_payments(store, auto_resolve=False, reopen_on_relapse=False)
        for dataset in (ORDERS, PAYMENTS):
            for window in (1, 2, 3):
                await evaluated(store, window, dataset_urn=dataset)
        assert (await told(store)).status is IncidentStatus.OPEN
        await resolved(store)
        await evaluated(store, 4, "CRITICAL", dataset_urn=PAYMENTS)
        assert (await told(store)).status is IncidentStatus.RESOLVED

    play(story)
