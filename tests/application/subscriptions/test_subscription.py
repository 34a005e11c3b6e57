"""A subscription hands over each fact in order, and waits for more."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from math import inf

import pytest

from application.errors import Contended, OutcomeUnknown, Unavailable
from application.recorded import Recorded
from application.subscriptions import backoff
from application.subscriptions import subscription as module
from application.subscriptions.batches import BATCH
from application.subscriptions.handler import Settled
from application.subscriptions.subscription import Subscription
from tests.application.subscriptions.handlers import (
    Bench,
    Granted,
    GrowingLog,
    ScriptedHandler,
    facts,
    settles_all,
)
from tests.support.event_loop_turns import others_go_on

PATIENCE = 30.0


@asynccontextmanager
async def running(subscription: Subscription) -> AsyncIterator[None]:
    task = asyncio.create_task(subscription.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


# Batches.


def test_every_fact_is_handled_once_in_order() -> None:
    bench, handler = Bench(GrowingLog(facts(2 * BATCH + 3))), ScriptedHandler()
    asyncio.run(bench.subscribe(handler).catch_up())
    assert handler.positions == [*range(1, 2 * BATCH + 4)]
    assert [len(batch) for batch in handler.handled] == [BATCH, BATCH, 3, 0]
    assert bench.progress.reached("scripted").position == 2 * BATCH + 3


def test_what_is_recorded_later_is_handled_as_soon_as_it_is_heard_of() -> None:
    async def story() -> None:
        told = facts(5)
        bench, handler = Bench(GrowingLog(told[:2])), ScriptedHandler()
        async with running(bench.subscribe(handler)):
            await bench.log.idle.wait()
            bench.log.grow(told)
            assert await bench.progress.wait("scripted", 5, timeout=PATIENCE)
        assert handler.positions == [1, 2, 3, 4, 5]

    asyncio.run(story())


def test_what_a_handler_does_not_settle_comes_again_without_another_read() -> None:
    def one_at_a_time(facts: Sequence[Recorded]) -> Settled | None:
        return settles_all(facts[:1])

    bench, handler = Bench(GrowingLog(facts(4))), ScriptedHandler(one_at_a_time)
    asyncio.run(bench.subscribe(handler).catch_up())
    assert handler.handled == [[1, 2, 3, 4], [2, 3, 4], [3, 4], [4], []]
    assert bench.log.reads == [0, 4]


def test_facts_that_are_held_back_are_neither_read_again_nor_settled() -> None:
    def holds_back(facts: Sequence[Recorded]) -> Settled | None:
        return Settled(0, read=facts[-1].position) if facts else None

    async def story() -> None:
        bench, handler = Bench(GrowingLog(facts(3))), ScriptedHandler(holds_back)
        await bench.subscribe(handler).catch_up()
        assert handler.handled == [[1, 2, 3], []]
        assert (bench.progress.reached("scripted").position, await bench.stored()) == (0, 0)

    asyncio.run(story())


def test_one_read_serves_followers_at_different_positions() -> None:
    bench, ahead, behind = Bench(GrowingLog(facts(5))), ScriptedHandler(), ScriptedHandler()
    ahead.name, ahead.begins_at = "ahead", 3
    both = [one for handler in (ahead, behind) for one in bench.subscribe(handler).followers]
    asyncio.run(Subscription("both", both, bench.log, bench.progress).catch_up())
    assert (ahead.positions, behind.positions) == ([4, 5], [1, 2, 3, 4, 5])
    assert bench.log.reads == [0, 5]


def test_after_an_action_there_may_be_more_although_nothing_moved() -> None:
    sent = iter([True, True, False])

    def sends(facts: Sequence[Recorded]) -> Settled:
        return Settled(0, read=2, acted=next(sent))

    bench, handler = Bench(GrowingLog(facts(2))), ScriptedHandler(sends)
    asyncio.run(bench.subscribe(handler).catch_up())
    assert handler.handled == [[1, 2], [], []]


# Waiting.


@pytest.mark.parametrize(("due", "patience"), [(0.25, 0.25), (inf, 1.0), (60.0, 1.0)])
def test_it_waits_until_the_handler_is_due(due: float, patience: float) -> None:
    async def story() -> None:
        bench, handler = Bench(GrowingLog(facts(2))), ScriptedHandler(due=due)
        async with running(bench.subscribe(handler)):
            await bench.log.idle.wait()
        assert bench.log.waits == [(2, patience)]

    asyncio.run(story())


def test_facts_that_cannot_be_taken_yet_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log would answer at once that there is more."""
    monkeypatch.setattr(module, "IDLE", 3600.0)

    async def story() -> None:
        bench, handler = Bench(GrowingLog(facts(2))), ScriptedHandler(lambda facts: None)
        async with running(bench.subscribe(handler)):
            await others_go_on(100)
        assert (handler.handled, bench.log.waits) == ([[1, 2]], [])

    asyncio.run(story())


