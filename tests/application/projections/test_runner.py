"""The runner: order, batches, redelivery, restarts, trouble."""

import asyncio
from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import pairwise
from typing import Any

import pytest
from attrs import define, field

from application.datasets.resolution_read_model import TopicRuleKey
from application.errors import Unavailable
from application.projections import runner as runner_module
from application.projections.datasets import DatasetCards
from application.projections.projection import Projection
from application.projections.resolution_rules import RuleCards
from application.projections.runner import projection_runner
from application.projections.signals import SignalCards
from application.projections.view_store import Card, Filed, Key
from application.signals.read_model import SignalKey
from application.subscriptions import backoff
from application.subscriptions.batches import BATCH
from application.subscriptions.subscription import Subscription
from domain.dataset.tier import Tier
from domain.ids import DatasetUrn
from domain.signal.evaluation import SignalStateEnum
from tests.application.projections.story import (
    FRESHNESS,
    ORDERS,
    ListFeed,
    Story,
    WatchedCards,
    folding_of,
    registered,
    run,
    runner,
)
from tests.support.event_loop_turns import others_go_on

ALL = (SignalCards(), DatasetCards(), RuleCards())
NAMES = [projection.name for projection in ALL]


def a_bit_of_everything() -> Story:
    story = registered().add_rule("raw.a.*")
    for hour, state in enumerate(
        [SignalStateEnum.OK, SignalStateEnum.CRITICAL, SignalStateEnum.WARNING, SignalStateEnum.OK]
    ):
        story.evaluate(state, hour=hour)
    story.reconfigure(tier=Tier.TIER_1).change_rule("raw.b.*").retire().restore()
    return story.evaluate(SignalStateEnum.CRITICAL, hour=9)


def everything(story: Story, most: int = 1000, cards: WatchedCards | None = None) -> WatchedCards:
    cards = cards or WatchedCards()
    asyncio.run(runner(ALL, story.facts, cards, most).catch_up())
    return cards


# Batches.


@pytest.mark.parametrize("most", range(1, 8))
def test_cards_do_not_depend_on_the_batches(most: int) -> None:
    story = a_bit_of_everything()
    assert everything(story, most).now() == everything(story).now()


def test_a_batch_writes_each_card_once() -> None:
    """S0-220: of rapid updates only the latest is written; what is not yet lies in the log."""
    story = registered()
    for hour in range(50):
        story.evaluate(SignalStateEnum.CRITICAL, hour=hour)
    cards = run(SignalCards(), story)
    ((_, changes, upto),) = cards.filings
    key = SignalKey(ORDERS, FRESHNESS)
    card: Any = changes[key][0]
    assert (card.version, changes[key][1]) == (50, upto)
    assert len([k for k in changes if isinstance(k, SignalKey)]) == 1


def sizes(cards: WatchedCards) -> list[int]:
    """Of the batches filed, in facts."""
    return [b - a for a, b in pairwise([0, *(upto for _, _, upto in cards.filings)])]


def test_batches_grow_while_far_behind_and_are_small_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(runner_module, "LARGEST_BATCH", 4 * BATCH)
    story = registered()
    for hour in range(16 * BATCH):
        story.evaluate(hour=hour)
    one = runner([SignalCards()], story.facts, cards := WatchedCards())
    asyncio.run(one.catch_up())
    behind = len(story.facts) - 15 * BATCH
    assert sizes(cards) == [BATCH, 2 * BATCH, 4 * BATCH, 4 * BATCH, 4 * BATCH, behind]
    story.evaluate(hour=9001).evaluate(hour=9002)
    asyncio.run(one.catch_up())
    assert sizes(cards)[-1] == 2
    assert one._batches.size == BATCH


def test_a_large_batch_files_no_more_cards_than_it_may() -> None:
    """Whoever appends meanwhile waits for the filing."""
    story = Story()
    for number in range(4 * BATCH):
        story.register(DatasetUrn(f"urn:dp:d:n{number}:v1"))
    cards = WatchedCards()
    one = runner([DatasetCards()], story.facts, cards)
    folding_of(one).most_filed = 300
    asyncio.run(one.catch_up())
    assert max(len(changes) for _, changes, _ in cards.filings) == 300
    assert sum(sizes(cards)) == len(story.facts)
    assert len(cards.now()) == len(story.facts)


