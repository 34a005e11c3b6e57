"""The runner far behind: nothing is read twice, and what is too much at once is filed in parts."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence

import pytest
from attrs import define, field

from application.projections.datasets import DatasetCards
from application.projections.progress import Progress
from application.projections.runner import projection_runner
from application.projections.signals import SignalCards
from application.projections.view_store import Card, Filed, Key, TooMuchAtOnce
from application.recorded import Recorded
from application.subscriptions.batches import BATCH
from domain.ids import DatasetUrn
from tests.application.projections.story import ListFeed, Story, WatchedCards, registered, runner

REGISTERED = 3 * BATCH


@define
class CountingFeed(ListFeed):
    read_by_now: list[int] = field(factory=list)

    async def read(self, after: int, limit: int) -> Sequence[Recorded]:
        facts = await super().read(after, limit)
        self.read_by_now += [fact.position for fact in facts]
        return facts


@define
class SmallCards(WatchedCards):
    """Takes only so many cards at once, and counts what is looked up and refused."""

    most: int = REGISTERED
    looked_up: list[Key] = field(factory=list)
    refused: int = 0

    async def find(self, keys: Iterable[Key]) -> Mapping[Key, Filed]:
        wanted = list(keys)
        self.looked_up += wanted
        return await super().find(wanted)

    async def file(
        self, projection: str, changes: Mapping[Key, tuple[Card | None, int]], *, upto: int
    ) -> None:
        if len(changes) > self.most:
            self.refused += 1
            raise TooMuchAtOnce(len(changes))
        await super().file(projection, changes, upto=upto)


def many_datasets() -> Story:
    story = Story()
    for number in range(REGISTERED):
        story.register(DatasetUrn(f"urn:dp:d:n{number}:v1"))
    return story


def test_no_fact_is_read_twice_although_one_projection_takes_fewer_at_once() -> None:
    story = many_datasets()
    feed, cards = CountingFeed(story.facts), WatchedCards()
    one = projection_runner([SignalCards(), DatasetCards()], feed, cards, Progress(), most_filed=50)
    asyncio.run(one.catch_up())
    assert feed.read_by_now == [fact.position for fact in story.facts]
    assert len(cards.now()) == 2 * REGISTERED


def test_what_was_kept_is_read_anew_after_a_rest() -> None:
    """Somebody may have been erased meanwhile."""

    async def scene() -> list[int]:
        feed = CountingFeed(many_datasets().facts)
        one = projection_runner([DatasetCards()], feed, WatchedCards(), Progress(), most_filed=50)
        await one.resume()
        await one.step()
        async with one.at_rest():
            pass
        feed.read_by_now.clear()
        await one.step()
        return feed.read_by_now

    assert asyncio.run(scene())[0] == 51


def test_cards_that_only_were_found_are_not_looked_up_again() -> None:
    story, cards = registered(), SmallCards()
    for hour in range(4 * BATCH):
        story.evaluate(hour=hour)
    asyncio.run(runner([SignalCards()], story.facts, cards).catch_up())
    assert len(cards.filings) > 2
    assert len(cards.looked_up) == len(set(cards.looked_up)) == 2


def test_what_is_too_much_at_once_is_filed_in_parts() -> None:
    story, cards = many_datasets(), SmallCards(most=99)
    asyncio.run(runner([DatasetCards()], story.facts, cards).catch_up())
    assert len(cards.now()) == REGISTERED
    assert max(len(changes) for _, changes, _ in cards.filings) <= 99
    assert cards.refused <= len(cards.filings) + 3


def test_a_fact_that_is_too_much_by_itself_is_told() -> None:
    story = registered().evaluate().reconfigure(owner_team="another")
    cards = SmallCards(most=1)
    with pytest.raises(TooMuchAtOnce):
        asyncio.run(runner([SignalCards()], story.facts, cards).catch_up())
    assert asyncio.run(cards.reached("signal-state")) == len(story.facts) - 1
