"""What was copied before a change is not fresh after it, whoever was away or died meanwhile."""

import asyncio
from collections.abc import Sequence

import pytest
from attrs import define, evolve
from hypothesis import given, settings
from hypothesis import strategies as st

import application.delivery.cache_invalidation as module
from adapters.cache.keys import Name
from adapters.generations.generation_tables import Numbers
from adapters.row_layouts.hot_datasets import HotDatasets
from application.errors import Unavailable
from application.projections.progress import Progress
from application.recorded import Recorded, Unreadable
from domain.dataset.tier import Tier
from domain.incident.values import Resolution
from domain.signal.evaluation import SignalStateEnum
from domain.streams import StreamId
from tests.application.delivery.outboxes import in_turns
from tests.application.delivery.published_events import StoryStreams
from tests.application.delivery.shared_copies import Surroundings
from tests.application.projections.story import (
    FRESHNESS,
    ORDERS,
    VOLUME,
    Story,
    registered,
)
from tests.application.projections.test_any_story import chapters
from tests.application.projections.test_any_story import told as story_of

SIGNAL = f"ss:{ORDERS}:{FRESHNESS}"
CONFIG = f"dc:{ORDERS}:LATEST"

GENERATIONS: Sequence[Numbers] = [
    {},
    {"signal-state": 2},
    {"dataset-registry": 2, "dataset-resolution": 3},
]
HOT = [HotDatasets(), HotDatasets(("*",))]


def eventful() -> Story:
    """All that can change what is copied, one way after another."""
    story = (
        registered().evaluate(SignalStateEnum.OK).evaluate(SignalStateEnum.OK, signal_type=VOLUME)
    )
    story.add_rule("raw.a.*").add_rule("raw.b", "s").change_rule("raw.c").change_rule("raw.d.*")
    story.reconfigure(tier=Tier.TIER_3).reconfigure(description="x").remove_rule("s")
    story.evaluate(SignalStateEnum.CRITICAL, hour=1).evaluate(
        SignalStateEnum.OK, hour=2
    ).open().change(note="x")
    story.change(resolution=Resolution("x")).evaluate(SignalStateEnum.CRITICAL, hour=3)
    return story.reconfigure(owner_team="second").retire().restore().remove_rule().retire()


@pytest.mark.parametrize("hot", HOT)
@pytest.mark.parametrize("numbers", GENERATIONS)
def test_nothing_old_is_fresh_once_redis_that_was_away_is_told(
    numbers: Numbers, hot: HotDatasets
) -> None:
    """From whatever moment on."""
    facts = eventful().facts
    for before in range(1, len(facts)):
        for told in (before, max(before - 2, 1)):
            asyncio.run(redis_comes_back(Surroundings(facts, numbers, hot), before, told))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(chapters, max_size=25),
    st.integers(2, 60),
    st.sampled_from(GENERATIONS),
    st.sampled_from(HOT),
)
def test_nothing_old_is_fresh_whatever_happened(
    chapters: list[tuple[object, dict[str, object]]],
    before: int,
    numbers: Numbers,
    hot: HotDatasets,
) -> None:
    around = Surroundings(story_of(chapters).facts, numbers, hot)
    before = min(before, len(around.facts))
    asyncio.run(redis_comes_back(around, before, before))


async def redis_comes_back(around: Surroundings, before: int, told: int) -> None:
    """It has what was copied at a moment, and was told of less. Whoever folded the rest could drop
    nothing, and is gone.
    """
    await around.fold(before)
    names = await _all_names(around)
    await around.copy(names, before)
    await around.was_told(told)
    await around.fold()
    await around.outbox().catch_up()
    assert around.progress.reached("redis").position == len(around.facts)
    for name, rows in (await around.fresh(names)).items():
        assert around.shown(rows) == around.shown(await around.rows(name)), name
    # And what shows all of it already stays, however often it is told.
    await around.copy(names, len(around.facts))
    await around.was_told(told)
    await around.outbox().catch_up()
    assert (await around.fresh(names)).keys() == {*names}
    assert around.redis.cleared == 0


