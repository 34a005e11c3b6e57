"""Waiting for projections, and being called because somebody waits."""

import asyncio

import pytest

from application.projections.progress import Progress, Reached
from tests.support.event_loop_turns import others_go_on

FOREVER = 3600.0


def test_who_waits_is_told_when_the_position_is_reached() -> None:
    async def story() -> None:
        progress = Progress()
        waiting = asyncio.create_task(progress.wait("p", 5, timeout=FOREVER))
        await others_go_on()
        progress.moved("p", Reached(4))
        await others_go_on()
        assert not waiting.done()
        progress.moved("p", Reached(5))
        assert await waiting

    asyncio.run(story())


def test_nobody_waits_for_what_was_reached_or_for_ever() -> None:
    async def story() -> None:
        progress = Progress()
        progress.moved("p", Reached(5))
        assert await progress.wait("p", 5, timeout=0)
        assert not await progress.wait("p", 6, timeout=0)
        assert not await progress.wait("other", 1, timeout=0)

    asyncio.run(story())


def test_projections_that_rest_are_called_as_soon_as_somebody_waits() -> None:
    async def story() -> None:
        progress = Progress()
        resting = asyncio.create_task(progress.called(["p"], timeout=FOREVER))
        await others_go_on()
        waiting = asyncio.create_task(progress.wait("p", 1, timeout=FOREVER))
        await resting
        await progress.called(["p"], timeout=FOREVER)
        progress.moved("p", Reached(1))
        assert await waiting
        await progress.called(["p"], timeout=0)

    asyncio.run(story())


def test_who_waits_for_another_projection_calls_nobody() -> None:
    async def story() -> None:
        progress = Progress()
        waiting = asyncio.create_task(progress.wait("other", 1, timeout=FOREVER))
        resting = asyncio.create_task(progress.called(["p"], timeout=FOREVER))
        await others_go_on(5)
        assert not resting.done()
        assert progress.waited_for(["p", "other"]) == ["other"]
        also = asyncio.create_task(progress.wait("p", 1, timeout=FOREVER))
        await resting
        for one in (waiting, also):
            one.cancel()
        await asyncio.gather(waiting, also, return_exceptions=True)

    asyncio.run(story())


@pytest.mark.parametrize("later", range(4))
def test_whoever_is_called_and_cancelled_at_once_ends(later: int) -> None:
    async def story() -> None:
        progress = Progress()

        async def rest() -> None:
            while True:
                await progress.called(["p"], timeout=FOREVER)
                await others_go_on()

        resting = asyncio.create_task(rest())
        await others_go_on()
        await progress.wait("p", 1, timeout=0)
        await others_go_on(later)
        resting.cancel()
        await asyncio.wait([resting], timeout=5)
        assert resting.cancelled()

    asyncio.run(story())