def test_with_a_pause_after_hearing_of_facts_a_short_batch_is_the_last() -> None:
    """None is read only to find that there is nothing."""

    async def story() -> None:
        bench, handler = Bench(GrowingLog(facts(BATCH + 2))), ScriptedHandler()
        async with running(bench.subscribe(handler, linger=1e-9)):
            await bench.log.idle.wait()
        assert [len(batch) for batch in handler.handled] == [BATCH, 2]

    asyncio.run(story())


def test_at_rest_nothing_is_handled_and_afterwards_everything_is_read_anew() -> None:
    def one_at_a_time(facts: Sequence[Recorded]) -> Settled | None:
        return settles_all(facts[:1])

    async def story() -> None:
        bench, handler = Bench(GrowingLog(facts(3))), ScriptedHandler(one_at_a_time)
        subscription = bench.subscribe(handler)
        assert await subscription.turn()
        async with subscription.at_rest():
            turn = asyncio.create_task(subscription.turn())
            await others_go_on()
            assert handler.handled == [[1, 2, 3]]
        assert await turn
        assert (handler.handled[1:], bench.log.reads) == ([[2, 3]], [0, 1])

    asyncio.run(story())


# Trouble.


@pytest.mark.parametrize(
    "error",
    [Unavailable("a part", "it is away"), OutcomeUnknown("a part", "?"), Contended(("a",), 9)],
)
def test_what_fails_is_tried_again_and_shown_meanwhile(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backoff, "FIRST_PAUSE", 0)
    seen: list[str | None] = []
    failures = [error, error]

    def fails_twice(facts: Sequence[Recorded]) -> Settled | None:
        seen.append(bench.progress.trouble)
        if failures:
            raise failures.pop()
        return settles_all(facts)

    bench, handler = Bench(GrowingLog(facts(2))), ScriptedHandler(fails_twice)

    async def story() -> None:
        async with running(bench.subscribe(handler)):
            await bench.log.idle.wait()
            assert bench.progress.trouble is None

    asyncio.run(story())
    assert seen[:3] == [None, f"scripted: {error}", f"scripted: {error}"]
    assert bench.troubles == [error, error]
    assert handler.handled[:3] == [[1, 2]] * 3


def test_a_log_that_cannot_be_read_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backoff, "FIRST_PAUSE", 0)

    async def story() -> None:
        bench, handler = Bench(GrowingLog(facts(2))), ScriptedHandler()
        bench.log.trouble = Unavailable("the log", "it is away")
        async with running(bench.subscribe(handler)):
            await bench.log.idle.wait()
        assert (handler.positions, len(bench.troubles)) == ([1, 2], 1)

    asyncio.run(story())


def test_other_errors_end_it() -> None:
    def breaks(facts: Sequence[Recorded]) -> Settled | None:
        raise LookupError("a row that cannot be read")

    leases = Granted()
    bench = Bench(GrowingLog(facts(1)), leases=leases)
    with pytest.raises(LookupError):
        asyncio.run(bench.subscribe(ScriptedHandler(breaks)).run())
    assert leases.released == ["test/scripted"]


def test_what_was_settled_before_the_trouble_is_not_handled_again() -> None:
    away = Unavailable("a sink", "it is away")
    outcomes = iter([Settled(2, acted=True, trouble=away)])

    async def story() -> None:
        bench = Bench(GrowingLog(facts(3)))
        handler = ScriptedHandler(lambda facts: next(outcomes, None) or settles_all(facts))
        subscription = bench.subscribe(handler)
        with pytest.raises(Unavailable):
            await subscription.turn()
        assert await bench.stored() == bench.progress.reached("scripted").position == 2
        await subscription.catch_up()
        assert handler.handled == [[1, 2, 3], [3], []]

    asyncio.run(story())


def test_the_others_go_on_without_one_that_backs_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backoff, "FIRST_PAUSE", 1e9)

    def fails(facts: Sequence[Recorded]) -> Settled | None:
        raise LookupError("a damaged row")

    async def story() -> None:
        bench, well = Bench(GrowingLog(facts(2))), ScriptedHandler()
        ill = ScriptedHandler(fails, name="ill")
        both = [one for handler in (well, ill) for one in bench.subscribe(handler).followers]
        subscription = Subscription("both", both, bench.log, bench.progress, bench.troubles.append)
        async with running(subscription):
            await bench.log.idle.wait()
            bench.log.grow(facts(3))
            await bench.log.idle.wait()
            assert subscription.handled_here == ["scripted"]
        assert well.positions == [1, 2, 3]
        assert ill.handled == [[1, 2]]
        assert bench.progress.trouble == "ill: a damaged row"

    asyncio.run(story())
