"""What happens by itself: incidents heal, come back and wake, on every engine (S0-240)."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from attrs import define, evolve
from dependency_injector import providers

from adapters.eventstore.log import Append, Log, Receipt
from application.errors import Unavailable
from application.incident_reads import Happening
from application.paging import PageRequest
from application.policies.runner import PolicyRunner
from application.ports.incident_board import IncidentCard
from application.projections.progress import Progress
from domain import incident
from domain.changing import Snooze
from domain.dataset_settings import IncidentPolicy
from domain.ids import DatasetUrn, IncidentId, SignalType, signal_stream
from domain.incident import Status
from domain.incident_contract import IncidentPatch, IncidentReport, ReportedResolution
from domain.incident_parts import Reason
from domain.signal_state import Evaluated
from entrypoints.container import build
from entrypoints.settings import load
from tests.application.store import (
    ADMIN,
    ENGINES,
    NOON,
    ORDERS,
    SETTINGS,
    VOLUME,
    Store,
    open_store,
    report,
)

LATE = "LATE_DATA:processed_at"
PAYMENTS = DatasetUrn("urn:dp:payments:payment_processed:v1")
ONE = IncidentId("INC-1")

Story = Callable[[Store], Awaitable[None]]
Play = Callable[..., None]


@pytest.fixture(params=ENGINES)
def play(request: pytest.FixtureRequest, tmp_path: Path) -> Play:
    """Plays a story on a store with an incident about a dataset in breach."""

    def played(story: Story, **policy: Any) -> None:
        async def scene() -> None:
            async with open_store(request.param, tmp_path) as store:
                settings = evolve(SETTINGS, incident_policy=IncidentPolicy(**policy))
                await store.register_dataset(ORDERS, settings, by=ADMIN)
                await evaluated(store, 0, "CRITICAL")
                await opened(store)
                await story(store)

        asyncio.run(scene())

    return played


async def opened(store: Store, **more: Any) -> None:
    said = {"signal_types": (VOLUME,), "severity": "SEV_1", "incident_id": ONE, **more}
    await store.open_incident(IncidentReport(ORDERS, failure_signatures=(LATE,), **said), by=ADMIN)


async def evaluated(store: Store, window: int, state: str = "OK", **more: Any) -> None:
    store.clock.at += timedelta(minutes=1)
    said = evolve(report(window, state=state), **more)
    await store.update_signal(said, by=ADMIN)
    await store.react()


async def resolved(store: Store, reason: str = "FIXED") -> None:
    store.clock.at += timedelta(minutes=1)
    said = ReportedResolution("a deploy", reason=reason)
    await store.change_incident(ONE, IncidentPatch(status="RESOLVED", resolution=said), by=ADMIN)
    await store.react()


async def told(store: Store, name: IncidentId = ONE) -> IncidentCard:
    card: IncidentCard = await store.read_incident(name, by=ADMIN)
    return card


async def last(store: Store) -> Happening:
    page = await store.read_timeline(ONE, PageRequest(100), by=ADMIN)
    happening: Happening = page.items[-1]
    return happening


async def unchanged(store: Store) -> None:
    """Nothing more happens by itself, not even when everything is folded and heeded once more."""
    head = await store.feed.head()
    await store.react()
    await another(store).react()
    assert await store.feed.head() == head


def another(store: Store) -> Store:
    """Another process with the same log: its tables are empty, its policies know nothing."""
    container = build(load({"STATESTORE_ENGINE": "memory"}, Path("none")))
    for shared in ("clock", "log", "keys"):
        theirs = getattr(store.container, shared)()
        getattr(container, shared).override(providers.Object(theirs))
    return Store(container, store.clock)


# Healing.


def test_an_incident_heals_after_three_windows(play: Play) -> None:
    async def story(store: Store) -> None:
        for window in (1, 2):
            await evaluated(store, window)
            assert (await told(store)).status is Status.OPEN
        await evaluated(store, 3)
        card = await told(store)
        assert card.status is Status.RESOLVED
        assert card.resolution is not None
        assert card.resolution.reason is Reason.SELF_HEALED
        assert card.resolution.root_cause == "the signal was OK for 3 windows in a row"
        happening = await last(store)
        assert happening.by == "policy:auto-resolve"
        assert isinstance(happening.fact, incident.Resolved)
        await unchanged(store)

    play(story)


def test_a_dataset_says_how_many_windows(play: Play) -> None:
    async def story(store: Store) -> None:
        await evaluated(store, 1)
        assert (await told(store)).status is Status.RESOLVED

    play(story, auto_resolve_windows=1)


def test_a_dataset_may_want_people_to_resolve(play: Play) -> None:
    async def story(store: Store) -> None:
        for window in range(1, 6):
            await evaluated(store, window)
        assert (await told(store)).status is Status.OPEN

    play(story, auto_resolve=False)


def test_a_bad_window_in_between_starts_the_count_again(play: Play) -> None:
    async def story(store: Store) -> None:
        for window, state in enumerate(["OK", "OK", "WARNING", "OK", "OK"], start=1):
            await evaluated(store, window, state)
        assert (await told(store)).status is Status.OPEN
        await evaluated(store, 6)
        assert (await told(store)).status is Status.RESOLVED

    play(story)


def test_every_signal_must_have_healed_those_of_merged_incidents_too(play: Play) -> None:
    async def story(store: Store) -> None:
        await merged_payments(store)
        for window in (1, 2, 3, 4):
            await evaluated(store, window)
        assert (await told(store)).status is Status.OPEN
        for window in (1, 2, 3):
            await evaluated(store, window, dataset_urn=PAYMENTS)
        card = await told(store)
        assert card.status is Status.RESOLVED
        assert card.resolution is not None
        assert card.resolution.root_cause == "every signal was OK for 3 windows in a row"

    play(story)


def test_an_incident_opened_although_all_looks_fine_is_not_over_at_once(play: Play) -> None:
    async def story(store: Store) -> None:
        for window in (1, 2, 3, 4):
            await evaluated(store, window)
        assert (await told(store)).status is Status.RESOLVED
        await store.reopen_incident(ONE, "it is not over", by=ADMIN)
        await store.react()
        await evaluated(store, 5)
        assert (await told(store)).status is Status.OPEN
        for window in (6, 7):
            await evaluated(store, window)
        assert (await told(store)).status is Status.RESOLVED

    play(story)


def test_a_signal_that_was_never_evaluated_has_not_healed(play: Play) -> None:
    async def story(store: Store) -> None:
        await opened(store, incident_id=None, signal_types=(VOLUME, "PII"))
        for window in (1, 2, 3, 4):
            await evaluated(store, window)
        assert (await told(store)).status is Status.OPEN

    play(story)


@pytest.mark.parametrize("order", [(1, 2, 3), (1, 3, 2), (3, 2, 1)], ids=str)
def test_windows_heal_in_whatever_order_they_come(play: Play, order: tuple[int, ...]) -> None:
    async def story(store: Store) -> None:
        for window in order:
            await evaluated(store, window)
        assert (await told(store)).status is Status.RESOLVED

    play(story)


def test_a_late_correction_heals(play: Play) -> None:
    async def story(store: Store) -> None:
        for window, state in enumerate(["OK", "CRITICAL", "OK"], start=1):
            await evaluated(store, window, state)
        await evaluated(store, 2, evaluated_at=NOON + timedelta(hours=1))
        assert (await told(store)).status is Status.RESOLVED

    play(story)


def test_a_signal_attached_before_its_first_window_is_watched(play: Play) -> None:
    """By a patch, and by a merge: its windows may be the last to come."""

    async def story(store: Store) -> None:
        late = IncidentPatch(signal_types=("LATENCY",))
        await store.change_incident(ONE, late, by=ADMIN)
        two = IncidentId("INC-2")
        other = IncidentReport(ORDERS, ("PII",), ("PII_FOUND:email",), "SEV_2", two)
        await store.open_incident(other, by=ADMIN)
        await store.merge_incident(two, ONE, None, by=ADMIN)
        await store.react()
        for signal in (VOLUME, "LATENCY", "PII"):
            assert (await told(store)).status is Status.OPEN
            for window in (1, 2, 3):
                await evaluated(store, window, signal_type=signal)
        assert (await told(store)).status is Status.RESOLVED

    play(story)


def test_daily_windows_heal_too(play: Play) -> None:
    """They lie further apart than the signal remembers: its history is asked."""

    async def story(store: Store) -> None:
        day = 24 * 12
        store.clock.at += timedelta(days=10)
        for window in (day, 2 * day):
            await evaluated(store, window)
        assert (await told(store)).status is Status.OPEN
        await evaluated(store, 3 * day)
        assert (await told(store)).status is Status.RESOLVED

    play(story)


def test_splitting_off_what_held_it_up_lets_it_heal(play: Play) -> None:
    async def story(store: Store) -> None:
        two = await merged_payments(store)
        for window in (1, 2, 3):
            await evaluated(store, window)
        assert (await told(store)).status is Status.OPEN
        await store.split_incident(two, None, by=ADMIN)
        await store.react()
        assert (await told(store)).status is Status.RESOLVED
        assert (await told(store, two)).status is Status.OPEN

    play(story)


def test_a_dataset_may_change_its_mind_about_healing(play: Play) -> None:
    async def story(store: Store) -> None:
        for window in (1, 2, 3):
            await evaluated(store, window)
        assert (await told(store)).status is Status.OPEN
        again = evolve(SETTINGS, incident_policy=IncidentPolicy())
        await store.update_dataset(ORDERS, ["incident_policy"], again, expected_version=1, by=ADMIN)
        await store.react()
        assert (await told(store)).status is Status.RESOLVED

    play(story, auto_resolve=False)


def test_a_dataset_of_a_merged_incident_is_asked_too(play: Play) -> None:
    async def story(store: Store) -> None:
        await merged_payments(store, auto_resolve=False, reopen_on_relapse=False)
        for dataset in (ORDERS, PAYMENTS):
            for window in (1, 2, 3):
                await evaluated(store, window, dataset_urn=dataset)
        assert (await told(store)).status is Status.OPEN
        await resolved(store)
        await evaluated(store, 4, "CRITICAL", dataset_urn=PAYMENTS)
        assert (await told(store)).status is Status.RESOLVED

    play(story)


async def merged_payments(store: Store, **policy: Any) -> IncidentId:
    """Another dataset in breach, whose incident is merged into the first one."""
    two = IncidentId("INC-2")
    settings = evolve(SETTINGS, incident_policy=IncidentPolicy(**policy))
    await store.register_dataset(PAYMENTS, settings, by=ADMIN)
    await evaluated(store, 0, "CRITICAL", dataset_urn=PAYMENTS)
    report = IncidentReport(PAYMENTS, (VOLUME,), (LATE,), "SEV_2", two)
    await store.open_incident(report, by=ADMIN)
    await store.merge_incident(two, ONE, None, by=ADMIN)
    await store.react()
    return two


# Linking.


def test_a_signal_is_linked_when_it_is_evaluated_for_the_first_time(play: Play) -> None:
    async def story(store: Store) -> None:
        patch = IncidentPatch(signal_types=("LATENCY",))
        await store.change_incident(ONE, patch, by=ADMIN)
        await store.react()
        await evaluated(store, 1, "WARNING", signal_type="LATENCY")
        signal = await store.read_signal(ORDERS, SignalType("LATENCY"), by=ADMIN)
        assert signal.incident_id == ONE
        await evaluated(store, 1, "WARNING", signal_type="PII")
        other = await store.read_signal(ORDERS, SignalType("PII"), by=ADMIN)
        assert other.incident_id is None
        await unchanged(store)

    play(story)


# Coming back.


def test_a_relapse_reopens_what_was_resolved(play: Play) -> None:
    async def story(store: Store) -> None:
        await evaluated(store, 1)
        await resolved(store)
        await evaluated(store, 2, "WARNING")
        card = await told(store)
        assert (card.status, card.resolution) == (Status.OPEN, None)
        happening = await last(store)
        assert happening.by == "policy:reopen-on-relapse"
        assert isinstance(happening.fact, incident.Reopened)
        assert happening.fact.because is not None
        assert f"VOLUME of {ORDERS} is WARNING again with {LATE}" in happening.fact.because
        evaluations = [
            one.event_id.hex()
            for one in await store.streams.facts(signal_stream(ORDERS, VOLUME))
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
        assert (await told(store)).status is Status.RESOLVED

    play(story)


def test_who_resolves_a_breach_that_goes_on_is_not_overruled(play: Play) -> None:
    async def story(store: Store) -> None:
        await resolved(store)
        for window, state in enumerate(["CRITICAL", "WARNING"], start=1):
            await evaluated(store, window, state)
        assert (await told(store)).status is Status.RESOLVED

    play(story)


def test_who_resolves_again_is_not_overruled_by_the_same_relapse(play: Play) -> None:
    async def story(store: Store) -> None:
        await evaluated(store, 1)
        await resolved(store)
        await evaluated(store, 2, "CRITICAL")
        await resolved(store)
        await another(store).react()
        assert (await told(store)).status is Status.RESOLVED

    play(story)


def test_a_relapse_is_one_in_whatever_order_it_is_told(play: Play) -> None:
    async def story(store: Store) -> None:
        await resolved(store)
        await evaluated(store, 2, "CRITICAL")
        assert (await told(store)).status is Status.RESOLVED
        await evaluated(store, 1)
        assert (await told(store)).status is Status.OPEN

    play(story)


def test_a_breach_that_goes_on_after_a_long_silence_is_no_relapse(play: Play) -> None:
    async def story(store: Store) -> None:
        await resolved(store)
        store.clock.at += timedelta(days=2)
        await evaluated(store, 2 * 24 * 12, "CRITICAL")
        assert (await told(store)).status is Status.RESOLVED

    play(story)


def test_the_relapse_of_a_merged_fault_reopens_the_whole(play: Play) -> None:
    """Slots and links come back with it, and it can still be split."""

    async def story(store: Store) -> None:
        two = await merged_payments(store)
        await evaluated(store, 1, dataset_urn=PAYMENTS)
        await resolved(store)
        await evaluated(store, 2, "CRITICAL", dataset_urn=PAYMENTS)
        assert (await told(store)).status is Status.OPEN
        for dataset in (ORDERS, PAYMENTS):
            card = await store.read_signal(dataset, VOLUME, by=ADMIN)
            assert card.incident_id == ONE
        await store.split_incident(two, None, by=ADMIN)
        await store.react()
        assert (await store.read_signal(PAYMENTS, VOLUME, by=ADMIN)).incident_id == two

    play(story)


@pytest.mark.parametrize("reason", ["FALSE_POSITIVE", "EXPECTED_CHANGE", "DUPLICATE"])
def test_what_was_nothing_is_not_reopened(play: Play, reason: str) -> None:
    async def story(store: Store) -> None:
        await evaluated(store, 1)
        await resolved(store, reason)
        await evaluated(store, 2, "CRITICAL")
        assert (await told(store)).status is Status.RESOLVED

    play(story)


def test_a_relapse_after_the_window_is_another_incident(play: Play) -> None:
    async def story(store: Store) -> None:
        await evaluated(store, 1)
        await resolved(store)
        store.clock.at += timedelta(days=8)
        await evaluated(store, 2, "CRITICAL")
        assert (await told(store)).status is Status.RESOLVED

    play(story)


def test_an_incident_that_is_open_for_the_fault_by_now_is_enough(play: Play) -> None:
    async def story(store: Store) -> None:
        await evaluated(store, 1)
        await resolved(store)
        await opened(store, incident_id="INC-2")
        await evaluated(store, 2, "CRITICAL")
        assert (await told(store)).status is Status.RESOLVED

    play(story)


def test_a_relapse_that_is_over_when_it_is_heeded_reopens_nothing(play: Play) -> None:
    async def story(store: Store) -> None:
        await evaluated(store, 1)
        await resolved(store)
        store.clock.at += timedelta(minutes=1)
        for window, state in ((2, "CRITICAL"), (3, "OK")):
            await store.update_signal(report(window, state=state), by=ADMIN)
        await store.react()
        assert (await told(store)).status is Status.RESOLVED

    play(story)


def test_a_dataset_may_not_want_that(play: Play) -> None:
    async def story(store: Store) -> None:
        await evaluated(store, 1)
        await resolved(store)
        await evaluated(store, 2, "CRITICAL")
        assert (await told(store)).status is Status.RESOLVED

    play(story, reopen_on_relapse=False)


# Waking.


async def snoozed(store: Store, hours: int) -> None:
    until = store.clock.at + timedelta(hours=hours)
    await store.snooze_incident(ONE, Snooze(until, "deploying"), by=ADMIN)
    await store.react()


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
        await store.update_dataset(ORDERS, ["incident_policy"], again, expected_version=1, by=ADMIN)
        await store.react()
        assert (await told(store)).snoozed_until is None
        happening = await last(store)
        assert happening.causation_id is not None

    play(story, end_snoozes=False)


# Restarts, rebuilds, and looking twice.


def test_a_start_in_between_changes_nothing(tmp_path: Path) -> None:
    """What is watched is found again: signals of open incidents, and snoozes."""

    async def before() -> None:
        async with open_store("embedded", tmp_path) as store:
            await store.register_dataset(ORDERS, SETTINGS, by=ADMIN)
            await evaluated(store, 0, "CRITICAL")
            await opened(store)
            await snoozed(store, 2)
            for window in (1, 2):
                await evaluated(store, window)

    async def after() -> None:
        async with open_store("embedded", tmp_path) as store:
            store.clock.at += timedelta(hours=3)
            await store.react()
            assert (await told(store)).snoozed_until is None
            await evaluated(store, 3)
            assert (await told(store)).status is Status.RESOLVED

    asyncio.run(before())
    asyncio.run(after())


async def eventful(store: Store) -> None:
    """Everything that policies do, and people who disagree with it."""
    await snoozed(store, 2)
    store.clock.at += timedelta(hours=3)
    for window in (1, 2, 3):
        await evaluated(store, window)
    await evaluated(store, 4, "CRITICAL")
    await evaluated(store, 5)
    await resolved(store)
    await evaluated(store, 6, "CRITICAL")
    await resolved(store)


def test_policies_that_look_at_everything_twice_do_nothing_twice(play: Play) -> None:
    async def story(store: Store) -> None:
        await eventful(store)
        head = await store.feed.head()
        other = another(store)
        await other.project()
        for runner in other.policy_runners:
            runner.boards = at_the_beginning()
            await runner.catch_up()
        assert await store.feed.head() == head

    play(story)


def at_the_beginning() -> Progress:
    """Boards by which a policy that is new to the log begins with its first fact."""
    return Progress()


def test_policies_are_silent_while_read_models_are_rebuilt(play: Play) -> None:
    """They follow beside the projections, which fold everything from nothing."""

    async def story(store: Store) -> None:
        await eventful(store)
        head = await store.feed.head()
        other = another(store)
        await other.runner.resume()
        following = [
            asyncio.create_task(one.run()) for one in (other.runner, *other.policy_runners)
        ]
        assert await other.progress.wait("incident-board", head, timeout=30)
        for policy in other.policy_runners:
            assert await other.policy_progress.wait(policy.policy.name, head, timeout=30)
        for task in following:
            task.cancel()
        await asyncio.gather(*following, return_exceptions=True)
        assert await store.feed.head() == head

    play(story)


def test_two_processes_with_the_same_policies_act_once(play: Play) -> None:
    async def story(store: Store) -> None:
        others = [another(store), another(store)]
        for other in others:
            await other.react()
        for window in (1, 2, 3):
            await store.update_signal(report(window), by=ADMIN)
        runners = [runner for one in (store, *others) for runner in one.policy_runners]
        await asyncio.gather(*(runner.catch_up() for runner in runners))
        page = await store.read_timeline(ONE, PageRequest(100), by=ADMIN)
        assert [type(one.fact) for one in page.items] == [incident.Opened, incident.Resolved]

    play(story)


def test_a_policy_that_is_new_to_a_log_lets_the_past_be(play: Play) -> None:
    """What relapsed before it came is not reopened now."""

    async def story(store: Store) -> None:
        await evaluated(store, 1)
        store.clock.at += timedelta(minutes=1)
        said = ReportedResolution("a deploy", reason="FIXED")
        patch = IncidentPatch(status="RESOLVED", resolution=said)
        await store.change_incident(ONE, patch, by=ADMIN)
        store.clock.at += timedelta(minutes=1)
        await store.update_signal(report(2, state="CRITICAL"), by=ADMIN)
        other = another(store)
        await other.react()
        assert (await told(store)).status is Status.RESOLVED

    play(story)


# The runner.


def auto_resolve(store: Store) -> PolicyRunner:
    found: PolicyRunner
    (found,) = [one for one in store.policy_runners if one.policy.name == "auto-resolve"]
    return found


def test_how_far_a_policy_came_is_kept(play: Play) -> None:
    async def story(store: Store) -> None:
        await store.react()
        head = await store.feed.head()
        for runner in store.policy_runners:
            assert await store.cards.reached(f"policy/{runner.policy.name}") == head
            assert store.policy_progress.reached(runner.policy.name).position == head

    play(story)


def test_how_far_a_policy_came_is_not_kept_after_every_fact(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_store("memory", tmp_path) as store:
            await store.register_dataset(ORDERS, SETTINGS, by=ADMIN)
            await store.project()
            runner = auto_resolve(store)
            following = asyncio.create_task(runner.run())
            head = 0
            for window in range(20):
                await store.update_signal(report(window), by=ADMIN)
                head = await store.feed.head()
                assert await store.policy_progress.wait(runner.policy.name, head, timeout=30)
            assert await store.cards.reached("policy/auto-resolve") < head
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)
            assert await store.cards.reached("policy/auto-resolve") == head

    asyncio.run(story())


def test_the_trouble_of_one_policy_is_told_while_the_others_go_on(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_store("memory", tmp_path) as store:
            one, other, *_ = store.policy_runners
            one.progress.stuck(one.policy.name, "the disk is full")
            following = asyncio.create_task(other.run())
            await store.register_dataset(ORDERS, SETTINGS, by=ADMIN)
            head = await store.feed.head()
            assert await store.policy_progress.wait(other.policy.name, head, timeout=30)
            assert store.policy_progress.trouble == f"{one.policy.name}: the disk is full"
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)

    asyncio.run(story())


def test_a_policy_that_cannot_append_tries_again_and_tells(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_store("memory", tmp_path) as store:
            await store.register_dataset(ORDERS, SETTINGS, by=ADMIN)
            await evaluated(store, 0, "CRITICAL")
            await opened(store)
            await store.react()
            runner = auto_resolve(store)
            told_of: list[str] = []
            failed = asyncio.Event()

            def trouble(error: Exception) -> None:
                told_of.append(str(error))
                failed.set()

            runner.on_trouble = trouble
            for window in (1, 2, 3):
                await store.update_signal(report(window), by=ADMIN)
            inner, store.logged_streams.log = store.logged_streams.log, FullLog(store.log)
            following = asyncio.create_task(runner.run())
            await failed.wait()
            assert "is full" in str(store.policy_progress.trouble)
            store.logged_streams.log = inner
            assert await store.feed.beyond(await store.feed.head(), timeout=30)
            assert (await told(store)).status is Status.RESOLVED
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)
            assert set(told_of) == {"the log is unavailable: the disk is full"}

    asyncio.run(story())


@define
class FullLog:
    """A log that can be read only."""

    inner: Log

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def append(self, append: Append) -> Receipt:
        raise Unavailable("the log", "the disk is full")
