"""Several processes share the projections: none is folded twice, none is left alone."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

from adapters.dynamodb.items.item_table import ItemTable
from adapters.dynamodb.log.keys import Keys
from adapters.dynamodb.log_records.leases import DynamoLeaseBoard
from adapters.eventstore.sealing.seals import Seals
from adapters.memory.keys import MemoryKeys
from adapters.memory.leases import MemoryLeaseBoard
from adapters.read_models.view_store import TableCards
from adapters.sqlite.connection.database import Database
from adapters.sqlite.rows.engine import SqliteEngine
from application.projections.datasets import DatasetCards
from application.projections.incidents import IncidentCards
from application.projections.lineage import LineageCards
from application.projections.progress import Progress
from application.projections.resolution_rules import RuleCards
from application.projections.runner import projection_runner
from application.projections.signals import SignalCards
from application.projections.view_store import Card, Key
from domain.dataset.tier import Tier
from domain.signal.evaluation import SignalStateEnum
from tests.adapters.dynamodb.log.logs import retrying, sends_once, shared_table
from tests.adapters.dynamodb.support import dynamodb_local
from tests.application.projections.sharing import MANNERS, Workshop
from tests.application.projections.story import (
    ListFeed,
    Story,
    WatchedCards,
    registered,
    runner,
)

ALL = (SignalCards(), DatasetCards(), RuleCards(), LineageCards(), IncidentCards())
NAMES = {projection.name for projection in ALL}


@asynccontextmanager
async def memory(folder: Path) -> AsyncIterator[Workshop]:
    yield Workshop(ALL, ListFeed([], 3), WatchedCards())


@asynccontextmanager
async def sqlite(folder: Path) -> AsyncIterator[Workshop]:
    with Database.open(folder / "tables.db") as database:
        cards = TableCards(SqliteEngine(database), Seals(MemoryKeys()))
        yield Workshop(ALL, ListFeed([], 3), WatchedCards(cards))


@asynccontextmanager
async def dynamodb(folder: Path) -> AsyncIterator[Workshop]:
    """Leases on DynamoDB."""
    transport = retrying(sends_once())
    keys = Keys(dynamodb_local.unused_table("sharing"))
    board = DynamoLeaseBoard(ItemTable(transport, shared_table()), keys)
    try:
        yield Workshop(ALL, ListFeed([], 3), WatchedCards(), board)
    finally:
        await transport.close()


KINDS: dict[str, Callable[[Path], AbstractAsyncContextManager[Workshop]]] = {
    "memory": memory,
    "sqlite": sqlite,
    "dynamodb": dynamodb,
}


Scene = Callable[[Workshop], Awaitable[None]]
Play = Callable[[Scene], None]


@pytest.fixture(params=KINDS)
def play(request: pytest.FixtureRequest, tmp_path: Path) -> Play:
    def played(story: Scene) -> None:
        async def scene() -> None:
            async with KINDS[request.param](tmp_path) as workshop:
                await story(workshop)

        asyncio.run(scene())

    return played


def told(story: Story, hour: int) -> Story:
    """Some more of everything."""
    for state in (SignalStateEnum.OK, SignalStateEnum.CRITICAL, SignalStateEnum.WARNING):
        story.evaluate(state, hour=hour)
    return story.reconfigure(tier=Tier.TIER_1 if hour % 2 else Tier.TIER_3)


async def rows(cards: WatchedCards) -> Mapping[Key, Any]:
    return await cards.cards.find({key for _, changes, _ in cards.filings for key in changes})


async def expected(story: Story) -> Mapping[Key, Any]:
    cards = WatchedCards()
    await runner(ALL, story.facts, cards).catch_up()
    return await rows(cards)


def test_each_fact_is_folded_once_for_each_projection(play: Play) -> None:
    async def scene(shop: Workshop) -> None:
        story = registered()
        shop.feed.facts = story.facts
        here, there, processes = shop.process("here"), shop.process("there"), []
        for number in range(1, 25):
            told(story, number)
            processes = [here, there] if number > 4 else [here]
            await shop.work(processes, seconds=1)
        await shop.work(processes, seconds=12)
        assert here.holds | there.holds == NAMES
        assert not here.holds & there.holds
        assert {len(here.holds), len(there.holds)} == {2, 3}
        for name in NAMES:
            filed = [upto for projection, _, upto in shop.cards.filings if projection == name]
            assert filed == sorted(set(filed))
        assert await rows(shop.cards) == await expected(story)

    play(scene)


def test_the_work_of_a_process_that_dies_is_taken_over(play: Play) -> None:
    async def scene(shop: Workshop) -> None:
        story = registered()
        shop.feed.facts = story.facts
        here, there = shop.process("here"), shop.process("there")
        await shop.work([here, there], seconds=15)
        told(story, 1)
        await shop.work([there], seconds=round(MANNERS.lasts + MANNERS.look) + 3)
        assert there.holds == NAMES
        assert await rows(shop.cards) == await expected(story)

    play(scene)


def test_one_that_was_thought_dead_harms_nobody(play: Play) -> None:
    """It goes on in the middle of a batch, with what it knew before it stood still."""

    async def scene(shop: Workshop) -> None:
        story = registered().add_rule("raw.a")
        shop.feed.facts = story.facts
        slow = SleepyCards(shop.cards)
        slow.awake.set()
        sleeper, other = shop.process("sleeper", slow), shop.process("other")
        assert await sleeper.turn()
        told(story.remove_rule(), 1)
        slow.awake.clear()
        slow.fell_asleep.clear()
        sleeping = asyncio.create_task(sleeper.turn())
        await slow.fell_asleep.wait()
        await shop.work([other], seconds=12)
        assert other.holds == NAMES
        slow.awake.set()
        await sleeping
        await shop.work([sleeper, other], seconds=3)
        assert await rows(shop.cards) == await expected(story)

    play(scene)


@define
class SleepyCards:
    """Cards with which a process can be stopped just before it files."""

    inner: WatchedCards
    awake: asyncio.Event = field(factory=asyncio.Event)
    fell_asleep: asyncio.Event = field(factory=asyncio.Event)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def file(
        self, projection: str, changes: Mapping[Key, tuple[Card | None, int]], *, upto: int
    ) -> None:
        self.fell_asleep.set()
        await self.awake.wait()
        await self.inner.file(projection, changes, upto=upto)


def test_a_process_that_ends_hands_over_at_once(play: Play) -> None:
    async def scene(shop: Workshop) -> None:
        shop.feed.facts = registered().facts
        here, there = shop.process("here"), shop.process("there")
        running = asyncio.create_task(here.runner.run())
        await shop.feed.idle.wait()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await there.runner.share()
        assert (here.holds, there.holds) == (set(), NAMES)

    play(scene)


class Killed(BaseException):
    """Nobody catches it, as nobody catches a kill."""


@define
class FusedCards:
    """Cards with which a process is killed before or after it has filed so often."""

    inner: WatchedCards
    left: int

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def file(
        self, projection: str, changes: Mapping[Key, tuple[Card | None, int]], *, upto: int
    ) -> None:
        self._burn()
        await self.inner.file(projection, changes, upto=upto)
        self._burn()

    def _burn(self) -> None:
        if self.left == 0:
            raise Killed
        self.left -= 1


def test_a_kill_at_any_point_changes_nothing() -> None:
    """Another process takes over, and the rows end up as if nobody had died."""
    story = told(told(registered().add_rule("raw.a"), 1).remove_rule(), 2)

    async def scene(place: int) -> bool:
        shop = Workshop(ALL, ListFeed(story.facts, 3), WatchedCards(), MemoryLeaseBoard())
        dies = shop.process("dies", FusedCards(shop.cards, place))
        was_killed = False
        try:
            while await dies.turn():
                pass
        except Killed:
            was_killed = True
        other = shop.process("other")
        await shop.work([other], seconds=12)
        assert other.holds == NAMES
        assert await rows(shop.cards) == await expected(story), f"killed at {place}"
        return was_killed

    places = next(place for place in count() if not asyncio.run(scene(place)))
    assert places > 20


def test_redelivered_batches_lead_to_the_same_rows() -> None:
    """Two without leases, each folding everything, in batches of other sizes."""
    story = told(told(registered().add_rule("raw.a"), 1).remove_rule(), 2)

    async def scene() -> None:
        cards = WatchedCards()
        runners = [
            projection_runner(ALL, ListFeed(story.facts, n), cards, Progress()) for n in (2, 5)
        ]
        for one in runners:
            await one.resume()
        for _ in range(len(story.facts)):
            await asyncio.gather(*(one.step() for one in runners))
        assert await rows(cards) == await expected(story)

    asyncio.run(scene())
