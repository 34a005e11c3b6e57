"""What every kind of shared leases promises."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from adapters.memory.leases import OwnLeases
from tests.adapters.leases.boards import KINDS, MANNERS, Office

Play = Callable[[Callable[[Office], Awaitable[None]]], None]
WORKS = [f"work/{number}" for number in range(6)]


@pytest.fixture(params=KINDS)
def play(request: pytest.FixtureRequest) -> Play:
    def played(story: Callable[[Office], Awaitable[None]]) -> None:
        async def scene() -> None:
            async with KINDS[request.param]() as office:
                await story(office)

        asyncio.run(scene())

    return played


async def at_work(office: Office, seconds: float) -> dict[str, set[str]]:
    """Every process keeps asking for all the work; who holds what in the end."""
    held: dict[str, set[str]] = {}
    for _ in range(round(seconds)):
        office.time += 1.0
        for name, leases in office.processes.items():
            held[name] = {work for work in WORKS if await leases.hold(work)}
    return held


def test_one_holds_it(play: Play) -> None:
    async def story(office: Office) -> None:
        a, b = office.process("a"), office.process("b")
        assert await a.hold("x")
        assert not await b.hold("x")
        assert await b.hold("y")
        assert await a.hold("x")

    play(story)


def test_of_many_who_ask_at_once_one_gets_it(play: Play) -> None:
    async def story(office: Office) -> None:
        processes = [office.process(str(number)) for number in range(8)]
        assert sum(await asyncio.gather(*(one.hold("x") for one in processes))) == 1

    play(story)


def test_what_is_renewed_in_time_is_kept(play: Play) -> None:
    async def story(office: Office) -> None:
        a, b = office.process("a"), office.process("b")
        for _ in range(30):
            assert await a.hold("x")
            assert not await b.hold("x")
            office.time += 1.0

    play(story)


def test_a_holder_that_stops_renewing_loses_it(play: Play) -> None:
    async def story(office: Office) -> None:
        a, b = office.process("a"), office.process("b")
        assert await a.hold("x")
        assert not await b.hold("x")
        office.time += MANNERS.lasts - 0.1
        assert not await b.hold("x")
        office.time += MANNERS.look
        assert await b.hold("x")
        # Who was taken for gone finds out as soon as it asks.
        assert not await a.hold("x")
        assert await b.hold("x")

    play(story)


def test_a_release_hands_over_at_once(play: Play) -> None:
    async def story(office: Office) -> None:
        a, b = office.process("a"), office.process("b")
        assert await a.hold("x")
        await a.release("x")
        assert await b.hold("x")
        assert not await a.hold("x")

    play(story)


def test_a_release_of_what_is_not_ours_changes_nothing(play: Play) -> None:
    async def story(office: Office) -> None:
        a, b, c = (office.process(name) for name in "abc")
        assert await a.hold("x")
        await b.release("x")
        assert not await c.hold("x")
        office.time += MANNERS.lasts + 1
        assert not await b.hold("x")
        office.time += MANNERS.lasts
        assert await b.hold("x")
        await a.release("x")
        assert not await c.hold("x")

    play(story)


def test_asking_again_and_again_costs_little(play: Play) -> None:
    async def story(office: Office) -> None:
        a, b = office.process("a"), office.process("b")
        for _ in range(1_000):
            await a.hold("x")
            await b.hold("x")
            office.time += 0.02
        # 20 seconds: a renewal every two, a look every one.
        assert office.board.writes <= 11
        assert office.board.reads <= 22

    play(story)


def test_who_comes_later_gets_a_fair_share(play: Play) -> None:
    async def story(office: Office) -> None:
        office.process("a")
        assert await at_work(office, 1) == {"a": set(WORKS)}
        office.process("b")
        held = await at_work(office, 15)
        assert {name: len(works) for name, works in held.items()} == {"a": 3, "b": 3}
        assert held["a"] | held["b"] == set(WORKS)
        office.process("c")
        held = await at_work(office, 15)
        assert [len(works) for works in held.values()] == [2, 2, 2]
        assert set.union(*held.values()) == set(WORKS)

    play(story)


def test_what_is_shared_fairly_stays_where_it_is(play: Play) -> None:
    async def story(office: Office) -> None:
        for name in "abcd":
            office.process(name)
        before = await at_work(office, 30)
        assert sorted(len(works) for works in before.values()) == [1, 1, 2, 2]
        assert await at_work(office, 30) == before

    play(story)


def test_the_work_of_one_that_is_gone_is_taken_over(play: Play) -> None:
    async def story(office: Office) -> None:
        for name in "ab":
            office.process(name)
        await at_work(office, 15)
        del office.processes["b"]
        held = await at_work(office, round(MANNERS.lasts + MANNERS.look) + 1)
        assert held == {"a": set(WORKS)}

    play(story)


def test_no_work_is_ever_held_by_two_who_ask_in_time(play: Play) -> None:
    async def story(office: Office) -> None:
        for name in "abc":
            office.process(name)
            for _ in range(5):
                held = await at_work(office, 1)
                assert sum(len(works) for works in held.values()) == len(
                    set().union(*held.values())
                )

    play(story)


def test_a_process_that_is_alone_holds_everything() -> None:
    async def story() -> None:
        alone = OwnLeases()
        assert await alone.hold("x")
        await alone.release("x")
        assert await alone.hold("x")

    asyncio.run(story())
