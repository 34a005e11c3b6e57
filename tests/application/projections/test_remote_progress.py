"""Reads can wait on any process, also for what another one folds."""

import asyncio
from collections import Counter
from collections.abc import Collection
from contextlib import asynccontextmanager
from typing import Any

import pytest
from attrs import define, field

from application.caller import Caller
from application.errors import Unavailable
from application.projections import remote_progress as watcher_module
from application.projections.datasets import DatasetCards
from application.projections.progress import Progress, Reached
from application.projections.remote_progress import Watcher
from application.projections.signals import SIGNAL_BOARD, SignalCards
from application.reads.read_your_writes import OwnWrites
from tests.application.projections.sharing import Workshop
from tests.application.projections.story import ListFeed, WatchedCards, registered
from tests.support.event_loop_turns import others_go_on

FOREVER = 3600.0
PATIENCE = 30.0


@define
class CountedCards:
    """Cards of which only the progress is asked."""

    at: dict[str, int] = field(factory=dict)
    asked: Counter[str] = field(factory=Counter)
    away: bool = False

    async def reached(self, projection: str) -> int:
        if self.away:
            raise Unavailable("the tables", "of a test")
        self.asked[projection] += 1
        return self.at.get(projection, 0)


def watcher(cards: Any, here: Collection[str] = ()) -> Watcher:
    return Watcher(["a", "b"], cards, Progress(), lambda: here)


@asynccontextmanager
async def running(one: Any) -> Any:
    task = asyncio.create_task(one.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def test_who_waits_is_told_how_far_another_process_is() -> None:
    async def story() -> None:
        cards = CountedCards()
        one = watcher(cards)
        async with running(one):
            waiting = asyncio.create_task(one.progress.wait("a", 5, timeout=PATIENCE))
            cards.at["a"] = 4
            assert await one.progress.wait("a", 4, timeout=PATIENCE)
            assert not waiting.done()
            cards.at["a"] = 5
            assert await waiting

    asyncio.run(story())


def test_what_is_folded_here_is_never_asked() -> None:
    async def story() -> None:
        cards = CountedCards({"a": 1, "b": 2})
        one = watcher(cards, here=["a"])
        one.progress.moved("a", Reached(7))
        await one.look()
        assert cards.asked == {"b": 1}
        assert [one.progress.reached(name).position for name in "ab"] == [7, 2]

    asyncio.run(story())


def test_what_is_folded_here_by_now_is_not_set_back() -> None:
    """It was taken over while its progress was being read."""

    async def story() -> None:
        here: list[str] = []

        class Slow(CountedCards):
            async def reached(self, projection: str) -> int:
                here.append(projection)
                return 3

        one = watcher(Slow(), here)
        one.progress.moved("a", Reached(7))
        await one.look()
        assert one.progress.reached("a").position == 7

    asyncio.run(story())


def test_nobody_waiting_it_looks_once_and_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watcher_module, "RARELY", FOREVER)

    async def story() -> None:
        cards = CountedCards()
        one = watcher(cards)
        async with running(one):
            await others_go_on(50)
            assert cards.asked == {"a": 1, "b": 1}
            # Somebody waits: only that one is looked at, until it is reached.
            cards.at["b"] = 1
            assert await one.progress.wait("b", 1, timeout=PATIENCE)
            assert cards.asked["a"] == 1
            assert cards.asked["b"] > 1

    asyncio.run(story())


def test_tables_that_do_not_answer_are_asked_again() -> None:
    async def story() -> None:
        cards = CountedCards(away=True)
        one, failed = watcher(cards), asyncio.Event()
        one.on_trouble = lambda error: failed.set()
        async with running(one):
            await failed.wait()
            assert "unavailable" in str(one.progress.trouble)
            cards.away, cards.at = False, {"a": 1}
            assert await one.progress.wait("a", 1, timeout=PATIENCE)

    asyncio.run(story())


def test_a_process_that_folds_nothing_reads_what_was_written() -> None:
    """Both run as they do in life; the second never gets a lease."""

    async def story() -> None:
        told = registered()
        shop = Workshop((SignalCards(), DatasetCards()), ListFeed(told.facts), WatchedCards())
        here, there = shop.process("here"), shop.process("there")
        await here.turn()
        own, caller = OwnWrites(there.watcher.progress, patience=PATIENCE), Caller("jane")
        async with running(there.runner), running(there.watcher):
            told.evaluate()
            own.wrote(caller, len(told.facts), ())
            reading = asyncio.create_task(own.settle(caller, SIGNAL_BOARD))
            await others_go_on()
            assert not reading.done()
            while await here.turn():
                pass
            settled = await reading
            assert settled.reached.position == len(told.facts)
            assert there.holds == set()

    asyncio.run(story())