async def _all_names(around: Surroundings) -> Sequence[Name]:
    """Of rows that are there now, and of those that will be: that there are none is copied, too."""
    later = evolve(around, engine=type(around.engine)(), folded=Progress())
    await later.fold()
    return [*dict.fromkeys([*await around.names(), *await later.names()])]


def test_redis_that_is_away_is_waited_for_and_whoever_comes_next_goes_on() -> None:
    story = registered().evaluate(SignalStateEnum.OK)
    around = copied(story)
    story.evaluate(SignalStateEnum.CRITICAL, hour=1)
    asyncio.run(around.fold())
    around.redis.away = True
    dies = around.outbox()
    for _ in range(20):
        with pytest.raises(Unavailable):
            asyncio.run(dies.turn())
    assert fresh(around) == {SIGNAL, CONFIG}
    around.redis.away = False
    asyncio.run(around.outbox().catch_up())
    assert fresh(around) == {CONFIG}
    assert around.redis.cleared == 1


@pytest.mark.parametrize("is_same", [True, False])
def test_redis_that_lost_what_it_had_taken_is_told_again(is_same: bool) -> None:
    """It began again with what it had saved before: it forgot drops, and that it was told."""
    story = registered().evaluate(SignalStateEnum.OK)
    around = copied(story)
    restart, outbox = around.redis.saved(), around.outbox()
    story.evaluate(SignalStateEnum.CRITICAL, hour=1)
    asyncio.run(around.fold())
    asyncio.run(outbox.catch_up())
    assert fresh(around) == {CONFIG}
    restart()
    assert fresh(around) == {SIGNAL, CONFIG}
    asyncio.run((outbox if is_same else around.outbox()).catch_up())
    assert fresh(around) == {CONFIG}
    assert around.redis.cleared == 1


def test_redis_that_goes_back_while_it_is_told_is_told_again() -> None:
    story = registered().evaluate(SignalStateEnum.OK)
    around = copied(story)
    restart, before = around.redis.saved(), len(story.facts)
    for hour in range(1, 5):
        story.evaluate(
            SignalStateEnum.CRITICAL, hour=hour, signal_type=FRESHNESS if hour == 1 else VOLUME
        )
    asyncio.run(around.fold())
    outbox = around.outbox()
    asyncio.run(outbox.turn())
    assert around.progress.reached("redis").position == before + 3
    around.redis.goes_back = restart
    with pytest.raises(Unavailable):
        asyncio.run(outbox.turn())
    assert fresh(around) == {SIGNAL, CONFIG}
    asyncio.run(outbox.catch_up())
    assert fresh(around) == {CONFIG}
    assert around.redis.cleared == 1


def test_redis_that_does_not_remember_what_it_was_told_forgets_all() -> None:
    """It may have been emptied, or be another one, with who knows what in it."""
    story = registered().evaluate(SignalStateEnum.OK)
    around = copied(story)
    around.redis._told.clear()
    outbox = around.outbox()
    asyncio.run(outbox.catch_up())
    assert fresh(around) == set()
    asyncio.run(copy_all(around))
    asyncio.run(outbox.catch_up())
    assert fresh(around) == {SIGNAL, CONFIG}