def test_a_projection_moves_on_over_facts_that_do_not_concern_it() -> None:
    story = registered().evaluate().evaluate(hour=1)
    cards = run(RuleCards(), story)
    assert asyncio.run(cards.reached("dataset-resolution")) == len(story.facts)


def test_progress_tells_how_far_and_of_when() -> None:
    story = a_bit_of_everything()
    one = runner(ALL, story.facts, WatchedCards())
    asyncio.run(one.catch_up())
    for name in NAMES:
        reached = one.progress.reached(name)
        assert (reached.position, reached.at) == (len(story.facts), story.now)


@pytest.mark.parametrize("ahead", ALL, ids=NAMES)
def test_those_that_lag_behind_catch_up_with_one_that_is_ahead(ahead: Projection) -> None:
    """Which folds nothing twice: a rule that is gone by now does not come back."""
    story = a_bit_of_everything().remove_rule()
    cards = run(ahead, story)
    everything(story.evaluate(SignalStateEnum.OK, hour=10), cards=cards)
    assert [asyncio.run(cards.reached(name)) for name in NAMES] == [len(story.facts)] * 3
    assert cards.now() == everything(story).now()


# Redelivery.


@pytest.mark.parametrize("most", [1, 3, 1000])
def test_the_same_facts_again_change_nothing(most: int) -> None:
    """A second runner that believes it is the first."""
    story = a_bit_of_everything()
    cards = everything(story)
    before = cards.now()
    again = projection_runner(
        ALL, ListFeed(story.facts, most), cards, runner(ALL, [], cards).progress
    )
    for one in again.followers:
        one.position = 0
    while asyncio.run(again.step()):
        pass
    assert cards.now() == before
    assert [one.position for one in again.followers] == [len(story.facts)] * len(NAMES)


def test_a_stale_runner_brings_nothing_back() -> None:
    """A rule was added and removed while it stood still; the batch it reads goes beyond that."""
    story = registered()
    cards = WatchedCards()
    stale = runner([RuleCards()], story.facts, cards)
    asyncio.run(stale.resume())
    run(RuleCards(), story.add_rule("raw.a").remove_rule(), cards)
    story.retire()
    while asyncio.run(stale.step()):
        pass
    assert not [key for key in cards.now() if isinstance(key, TopicRuleKey)]


@pytest.mark.parametrize("most", [(1, 2), (2, 3), (3, 100), (1, 100)])
def test_two_runners_at_once_do_the_work_of_one(most: tuple[int, int]) -> None:
    story = a_bit_of_everything()
    cards = WatchedCards()

    async def race() -> None:
        await asyncio.gather(*(runner(ALL, story.facts, cards, m).catch_up() for m in most))

    asyncio.run(race())
    assert cards.now() == everything(story).now()


def test_a_restart_goes_on_where_it_stopped() -> None:
    story = registered().evaluate(SignalStateEnum.OK)
    cards = run(SignalCards(), story)
    cards.filings.clear()
    run(SignalCards(), story.evaluate(SignalStateEnum.CRITICAL, hour=1), cards)
    assert [upto for _, _, upto in cards.filings] == [len(story.facts)]
    assert cards.card(SignalKey(ORDERS, FRESHNESS)).version == 2


def test_a_restart_with_nothing_new_files_nothing() -> None:
    story = a_bit_of_everything()
    cards = everything(story)
    cards.filings.clear()
    everything(story, cards=cards)
    assert cards.filings == []


# Trouble.


@define
class FlakyCards(WatchedCards):
    """Cards that cannot be filed for one of the projections, a few times."""

    victim: str = ""
    failures: int = 0

    async def file(
        self, projection: str, changes: Mapping[Key, tuple[Card | None, int]], *, upto: int
    ) -> None:
        if projection == self.victim and self.failures:
            self.failures -= 1
            raise Unavailable("the tables", "of a test")
        await others_go_on(10)  # the others take longer than a failure
        await WatchedCards.file(self, projection, changes, upto=upto)


async def follow(one: Subscription, feed: ListFeed) -> None:
    """Let it run until it waits for more."""
    running, idle = asyncio.create_task(one.run()), asyncio.create_task(feed.idle.wait())
    await asyncio.wait([running, idle], return_when=asyncio.FIRST_COMPLETED)
    for task in (running, idle):
        task.cancel()
    with suppress(asyncio.CancelledError):
        await running


