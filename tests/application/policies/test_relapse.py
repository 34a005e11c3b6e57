"""Incidents that come back, on every engine."""

from datetime import timedelta

import pytest

from domain.incident import incident
from domain.incident.values import IncidentStatus
from domain.signal.signal import Evaluated
from domain.stream_categories import signal_stream
from tests.application.policies.scene import (
    LATE,
    ONE,
    PAYMENTS,
    Play,
    another,
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
    ORDERS,
    VOLUME,
    Store,
    report,
)


def test_a_relapse_reopens_what_was_resolved(play: Play) -> None:
    async def story(store: Store) -> None:
        await evaluated(store, 1)
        await resolved(store)
        await evaluated(store, 2, "WARNING")
        card = await told(store)
        assert (card.status, card.resolution) == (IncidentStatus.OPEN, None)
        happening = await last(store)
        assert happening.by == "policy:reopen-on-relapse"
        assert isinstance(happening.fact, incident.Reopened)
        assert happening.fact.reason is not None
        assert f"VOLUME of {ORDERS} is WARNING again with {LATE}" in happening.fact.reason
        evaluations = [
            one.event_id.hex()
            for one in await store.container.streams().facts(signal_stream(ORDERS, VOLUME))
            if isinstance(one.fact, Evaluated)
        ]
        assert happening.causation_id == evaluations[-1]
        await unchanged(store)

    play(story)


def test_unknown_does_not_end_a_breach(play: Play) -> None:
    async def story(store: Store) -> None:
        await resolved(store)
        for window, state in enumerate(["UNKNOWN", "CRITICAL"], start=1):
            await evaluated(store, window, state)
        assert (await told(store)).status is IncidentStatus.RESOLVED

    play(story)


def test_who_resolves_a_breach_that_goes_on_is_not_overruled(play: Play) -> None:
    async def story(store: Store) -> None:
        await resolved(store)
        for window, state in enumerate(["CRITICAL", "WARNING"], start=1):
            await evaluated(store, window, state)
        assert (await told(store)).status is IncidentStatus.RESOLVED

    play(story)


def test_who_resolves_again_is_not_overruled_by_the_same_relapse(play: Play) -> None:
    async def story(store: Store) -> None:
        await evaluated(store, 1)
        await resolved(store)
        await evaluated(store, 2, "CRITICAL")
        await resolved(store)
        await another(store).react()
        assert (await told(store)).status is IncidentStatus.RESOLVED

    play(story)


def test_a_relapse_is_one_in_whatever_order_it_is_told(play: Play) -> None:
    async def story(store: Store) -> None:
        await resolved(store)
        await evaluated(store, 2, "CRITICAL")
        assert (await told(store)).status is IncidentStatus.RESOLVED
        await evaluated(store, 1)
        assert (await told(store)).status is IncidentStatus.OPEN

    play(story)


def test_a_breach_that_goes_on_after_a_long_silence_is_no_relapse(play: Play) -> None:
    async def story(store: Store) -> None:
        await resolved(store)
        store.clock.at += timedelta(days=2)
        await evaluated(store, 2 * 24 * 12, "CRITICAL")
        assert (await told(store)).status is IncidentStatus.RESOLVED

    play(story)


def test_the_relapse_of_a_merged_fault_reopens_the_whole(play: Play) -> None:
    """Slots and links come back with it, and it can still be split."""

    async def story(store: Store) -> None:
        two = await merged_payments(store)
        await evaluated(store, 1, dataset_urn=PAYMENTS)
        await resolved(store)
        await evaluated(store, 2, "CRITICAL", dataset_urn=PAYMENTS)
        assert (await told(store)).status is IncidentStatus.OPEN
        for dataset in (ORDERS, PAYMENTS):
            card = (await store.use_cases.read_signal(dataset, VOLUME, by=ADMIN)).value
            assert card.incident_id == ONE
        await store.use_cases.split_incident(two, None, by=ADMIN)
        await store.react()
        assert (
            await store.use_cases.read_signal(PAYMENTS, VOLUME, by=ADMIN)
        ).value.incident_id == two

    play(story)


@pytest.mark.parametrize("reason", ["FALSE_POSITIVE", "EXPECTED_CHANGE", "DUPLICATE"])
def test_what_was_nothing_is_not_reopened(play: Play, reason: str) -> None:
    async def story(store: Store) -> None:
        await evaluated(store, 1)
        await resolved(store, reason)
        await evaluated(store, 2, "CRITICAL")
        assert (await told(store)).status is IncidentStatus.RESOLVED

    play(story)


def test_a_relapse_after_the_window_is_another_incident(play: Play) -> None:
    async def story(store: Store) -> None:
        await evaluated(store, 1)
        await resolved(store)
        store.clock.at += timedelta(days=8)
        await evaluated(store, 2, "CRITICAL")
        assert (await told(store)).status is IncidentStatus.RESOLVED

    play(story)


def test_an_incident_that_is_open_for_the_fault_by_now_is_enough(play: Play) -> None:
    async def story(store: Store) -> None:
        await evaluated(store, 1)
        await resolved(store)
        await opened(store, incident_id="INC-2")
        await evaluated(store, 2, "CRITICAL")
        assert (await told(store)).status is IncidentStatus.RESOLVED

    play(story)


def test_a_relapse_that_is_over_when_it_is_heeded_reopens_nothing(play: Play) -> None:
    async def story(store: Store) -> None:
        await evaluated(store, 1)
        await resolved(store)
        store.clock.at += timedelta(minutes=1)
        for window, state in ((2, "CRITICAL"), (3, "OK")):
            await store.use_cases.update_signal(report(window, state=state), by=ADMIN)
        await store.react()
        assert (await told(store)).status is IncidentStatus.RESOLVED

    play(story)


def test_a_dataset_may_not_want_that(play: Play) -> None:
    async def story(store: Store) -> None:
        await evaluated(store, 1)
        await resolved(store)
        await evaluated(store, 2, "CRITICAL")
        assert (await told(store)).status is IncidentStatus.RESOLVED

    play(story, reopen_on_relapse=False)
