"""Facts that a projection cannot take are set aside, for it alone; everything else goes on."""

import asyncio
from collections.abc import Iterable

import pytest
from attrs import evolve, frozen

from application.errors import Unavailable
from application.projections.datasets import DatasetCards
from application.projections.progress import Progress
from application.projections.projection import Changes, Projection, View
from application.projections.quarantined_facts import SetAside, SetAsideBy
from application.projections.resolution_rules import RuleCards
from application.projections.runner import projection_runner
from application.projections.signals import SIGNAL_BOARD, SignalCards
from application.projections.view_store import Key
from application.recorded import Recorded, Unreadable
from application.signals.read_model import SignalKey
from domain.dataset.config import Reconfigured
from domain.dataset.tier import Tier
from domain.signal.evaluation import SignalStateEnum
from domain.signal.signal import Evaluated
from tests.application.projections.story import (
    FRESHNESS,
    ORDERS,
    ListFeed,
    Story,
    WatchedCards,
    registered,
)

NAMES = (SIGNAL_BOARD, "dataset-registry", "dataset-resolution")


@frozen
class Picky(SignalCards):
    """Signals that do not get along with one position, and fail halfway through it."""

    poison: int = 0

    def after(self, view: View, recorded: Recorded) -> Changes:
        yield from SignalCards.after(self, view, recorded)
        if recorded.position == self.poison:
            raise ZeroDivisionError("no such share")


@frozen
class Clueless(SignalCards):
    """Signals that cannot tell what one position concerns."""

    poison: int = 0

    def keys(self, recorded: Recorded) -> Iterable[Key]:
        if recorded.position == self.poison:
            raise ZeroDivisionError("no such share")
        return SignalCards.keys(self, recorded)


def folded(
    story: Story, signals: Projection, most: int = 1000
) -> tuple[WatchedCards, list[SetAside]]:
    cards, told = WatchedCards(), list[SetAside]()
    one = projection_runner(
        (signals, DatasetCards(), RuleCards()),
        ListFeed(story.facts, most),
        cards,
        Progress(),
        on_set_aside=told.append,
    )
    asyncio.run(one.catch_up())
    return cards, told


def aside(cards: WatchedCards, projection: str) -> list[SetAside]:
    found = asyncio.run(cards.group(SetAsideBy(projection)))
    return [filed.card for filed in found.values()]


def eventful() -> Story:
    story = registered().evaluate(SignalStateEnum.OK).evaluate(SignalStateEnum.CRITICAL, hour=1)
    return story.reconfigure(tier=Tier.TIER_1).evaluate(SignalStateEnum.OK, hour=2)


@pytest.mark.parametrize("most", [1, 2, 1000])
@pytest.mark.parametrize("kind", [Picky, Clueless])
def test_it_is_kept_with_its_place_and_reason(kind: type[Picky | Clueless], most: int) -> None:
    story = eventful()
    bad = next(one for one in story.facts if isinstance(one.fact, Reconfigured))
    cards, told = folded(story, kind(poison=bad.position), most)
    (found,) = aside(cards, SIGNAL_BOARD)
    assert found == SetAside(
        projection=SIGNAL_BOARD,
        position=bad.position,
        event_id=bad.event_id.hex(),
        recorded_at=bad.at,
        reason="ZeroDivisionError: no such share",
    )
    assert told == [found]


@pytest.mark.parametrize("kind", [Picky, Clueless])
def test_the_cards_are_as_if_it_had_never_been(kind: type[Picky | Clueless]) -> None:
    story = eventful()
    bad = next(one for one in story.facts if isinstance(one.fact, Reconfigured))
    cards, _ = folded(story, kind(poison=bad.position))
    card = cards.card(SignalKey(ORDERS, FRESHNESS))
    assert (card.tier, card.state, card.version) == (Tier.TIER_2, SignalStateEnum.OK, 3)


def test_the_others_take_it_and_all_go_on() -> None:
    story = eventful()
    bad = next(one for one in story.facts if isinstance(one.fact, Reconfigured))
    cards, _ = folded(story, Picky(poison=bad.position))
    for name in NAMES:
        assert asyncio.run(cards.reached(name)) == len(story.facts)
    assert [aside(cards, name) for name in NAMES[1:]] == [[], []]


def test_what_follows_from_a_missing_fact_is_set_aside_too() -> None:
    """An evaluation of a dataset of which nothing is known."""
    story = Story().evaluate()
    story.register(ORDERS, tier=Tier.TIER_1).evaluate(SignalStateEnum.CRITICAL, hour=1)
    cards, told = folded(story, SignalCards())
    assert [one.position for one in told] == [2]
    assert told[0].reason.startswith("AttributeError")
    assert cards.card(SignalKey(ORDERS, FRESHNESS)).state is SignalStateEnum.CRITICAL


def test_what_cannot_be_read_is_set_aside_by_all() -> None:
    story = eventful()
    at = next(n for n, one in enumerate(story.facts) if isinstance(one.fact, Evaluated))
    story.facts[at] = evolve(story.facts[at], fact=Unreadable("signal.renamed", "no such name"))
    cards, _ = folded(story, SignalCards())
    for name in NAMES:
        (found,) = aside(cards, name)
        assert found.reason == "NotUnderstood: signal.renamed: no such name"
    assert cards.card(SignalKey(ORDERS, FRESHNESS)).version == 3


def test_it_is_told_once() -> None:
    story = eventful()
    cards, told = folded(story, Picky(poison=3))
    again = projection_runner(
        (Picky(poison=3),), ListFeed(story.facts), cards, Progress(), on_set_aside=told.append
    )
    asyncio.run(again.catch_up())
    assert len(told) == 1


def test_trouble_that_passes_sets_nothing_aside() -> None:
    class AwayCards(WatchedCards):
        async def reached(self, projection: str) -> int:
            raise Unavailable("the tables", "of a test")

    cards = AwayCards()
    one = projection_runner((SignalCards(),), ListFeed(eventful().facts), cards, Progress())
    one.followers[0].position = 0
    with pytest.raises(Unavailable):
        asyncio.run(one.step())
    assert aside(cards, SIGNAL_BOARD) == []
