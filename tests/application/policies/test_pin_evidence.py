"""Evidence of severe incidents stays at hand until they are resolved (S0-327)."""

from collections.abc import Collection
from datetime import timedelta
from typing import Any

import pytest

from application.errors import Damaged
from application.policies.pin_evidence import LOOKS_EVERY
from domain.dataset.settings_validation import DatasetReport
from domain.ids import EvidenceId, IncidentId
from domain.incident.patch import IncidentPatch, ReportedResolution
from domain.incident.report import IncidentReport
from tests.application.evidence.samples import some_id, some_report
from tests.application.evidence.test_cache_rebuild import DamagedFor
from tests.application.policies.scene import LATE, ONE, PAYMENTS, Play, resolved
from tests.application.store import ADMIN, ORDERS, SETTINGS, VOLUME, Store

FIRST, SECOND, THIRD = (some_id(number) for number in (50, 100, 150))
TWO = IncidentId("INC-2")
FIXED = IncidentPatch(status="RESOLVED", resolution=ReportedResolution("a deploy"))


async def sent(store: Store, *numbers: int) -> None:
    reports = [some_report(number) for number in numbers]
    await store.use_cases.put_evidence(store.container.sieve().here(reports), by=ADMIN)


async def attached(store: Store, *evidence: EvidenceId) -> None:
    report = IncidentReport(ORDERS, (VOLUME,), (LATE,), "SEV_1", evidence_sample=evidence)
    await store.use_cases.open_incident(report, by=ADMIN)
    await store.react()


async def changed(store: Store, name: IncidentId, severity: str) -> None:
    await store.use_cases.change_incident(name, IncidentPatch(severity=severity), by=ADMIN)
    await store.react()


async def second_incident(store: Store, *evidence: EvidenceId, severity: str = "SEV_2") -> None:
    await store.use_cases.register_dataset(DatasetReport(PAYMENTS, SETTINGS), by=ADMIN)
    report = IncidentReport(PAYMENTS, (VOLUME,), (LATE,), severity, TWO, evidence_sample=evidence)
    await store.use_cases.open_incident(report, by=ADMIN)
    await store.react()


async def at_hand_tomorrow(store: Store) -> Collection[EvidenceId]:
    """What is at hand when everything has ended that is not pinned."""
    now = store.clock.at
    store.clock.at = now + timedelta(days=2)
    there = await store.container.evidence_cache().named([FIRST, SECOND, THIRD])
    store.clock.at = now
    return set(there)


def test_evidence_of_a_severe_incident_is_pinned_until_it_is_resolved(play: Play) -> None:
    async def story(store: Store) -> None:
        await sent(store, 50, 100)
        await attached(store, FIRST)
        assert await at_hand_tomorrow(store) == {FIRST}
        await resolved(store)
        assert await at_hand_tomorrow(store) == set()

    play(story)


def test_it_is_pinned_again_when_the_incident_is_reopened(play: Play) -> None:
    async def story(store: Store) -> None:
        await sent(store, 50)
        await attached(store, FIRST)
        await resolved(store)
        await store.use_cases.reopen_incident(ONE, None, by=ADMIN)
        await store.react()
        assert await at_hand_tomorrow(store) == {FIRST}

    play(story)


def test_severity_decides(play: Play) -> None:
    async def story(store: Store) -> None:
        await sent(store, 100)
        await second_incident(store, SECOND, severity="SEV_3")
        assert await at_hand_tomorrow(store) == set()
        await changed(store, TWO, severity="SEV_2")
        assert await at_hand_tomorrow(store) == {SECOND}
        await changed(store, TWO, severity="SEV_3")
        assert await at_hand_tomorrow(store) == set()

    play(story)


def test_what_two_incidents_hold_stays_until_both_are_resolved(play: Play) -> None:
    async def story(store: Store) -> None:
        await sent(store, 50, 100)
        await attached(store, FIRST)
        await second_incident(store, FIRST, SECOND)
        await resolved(store)
        assert await at_hand_tomorrow(store) == {FIRST, SECOND}
        await store.use_cases.change_incident(TWO, FIXED, by=ADMIN)
        await store.react()
        assert await at_hand_tomorrow(store) == set()

    play(story)