@pytest.mark.parametrize("is_seen_before", [True, False])
def test_tables_that_were_filled_anew_and_are_not_as_far_are_told_of_again(
    is_seen_before: bool,
) -> None:
    """What they lack still was told under the names of those before them."""
    story, numbers = registered().evaluate(SignalStateEnum.OK), dict[str, int]()
    around = copied(story, numbers)
    outbox = around.outbox()
    anew = evolve(around, numbers={"signal-state": 2}, folded=Progress())
    asyncio.run(anew.fold())
    story.evaluate(SignalStateEnum.CRITICAL, hour=1)
    asyncio.run(around.fold())
    asyncio.run(outbox.catch_up())
    numbers["signal-state"] = 2
    around.folded.moved("signal-state", anew.folded.reached("signal-state"))
    names = [name for name in asyncio.run(around.names()) if name.text == f"ss@g2:{SIGNAL[3:]}"]
    asyncio.run(around.copy(names, 2))
    if is_seen_before:
        asyncio.run(outbox.catch_up())
        asyncio.run(around.copy(names, 2))
    asyncio.run(around.fold())
    assert asyncio.run(around.fresh(names))
    asyncio.run(outbox.catch_up())
    assert not asyncio.run(around.fresh(names))
    assert around.progress.reached("redis").position == len(story.facts)


def test_what_is_not_folded_is_not_told_yet() -> None:
    """Redis forgets drops after a while: what is read until it is folded would be kept."""
    story = registered().evaluate(SignalStateEnum.OK)
    around = copied(story)
    story.evaluate(SignalStateEnum.CRITICAL, hour=1).reconfigure(tier=Tier.TIER_3)
    asyncio.run(around.outbox().catch_up())
    assert fresh(around) == {SIGNAL, CONFIG}
    assert around.progress.reached("redis").position == len(story.facts) - 2
    asyncio.run(around.fold())
    asyncio.run(around.outbox().catch_up())
    assert fresh(around) == set()


def test_whoever_does_not_know_how_far_it_was_forgets_all() -> None:
    around = Surroundings(registered().evaluate(SignalStateEnum.OK).facts)
    asyncio.run(around.fold())
    asyncio.run(copy_all(around))
    around.redis.away = True
    with pytest.raises(Unavailable):
        asyncio.run(around.outbox().catch_up())
    assert around.progress.all().keys() == {"redis"}
    around.redis.away = False
    asyncio.run(around.outbox().catch_up())
    assert fresh(around) == set()
    asyncio.run(copy_all(around))
    asyncio.run(around.outbox().catch_up())
    assert fresh(around) == {SIGNAL, CONFIG}


def test_whoever_is_too_far_behind_forgets_all(monkeypatch: pytest.MonkeyPatch) -> None:
    story = registered().evaluate(SignalStateEnum.OK)
    around = copied(story)
    before = len(story.facts)
    monkeypatch.setattr(module, "TOO_FAR", 3)
    for hour in range(1, 6):
        story.evaluate(SignalStateEnum.OK, hour=hour, signal_type=VOLUME)
    asyncio.run(around.fold())
    asyncio.run(around.outbox().catch_up())
    assert fresh(around) == set()
    assert around.redis.cleared == 2
    assert around.forgotten == [before, len(story.facts)]
    assert around.progress.reached("redis").position == len(story.facts)


def test_what_is_not_understood_may_have_changed_anything() -> None:
    story = registered().evaluate(SignalStateEnum.OK)
    around = copied(story)
    story.reconfigure(tier=Tier.TIER_3)
    story.facts[-1] = evolve(story.facts[-1], fact=Unreadable("dataset.newest", "it is new"))
    asyncio.run(around.fold())
    asyncio.run(around.outbox().catch_up())
    assert fresh(around) == set()
    assert around.redis.cleared == 2


def test_what_was_not_understood_long_ago_is_no_reason_to_forget_all() -> None:
    """What is known of the rules since is dropped, and what the rule book says."""
    story = registered().evaluate(SignalStateEnum.OK).add_rule("raw.a").add_rule("raw.b", "s")
    around = copied(story)
    story.reconfigure(tier=Tier.TIER_3)
    story.facts[-1] = evolve(story.facts[-1], fact=Unreadable("dataset.newest", "it is new"))
    asyncio.run(around.fold())
    asyncio.run(around.outbox().catch_up())
    # It is as if a newer program had written this one.
    story.facts[3] = evolve(story.facts[3], fact=Unreadable("dataset.newer", "it is new"))
    asyncio.run(copy_all(around))
    story.change_rule("raw.c", "s")
    asyncio.run(around.fold())
    asyncio.run(around.outbox().catch_up())
    assert around.redis.cleared == 2
    names = [name for name in asyncio.run(_all_names(around)) if name.text.startswith("rr:")]
    assert {"rr:raw.a", "rr:raw.c"} <= {name.text for name in names}
    assert not asyncio.run(around.fresh(names))


