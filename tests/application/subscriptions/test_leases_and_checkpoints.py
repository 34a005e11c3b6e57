"""Of several processes one handles the facts, and the next goes on from the stored checkpoint."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from attrs import define, field

from application.errors import OutcomeUnknown
from application.projections.progress import Progress
from application.recorded import Recorded
from application.subscriptions import checkpoints, lease
from application.subscriptions.handler import Settled
from tests.application.subscriptions.handlers import (
    KEY,
    Bench,
    Granted,
    GrowingLog,
    ScriptedHandler,
    facts,
)
from tests.application.subscriptions.test_subscription import running
from tests.support.event_loop_turns import others_go_on

PATIENCE = 30.0


def test_one_without_the_lease_stands_by_and_shows_how_far_the_other_is() -> None:
    async def story() -> None:
        leases, handler = Granted(elsewhere=True), ScriptedHandler()
        bench = Bench(GrowingLog(facts(3)), leases=leases)
        subscription = bench.subscribe(handler)
        await bench.cards.file(KEY, {}, upto=2)
        assert not await subscription.turn()
        assert (handler.handled, bench.progress.reached("scripted").position) == ([], 2)
        leases.elsewhere = False
        assert await subscription.turn()
        assert handler.handled == [[3]]

    asyncio.run(story())


def test_one_that_lost_the_lease_begins_again_where_the_other_ended() -> None:
    async def story() -> None:
        leases, handler = Granted(), ScriptedHandler()
        bench = Bench(GrowingLog(facts(2)), leases=leases)
        subscription = bench.subscribe(handler)
        await subscription.turn()
        leases.elsewhere = True
        await subscription.turn()
        bench.log.grow(facts(6))
        await bench.cards.file(KEY, {}, upto=5)
        leases.elsewhere = False
        await subscription.turn()
        assert (handler.handled, handler.began) == ([[1, 2], [6]], [None, 5])

    asyncio.run(story())


def test_a_lease_that_cannot_be_asked_for_is_trouble() -> None:
    leases = Granted(trouble=True)
    bench, handler = Bench(GrowingLog(facts(1)), leases=leases), ScriptedHandler()

    async def story() -> None:
        async with running(bench.subscribe(handler)):
            while not bench.troubles:
                await others_go_on()
        assert handler.handled == []
        assert bench.progress.trouble == "scripted: the lease is unavailable: of a test"

    asyncio.run(story())


@define
class Renewed(Granted):
    held: int = 0
    again: asyncio.Event = field(factory=asyncio.Event)

    async def hold(self, name: str) -> bool:
        self.held += 1
        if self.held > 1:
            self.again.set()
        return True


def test_a_lease_is_renewed_while_another_system_takes_its_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lease, "RENEWED_EVERY", 0)

    class Slow(ScriptedHandler):
        async def handle(self, facts: Sequence[Recorded]) -> Settled | None:
            async with asyncio.timeout(PATIENCE):
                await leases.again.wait()
            return await super().handle(facts)

    leases, handler = Renewed(), Slow()
    subscription = Bench(GrowingLog(facts(1)), leases=leases).subscribe(handler, renews=True)
    assert asyncio.run(subscription.turn())
    assert handler.handled == [[1]]


def test_a_handler_that_hangs_otherwise_loses_its_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "RENEWED_EVERY", 0)

    class Hangs(ScriptedHandler):
        async def handle(self, facts: Sequence[Recorded]) -> Settled | None:
            await others_go_on(100)
            return await super().handle(facts)

    leases = Renewed()
    asyncio.run(Bench(GrowingLog(facts(1)), leases=leases).subscribe(Hangs()).turn())
    assert leases.held == 1


def test_one_that_is_stopped_stores_its_checkpoint_and_releases_the_lease() -> None:
    async def story() -> None:
        leases, handler = Granted(), ScriptedHandler()
        bench = Bench(GrowingLog(facts(2)), leases=leases)
        async with running(bench.subscribe(handler)):
            await bench.log.idle.wait()
            bench.log.grow(facts(4))
            assert await bench.progress.wait("scripted", 4, timeout=PATIENCE)
            assert await bench.stored() == 2, "a small step is not stored at once"
        assert await bench.stored() == 4
        assert leases.released == [KEY]
        await bench.subscribe(handler).turn()
        assert handler.began == [None, 4]

    asyncio.run(story())


def test_a_checkpoint_that_cannot_be_stored_keeps_no_lease() -> None:
    @define
    class Unstored:
        cards: Any
        away: bool = False

        def __getattr__(self, name: str) -> Any:
            return getattr(self.cards, name)

        async def file(self, *filed: Any, **more: Any) -> None:
            if self.away:
                raise OutcomeUnknown("the tables", "they do not answer")
            await self.cards.file(*filed, **more)

    async def story() -> None:
        leases = Granted()
        cards = Unstored(Bench().cards)
        bench = Bench(GrowingLog(facts(2)), cards, leases)
        async with running(bench.subscribe(ScriptedHandler())):
            await bench.log.idle.wait()
            cards.away = True
            bench.log.grow(facts(3))
            assert await bench.progress.wait("scripted", 3, timeout=PATIENCE)
        assert leases.released == [KEY]

    asyncio.run(story())


@pytest.mark.parametrize(("seconds", "stored"), [(0.0, 3), (3600.0, 2)])
def test_a_checkpoint_is_stored_now_and_then(seconds: float, stored: int) -> None:
    async def story() -> None:
        bench = Bench(GrowingLog(facts(2)), stored_after=seconds)
        subscription = bench.subscribe(ScriptedHandler())
        await subscription.turn()
        bench.log.grow(facts(3))
        await subscription.turn()
        assert await bench.stored() == stored

    asyncio.run(story())


def test_a_checkpoint_that_is_far_behind_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "STORED_EVERY", 2)

    async def story() -> list[int]:
        bench, stored = Bench(GrowingLog(facts(1))), list[int]()
        subscription = bench.subscribe(ScriptedHandler())
        for count in (1, 2, 3, 4):
            bench.log.grow(facts(count))
            await subscription.turn()
            stored.append(await bench.stored())
        return stored

    assert asyncio.run(story()) == [1, 1, 3, 3]


def test_a_position_is_stored_later_even_if_nothing_more_is_recorded() -> None:
    async def story() -> None:
        bench = Bench(GrowingLog(facts(1)))
        subscription = bench.subscribe(ScriptedHandler())
        await subscription.turn()
        bench.log.grow(facts(2))
        await subscription.turn()
        assert await bench.stored() == 1
        checkpoint = subscription.followers[0].checkpoint
        assert checkpoint is not None
        checkpoint.stored_after = 0.0
        assert not await subscription.turn()
        assert await bench.stored() == 2

    asyncio.run(story())


def test_where_a_new_handler_begins_is_stored_before_it_handles_anything() -> None:
    """Else what is recorded until it is started again would be skipped."""

    async def story() -> None:
        bench = Bench(GrowingLog(facts(2)))
        await bench.subscribe(ScriptedHandler(begins_at=2)).resume()
        bench.log.grow(facts(4))
        handler = ScriptedHandler(begins_at=4)
        await bench.subscribe(handler).catch_up()
        assert handler.positions == [3, 4]

    asyncio.run(story())


@pytest.mark.parametrize(("marks_empty", "handled"), [(True, [1, 2]), (False, [])])
def test_a_beginning_on_an_empty_log_is_remembered_if_wanted(
    marks_empty: bool, handled: list[int]
) -> None:
    async def story() -> None:
        bench = Bench()
        await bench.subscribe(ScriptedHandler(), marks_empty=marks_empty).resume()
        bench.log.grow(facts(2))
        handler = ScriptedHandler(begins_at=2)
        await bench.subscribe(handler, marks_empty=marks_empty).catch_up()
        assert handler.positions == handled
        assert await bench.cards.reached(f"{KEY}/began-empty") == int(marks_empty)

    asyncio.run(story())


def test_a_handler_is_shown_in_the_progress_before_it_begins() -> None:
    """Trouble at its beginning is shown for those that are known."""

    class Fails(ScriptedHandler):
        async def begin(self, checkpoint: int | None) -> int:
            assert bench.progress.all().keys() == {"scripted"}
            return await super().begin(checkpoint)

    bench = Bench(progress=Progress())
    asyncio.run(bench.subscribe(Fails()).resume())