def test_what_is_merged_is_held_by_the_other_and_by_both_when_it_is_split_off(play: Play) -> None:
    async def story(store: Store) -> None:
        await sent(store, 50, 100)
        await attached(store, FIRST)
        await second_incident(store, SECOND)
        await store.use_cases.merge_incident(TWO, ONE, None, by=ADMIN)
        await store.react()
        assert await at_hand_tomorrow(store) == {FIRST, SECOND}
        await store.use_cases.split_incident(TWO, None, by=ADMIN)
        await store.react()
        await resolved(store)
        assert await at_hand_tomorrow(store) == {SECOND}

    play(story)


def test_evidence_that_comes_after_its_incident_is_pinned_at_the_next_look(play: Play) -> None:
    async def story(store: Store) -> None:
        await attached(store, FIRST)
        await sent(store, 50)
        store.clock.at += LOOKS_EVERY
        await store.react()
        assert await at_hand_tomorrow(store) == {FIRST}

    play(story)


def test_a_row_that_was_lost_is_fetched_from_the_archive(play: Play) -> None:
    async def story(store: Store) -> None:
        await sent(store, 50)
        await attached(store, FIRST)
        await store.container.evidence_cache().clear()
        store.clock.at += LOOKS_EVERY
        await store.react()
        assert await at_hand_tomorrow(store) == {FIRST}

    play(story)


def test_a_pin_that_was_lost_is_set_again(play: Play) -> None:
    """On DynamoDB, a put that is late may write over a row that was pinned meanwhile."""

    async def story(store: Store) -> None:
        await sent(store, 50)
        await attached(store, FIRST)
        await store.container.evidence_cache().unpin([FIRST])
        assert await at_hand_tomorrow(store) == set()
        store.clock.at += LOOKS_EVERY
        await store.react()
        assert await at_hand_tomorrow(store) == {FIRST}

    play(story)


def test_evidence_that_ended_before_it_was_attached_comes_back(play: Play) -> None:
    async def story(store: Store) -> None:
        await sent(store, 50)
        store.clock.at += timedelta(days=3)
        assert await at_hand_tomorrow(store) == set()
        await attached(store, FIRST)
        assert await at_hand_tomorrow(store) == {FIRST}

    play(story)


def test_whoever_begins_anew_pins_what_is_open_and_lets_go_of_what_is_not(play: Play) -> None:
    async def story(store: Store) -> None:
        await sent(store, 50, 100)
        await attached(store, FIRST)
        await store.container.evidence_cache().clear()
        (runner,) = [r for r in store.container.policy_runners() if r.name == "pin-evidence"]
        runner.followers[0].position = None
        await runner.catch_up()
        assert await at_hand_tomorrow(store) == {FIRST}
        await store.use_cases.change_incident(ONE, FIXED, by=ADMIN)
        await store.project()
        # It ended before it heeded that, and the board does not show the incident any more.
        runner.followers[0].position = None
        await runner.catch_up()
        assert await at_hand_tomorrow(store) == set()

    play(story)


def test_what_cannot_be_read_keeps_nothing_else_from_being_pinned(play: Play) -> None:
    async def story(store: Store) -> None:
        await sent(store, 50, 100)
        await store.container.evidence_cache().clear()
        (runner,) = [r for r in store.container.policy_runners() if r.name == "pin-evidence"]
        handler: Any = runner.followers[0].handler
        policy = handler.policy
        whole, policy.archive = policy.archive, DamagedFor(policy.archive, FIRST)
        with pytest.raises(Damaged):
            await attached(store, FIRST, SECOND)
        assert await at_hand_tomorrow(store) == {SECOND}
        policy.archive = whole
        await store.react()
        assert await at_hand_tomorrow(store) == {FIRST, SECOND}

    play(story)