def test_the_history_of_a_dataset_is_read_for_its_rules_only() -> None:
    story = registered().evaluate(SignalStateEnum.OK)
    around = copied(story)
    changed = evolve(around.copies.changed, streams=NoStreams())
    story.reconfigure(tier=Tier.TIER_3)
    assert asyncio.run(changed.of(story.facts[-1:])).keys() == {
        CONFIG,
        CONFIG.replace("LATEST", "v1"),
        SIGNAL,
    }


class NoStreams(StoryStreams):
    def __init__(self) -> None:
        super().__init__(())

    async def facts(
        self, stream: StreamId, *, after: int = 0, limit: int | None = None
    ) -> Sequence[Recorded]:
        raise AssertionError("it is long")


def test_a_name_that_two_streams_change_is_dropped_at_the_last_position() -> None:
    """That of a signal, and that of its dataset which shows in it."""
    story = registered().evaluate(SignalStateEnum.OK)
    around = copied(story)
    story.evaluate(SignalStateEnum.CRITICAL, hour=1).reconfigure(tier=Tier.TIER_3).evaluate(
        SignalStateEnum.OK, hour=2
    )
    asyncio.run(around.fold())
    names = asyncio.run(around.copies.changed.of(story.facts[-3:]))
    assert names[SIGNAL] == story.facts[-1].position
    assert names[CONFIG] == story.facts[-2].position


def test_what_is_not_understood_of_a_signal_changes_that_signal() -> None:
    story = registered().evaluate(SignalStateEnum.OK)
    around = copied(story)
    story.evaluate(SignalStateEnum.CRITICAL, hour=1)
    story.facts[-1] = evolve(story.facts[-1], fact=Unreadable("signal.newest", "it is new"))
    asyncio.run(around.fold())
    asyncio.run(around.outbox().catch_up())
    assert fresh(around) == {CONFIG}


def test_one_process_tells_and_the_others_know_how_far_it_is() -> None:
    story = registered().evaluate(SignalStateEnum.OK)
    around = copied(story)
    other = evolve(around, leases=SomebodyElses(), progress=Progress())
    story.evaluate(SignalStateEnum.CRITICAL, hour=1)
    asyncio.run(around.fold())
    asyncio.run(in_turns(other.outbox()))
    assert fresh(around) == {SIGNAL, CONFIG}
    asyncio.run(around.outbox().catch_up())
    assert fresh(around) == {CONFIG}
    asyncio.run(in_turns(other.outbox()))
    assert other.progress.reached("redis").position == len(story.facts)


@define
class SomebodyElses:
    async def hold(self, name: str) -> bool:
        return False

    async def release(self, name: str) -> None:
        raise AssertionError("it is not ours")


def copied(story: Story, numbers: Numbers | None = None) -> Surroundings:
    """All that is folded is copied, and has been told."""
    around = Surroundings(story.facts, {} if numbers is None else numbers)

    async def happen() -> Surroundings:
        await around.fold()
        await around.outbox().catch_up()
        await copy_all(around)
        return around

    return asyncio.run(happen())


async def copy_all(around: Surroundings) -> None:
    await around.copy(await around.names(), len(around.facts))


def fresh(around: Surroundings) -> set[str]:
    async def found() -> set[str]:
        names = [name for name in await around.names() if name.text in (SIGNAL, CONFIG)]
        return {name.text for name in await around.fresh(names)}

    return asyncio.run(found())