@pytest.mark.parametrize("victim", NAMES)
def test_what_is_unavailable_is_tried_again(victim: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backoff, "FIRST_PAUSE", 0)
    story = a_bit_of_everything()
    cards, feed, trouble = FlakyCards(victim=victim, failures=3), ListFeed(story.facts), list[Any]()
    one = projection_runner(ALL, feed, cards, runner(ALL, [], cards).progress, trouble.append)
    asyncio.run(follow(one, feed))
    assert [type(error) for error in trouble] == [Unavailable] * 3
    assert cards.now() == everything(story).now()


@pytest.mark.parametrize("victim", NAMES)
def test_the_others_go_on_without_one_that_cannot(
    victim: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long that takes, and however much is recorded meanwhile."""
    monkeypatch.setattr(backoff, "FIRST_PAUSE", 1e9)
    story = a_bit_of_everything()
    cards, feed = FlakyCards(victim=victim, failures=10**9), ListFeed(story.facts, 2)
    one = projection_runner(ALL, feed, cards, runner(ALL, [], cards).progress)
    asyncio.run(follow(one, feed))
    reached = {name: one.progress.reached(name).position for name in NAMES}
    assert reached == {name: 0 if name == victim else len(story.facts) for name in NAMES}
    assert one.progress.trouble_of(victim)
    assert [one.progress.trouble_of(name) for name in NAMES if name != victim] == [None, None]


def test_one_that_could_not_and_can_again_is_out_of_trouble(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(backoff, "FIRST_PAUSE", 0)
    cards, feed = FlakyCards(victim="dataset-registry", failures=2), ListFeed(registered().facts)
    one = projection_runner(ALL, feed, cards, runner(ALL, [], cards).progress)
    asyncio.run(follow(one, feed))
    assert one.progress.trouble is None
    assert one.progress.reached("dataset-registry").position == len(feed.facts)


@define
class LeasesToLose:
    lost: set[str] = field(factory=set)

    async def hold(self, name: str) -> bool:
        return name not in self.lost

    async def release(self, name: str) -> None: ...


def test_the_trouble_of_one_that_another_process_folds_is_not_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(backoff, "FIRST_PAUSE", 1e9)
    cards, feed = FlakyCards(victim="dataset-registry", failures=1), ListFeed(registered().facts)
    leases = LeasesToLose()
    one = projection_runner(ALL, feed, cards, runner(ALL, [], cards).progress, leases=leases)

    async def go() -> None:
        await follow(one, feed)
        assert one.progress.trouble_of("dataset-registry")
        leases.lost.add("projection/dataset-registry")
        await one.share()
        assert one.progress.trouble is None

    asyncio.run(go())


@pytest.mark.parametrize("victim", NAMES)
def test_when_one_projection_fails_none_is_left_at_work(victim: str) -> None:
    """Else it would file behind the back of the runner that starts over."""
    story = a_bit_of_everything()
    cards = FlakyCards(victim=victim, failures=1)
    one = runner(ALL, story.facts, cards)

    async def fail() -> set[str]:
        await one.resume()
        with pytest.raises(Unavailable):
            await one.step()
        return {projection for projection, _, _ in cards.filings}

    assert asyncio.run(fail()) == {name for name in NAMES if name != victim}


def test_other_errors_are_not_swallowed() -> None:
    class BrokenCards(WatchedCards):
        async def find(self, keys: Iterable[Key]) -> Mapping[Key, Filed]:
            raise LookupError("a row that cannot be read")

    feed = ListFeed(registered().facts)
    one = projection_runner(ALL, feed, BrokenCards(), runner(ALL, [], WatchedCards()).progress)
    with pytest.raises(LookupError):
        asyncio.run(follow(one, feed))


def test_it_follows_a_growing_log() -> None:
    story = registered()
    cards, feed = WatchedCards(), ListFeed(story.facts)
    one = projection_runner(ALL, feed, cards, runner(ALL, [], cards).progress)

    async def grow() -> None:
        await follow(one, feed)
        story.evaluate(SignalStateEnum.CRITICAL)
        feed.idle.clear()
        await follow(one, feed)

    asyncio.run(grow())
    assert cards.card(SignalKey(ORDERS, FRESHNESS)).state is SignalStateEnum.CRITICAL
