"""Updating and reading signals through the use cases, on every engine."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path

import pytest
from attrs import evolve

from application.caller import RequestKey
from application.errors import Forbidden, KeyReused
from application.reads.paging import PageRequest
from application.signals.commands import SignalUpdated
from application.signals.queries import worst
from domain.dataset.settings_validation import DatasetReport, SettingsReport
from domain.dataset.tier import Tier
from domain.errors import Invalid, NotFound, VersionMismatch
from domain.ids import DatasetUrn
from domain.signal.evaluation import SignalStateEnum
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

Story = Callable[[Store], Awaitable[None]]
Play = Callable[[Story], None]


@pytest.fixture(params=ENGINES)
def play(request: pytest.FixtureRequest, tmp_path: Path) -> Play:
    """Plays a story on a store that knows one dataset."""

    def played(story: Story) -> None:
        async def scene() -> None:
            async with open_store(request.param, tmp_path) as store:
                await store.use_cases.register_dataset(DatasetReport(ORDERS, SETTINGS), by=ADMIN)
                await story(store)

        asyncio.run(scene())

    return played


def test_an_update_answers_how_the_signal_stands(play: Play) -> None:
    async def story(store: Store) -> None:
        await store.use_cases.update_signal(report(0, 0), by=ADMIN)
        updated = await store.use_cases.update_signal(report(1, 1, "CRITICAL"), by=ADMIN)
        assert updated.version == 2
        assert updated.standing.state is SignalStateEnum.CRITICAL
        assert updated.standing.previous_state is SignalStateEnum.OK
        assert updated.is_current

    play(story)


def test_a_window_from_before_the_horizon_is_history(play: Play) -> None:
    """It counts as a version, shows in the history, and moves nothing."""

    async def story(store: Store) -> None:
        await store.use_cases.update_signal(report(0), by=ADMIN)
        late = await store.use_cases.update_signal(report(-12 * 30, state="CRITICAL"), by=ADMIN)
        assert (late.version, late.is_current) == (2, False)
        assert late.standing.state is SignalStateEnum.OK
        assert late.standing.previous_state is None
        again = await store.use_cases.update_signal(report(-12 * 30, state="CRITICAL"), by=ADMIN)
        assert again.version == 2
        await store.project()
        card = (await store.use_cases.read_signal(ORDERS, VOLUME, by=ADMIN)).value
        assert (card.state, card.version) == (SignalStateEnum.OK, 2)
        assert card.evaluation.window_end == NOON

    play(story)


def test_who_names_the_version_outdoes_what_was_said_of_the_window(play: Play) -> None:
    async def story(store: Store) -> None:
        for version, state in enumerate(["OK", "CRITICAL", "OK", "WARNING"]):
            updated = await store.use_cases.update_signal(report(0, version, state), by=ADMIN)
            assert updated.standing.state is SignalStateEnum(state)

    play(story)


def test_a_stale_version_is_refused_with_the_current_one(play: Play) -> None:
    async def story(store: Store) -> None:
        await store.use_cases.update_signal(report(0, 0), by=ADMIN)
        with pytest.raises(VersionMismatch) as told:
            await store.use_cases.update_signal(report(1, 0), by=ADMIN)
        assert (told.value.expected, told.value.current) == (0, 1)

    play(story)


def test_a_dataset_must_be_registered_and_in_service(play: Play) -> None:
    """S0-232: said together with everything else that is wrong."""

    async def story(store: Store) -> None:
        elsewhere = report(0, dataset="urn:dp:orders:unheard_of:v1", score=7.0)
        with pytest.raises(Invalid) as told:
            await store.use_cases.update_signal(elsewhere, by=ADMIN)
        assert {v.code for v in told.value.violations} == {"OUT_OF_RANGE", "NOT_REGISTERED"}
        await store.use_cases.retire_dataset(ORDERS, by=ADMIN)
        with pytest.raises(Invalid) as told:
            await store.use_cases.update_signal(report(0), by=ADMIN)
        assert [v.code for v in told.value.violations] == ["RETIRED"]
        with pytest.raises(Invalid) as told:
            await store.use_cases.update_signal(report(0, score=7.0), by=ADMIN)
        assert [v.code for v in told.value.violations] == ["OUT_OF_RANGE", "RETIRED"]
        await store.use_cases.restore_dataset(ORDERS, by=ADMIN)
        await store.use_cases.update_signal(report(0), by=ADMIN)

    play(story)


def test_each_update_of_a_batch_succeeds_or_fails_by_itself(play: Play) -> None:
    """S0-135. Updates of one signal are taken in their order."""

    async def story(store: Store) -> None:
        reports = [report(0, 0), report(1, 1), report(2, 1), report(3, 2, score=7.0), report(4, 2)]
        outcomes = await store.use_cases.update_signals(reports, by=ADMIN)
        assert [type(outcome) for outcome in outcomes] == [
            SignalUpdated,
            SignalUpdated,
            VersionMismatch,
            Invalid,
            SignalUpdated,
        ]

    play(story)


def test_who_has_no_role_may_do_nothing(play: Play) -> None:
    async def story(store: Store) -> None:
        stranger = evolve(ADMIN, roles=frozenset())
        with pytest.raises(Forbidden):
            await store.use_cases.update_signal(report(0), by=stranger)
        with pytest.raises(Forbidden):
            await store.use_cases.read_health(ORDERS, by=stranger)
        with pytest.raises(Forbidden):
            await store.use_cases.erase_person("jane", by=stranger)

    play(story)


def test_a_read_waits_for_the_callers_own_write(play: Play) -> None:
    async def story(store: Store) -> None:
        following = asyncio.create_task(store.container.runner().run())
        try:
            for version in range(20):
                await store.use_cases.update_signal(report(version, version), by=ADMIN)
                answer = await store.use_cases.read_signal(ORDERS, VOLUME, by=ADMIN)
                assert answer.value.version == version + 1
        finally:
            following.cancel()

    play(story)


def test_tier_and_owner_follow_the_dataset(play: Play) -> None:
    """S0-038"""

    async def story(store: Store) -> None:
        await store.use_cases.update_signal(report(0, state="CRITICAL"), by=ADMIN)
        changed = evolve(SETTINGS, tier=Tier.TIER_3, owner_team="others")
        await store.use_cases.update_dataset(
            ORDERS, SettingsReport(changed, ["tier", "owner_team"]), expected_version=1, by=ADMIN
        )
        await store.project()
        card = (await store.use_cases.read_signal(ORDERS, VOLUME, by=ADMIN)).value
        assert (card.tier, card.owner_team) == ("TIER_3", "others")

    play(story)


def test_health_is_the_worst_of_the_signals(play: Play) -> None:
    """S0-001"""

    async def story(store: Store) -> None:
        await store.project()
        assert (
            await store.use_cases.read_health(ORDERS, by=ADMIN)
        ).value.state is SignalStateEnum.UNKNOWN
        await store.use_cases.update_signal(report(0), by=ADMIN)
        critical = evolve(report(0, state="CRITICAL"), signal_type="PII")
        await store.use_cases.update_signal(critical, by=ADMIN)
        await store.project()
        health = (await store.use_cases.read_health(ORDERS, by=ADMIN)).value
        assert health.state is SignalStateEnum.CRITICAL
        assert [card.signal_type for card in health.signals] == ["PII", "VOLUME"]
        with pytest.raises(NotFound):
            await store.use_cases.read_health(DatasetUrn("urn:dp:orders:unheard_of:v1"), by=ADMIN)

    play(story)


def test_the_worst_state() -> None:
    assert worst([SignalStateEnum.OK, SignalStateEnum.UNKNOWN]) is SignalStateEnum.UNKNOWN
    assert worst([SignalStateEnum.UNKNOWN, SignalStateEnum.WARNING]) is SignalStateEnum.WARNING
    assert worst([]) is SignalStateEnum.UNKNOWN


def test_what_is_not_ok_is_listed_page_by_page(play: Play) -> None:
    """S0-044, S0-045: the worst state first, each signal once."""

    async def story(store: Store) -> None:
        for number in range(7):
            urn = DatasetUrn(f"urn:dp:orders:d{number}:v1")
            await store.use_cases.register_dataset(DatasetReport(urn, SETTINGS), by=ADMIN)
            state = ("CRITICAL", "WARNING", "OK")[number % 3]
            await store.use_cases.update_signal(report(0, state=state, dataset=urn), by=ADMIN)
        await store.project()
        listed, after = [], None
        while True:
            page = (await store.use_cases.list_not_ok([], PageRequest(2, after), by=ADMIN)).value
            listed += [(card.state.value, card.dataset[-4]) for card in page.items]
            after = page.next
            if after is None:
                break
        assert listed == [
            ("CRITICAL", "0"),
            ("CRITICAL", "3"),
            ("CRITICAL", "6"),
            ("WARNING", "1"),
            ("WARNING", "4"),
        ]

    play(story)


def test_what_is_retired_is_not_in_breach_now(play: Play) -> None:
    async def story(store: Store) -> None:
        async def listed() -> int:
            await store.project()
            return len((await store.use_cases.list_not_ok([], PageRequest(), by=ADMIN)).value.items)

        await store.use_cases.update_signal(report(0, state="CRITICAL"), by=ADMIN)
        assert await listed() == 1
        await store.use_cases.retire_dataset(ORDERS, by=ADMIN)
        assert await listed() == 0
        await store.use_cases.restore_dataset(ORDERS, by=ADMIN)
        assert await listed() == 1

    play(story)


def test_a_reused_request_key_is_refused_before_an_invalid_update(play: Play) -> None:
    async def story(store: Store) -> None:
        first = evolve(ADMIN, request=RequestKey("k", "one"))
        other = evolve(ADMIN, request=RequestKey("k", "two"))
        await store.use_cases.update_signal(report(0), by=first)
        with pytest.raises(KeyReused):
            await store.use_cases.update_signal(report(1, score=7.0), by=other)

    play(story)


def test_a_request_key_of_an_invalid_update_can_be_used_again(play: Play) -> None:
    async def story(store: Store) -> None:
        by = evolve(ADMIN, request=RequestKey("k", "one"))
        with pytest.raises(Invalid):
            await store.use_cases.update_signal(report(0, score=7.0), by=by)
        updated = await store.use_cases.update_signal(report(0), by=by)
        assert not updated.replayed

    play(story)


def test_a_batch_has_one_request_key(play: Play) -> None:
    """The same key with another batch writes nothing of it."""

    async def story(store: Store) -> None:
        first = evolve(ADMIN, request=RequestKey("k", "one"))
        other = evolve(ADMIN, request=RequestKey("k", "two"))
        await store.use_cases.update_signals([report(0)], by=first)
        with pytest.raises(KeyReused):
            await store.use_cases.update_signals([report(0), report(1)], by=other)
        (again,) = await store.use_cases.update_signals([report(0)], by=first)
        assert isinstance(again, SignalUpdated)
        assert (again.version, again.replayed) == (1, True)

    play(story)


def test_a_read_waits_for_writes_about_its_own_dataset_only(play: Play) -> None:
    async def story(store: Store) -> None:
        other = DatasetUrn("urn:dp:orders:other:v1")
        await store.use_cases.register_dataset(DatasetReport(other, SETTINGS), by=ADMIN)
        await store.project()
        await store.use_cases.update_signal(report(0), by=ADMIN)
        waiting = asyncio.create_task(store.use_cases.read_health(ORDERS, by=ADMIN))
        assert (await store.use_cases.read_health(other, by=ADMIN)).value.dataset.dataset == other
        assert not waiting.done()
        await store.project()
        assert len((await waiting).value.signals) == 1

    play(story)


def test_history_is_read_from_the_log_page_by_page(play: Play) -> None:
    """T9: a span of windows, in the order they were accepted."""

    async def story(store: Store) -> None:
        for window in range(30):
            store.clock.at = NOON + timedelta(minutes=5 * window)
            await store.use_cases.update_signal(report(window), by=ADMIN)
        since, until = NOON + timedelta(minutes=50), NOON + timedelta(minutes=100)
        seen, after = [], None
        while True:
            page = (
                await store.use_cases.read_history(
                    ORDERS, VOLUME, since=since, until=until, page=PageRequest(4, after), by=ADMIN
                )
            ).value
            seen += [past.evaluation.window_end for past in page.items]
            after = page.next
            if after is None:
                break
        assert seen == [NOON + timedelta(minutes=5 * window) for window in range(10, 21)]

    play(story)


def test_there_is_no_history_of_what_never_was(play: Play) -> None:
    async def story(store: Store) -> None:
        with pytest.raises(NotFound):
            await store.use_cases.read_history(
                ORDERS, VOLUME, since=None, until=None, page=PageRequest(), by=ADMIN
            )

    play(story)
