"""Updates without an end: answers in order, bounds, and what becomes of broken streams."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
from attrs import define, field
from dependency_injector import providers

from application.signals.commands import UpdateSignal, UpdateSignals
from entrypoints.container import Container
from entrypoints.grpc.messages import signals_pb2 as m
from entrypoints.grpc.signals.stream import AT_ONCE, WINDOW, Arrivals
from tests.entrypoints.grpc.support.served import (
    SIGNALS,
    Metadata,
    Served,
    served,
    token,
    until,
    update,
)
from tests.entrypoints.grpc.support.served import refused as refused_by
from tests.entrypoints.http.api import ORDERS
from tests.support.event_loop_turns import others_go_on

Sent = m.StreamSignalStateUpdatesRequest
Told = m.StreamSignalStateUpdatesResponse
Code = grpc.StatusCode
END: Any = grpc.aio.EOF  # type: ignore[attr-defined]  # not in the stubs


@define
class Stream:
    """A stream as a caller holds it."""

    call: Any

    async def send(self, *updates: m.UpdateSignalStateRequest) -> None:
        await self.call.write(Sent(updates=updates).SerializeToString())

    async def end(self) -> None:
        await self.call.done_writing()

    async def answers(self, count: int) -> list[m.UpdateSignalStateResponse]:
        """The next so many, however they come; in each message the count goes on."""
        told: list[m.UpdateSignalStateResponse] = []
        while len(told) < count:
            answer = await self.call.read()
            assert answer is not END, await self.call.code()
            told += answer.results
            assert answer.window == WINDOW
        assert len(told) == count
        return told

    async def error(self) -> grpc.aio.AioRpcError:
        with pytest.raises(grpc.aio.AioRpcError) as told:
            await self.call.read()
        return told.value

    async def code(self) -> Code:
        code: Code = await self.call.code()
        return code


def stream(store: Served, metadata: Metadata = (), **more: Any) -> Stream:
    call = store.channel.stream_stream(f"{SIGNALS}StreamSignalStateUpdates", None, Told.FromString)
    return Stream(call(metadata=[*token(), *metadata], **more))


@pytest.mark.parametrize("engine", ["memory", "embedded", "dynamodb"])
def test_answers_come_in_the_order_of_the_updates(engine: str, tmp_path: Path) -> None:
    async def story(store: Served) -> None:
        one = stream(store)
        await one.send(update(0, expected_version=0), update(1, expected_version=1))
        assert [told.new_version for told in await one.answers(2)] == [1, 2]
        await one.send(update(2, expected_version=1))
        await one.send(update(2, "NONE"))
        await one.send(update(2, expected_version=2), update(0, signal_type="LATENCY"))
        told = await one.answers(4)
        assert [each.error_code for each in told] == ["VERSION_CONFLICT", "VALIDATION", "", ""]
        assert (told[0].current_version, told[2].new_version, told[3].new_version) == (2, 3, 1)
        await one.end()
        assert await one.code() is Code.OK

    with served(engine, folder=tmp_path) as store:
        store.api.registered()
        store.run(story(store))
        read = store.api.get(f"/api/v1/datasets/{ORDERS}/signals/VOLUME").json()
        assert read["version"] == 3


def test_the_count_goes_on_and_everything_is_answered_before_the_end(store: Served) -> None:
    store.api.registered()

    async def story() -> None:
        one = stream(store)
        for window in range(300):
            await one.send(update(window, signal_type=f"CUSTOM_{window % 7}"))
        await one.end()
        last, count = 0, 0
        async for answer in one.call:
            count += len(answer.results)
            assert all(each.success for each in answer.results)
            assert answer.acknowledged == count > last
            last = count
        assert count == 300
        assert await one.code() is Code.OK

    head = store.head()
    store.run(story())
    assert store.head() >= head + 300


def test_what_is_sent_again_after_a_break_changes_nothing(store: Served) -> None:
    store.api.registered()

    async def story() -> list[m.UpdateSignalStateResponse]:
        one = stream(store)
        await one.send(update(0), update(1, "CRITICAL"))
        return await one.answers(2)

    first, head = store.run(story()), store.head()
    assert [one.new_version for one in first] == [1, 2]
    assert [(one.success, one.new_version) for one in store.run(story())] == [(True, 2), (True, 2)]
    assert store.head() == head


def test_a_stream_that_says_nothing(store: Served) -> None:
    async def story() -> None:
        one = stream(store)
        await one.send()
        await one.end()
        assert await one.call.read() is END
        assert await one.code() is Code.OK

    store.run(story())


def test_a_message_that_cannot_be_read_ends_the_stream_after_the_answers(store: Served) -> None:
    store.api.registered()

    async def story() -> None:
        one = stream(store)
        await one.send(update(0))
        await one.call.write(b"\xff\xff")
        assert [told.success for told in await one.answers(1)] == [True]
        told = refused_by(await one.error())
        assert (told.code, told.reason) == (Code.INVALID_ARGUMENT, "MALFORMED_MESSAGE")

    store.run(story())
    assert store.server.calls.on_their_way == 0


def test_a_message_with_more_updates_than_may_wait_ends_the_stream(store: Served) -> None:
    """A few bytes for each would hold far more memory here."""
    store.api.registered()

    async def story() -> None:
        one = stream(store)
        await one.send(update(0))
        await one.send(*[m.UpdateSignalStateRequest()] * (WINDOW + 1))
        assert [told.success for told in await one.answers(1)] == [True]
        told = refused_by(await one.error())
        assert (told.code, told.violations) == (Code.INVALID_ARGUMENT, {"updates": "TOO_MANY"})

    store.run(story())
    assert store.server.calls.on_their_way == 0


@pytest.mark.parametrize(
    ("metadata", "code"),
    [
        ([("authorization", "Bearer wrong")], Code.UNAUTHENTICATED),
        ([*token(), ("idempotency-key", "k")], Code.INVALID_ARGUMENT),
    ],
)
def test_a_stream_is_refused_at_its_beginning(
    store: Served, metadata: Metadata, code: Code
) -> None:
    async def story() -> None:
        call: Any = store.channel.stream_stream(f"{SIGNALS}StreamSignalStateUpdates", None, None)
        assert await call(metadata=metadata).code() is code

    store.run(story())


@define
class Slow:
    """Stands for the use case: takes updates, and answers once it is let go."""

    real: Any = None
    free: asyncio.Event = field(factory=asyncio.Event)
    taken: int = 0
    done: int = 0

    async def __call__(self, reports: Any, *, by: Any) -> Any:
        self.taken += len(reports)
        await self.free.wait()
        outcomes = await self.real(reports, by=by)
        self.done += len(reports)
        return outcomes


def slowed(held: Slow) -> Any:
    def prepare(container: Container) -> None:
        def made(updating: UpdateSignal) -> Slow:
            held.real = UpdateSignals(updating)
            return held

        container.update_signals.override(providers.Singleton(made, container.update_signal))

    return prepare


def test_a_cancelled_stream_ends_what_it_started() -> None:
    """What was begun is stored, what only waited is not, and no task is left."""
    held = Slow()

    async def story(store: Served) -> None:
        before = len(asyncio.all_tasks())
        one = stream(store)
        await one.send(update(0))
        await until(lambda: held.taken == 1)
        await one.send(update(1), update(2))
        one.call.cancel()
        await until(lambda: store.server.calls.on_their_way == 0)
        assert len(store.server.calls.writing) == 1
        held.free.set()
        await until(lambda: not store.server.calls.writing)
        assert (held.taken, held.done) == (1, 1)
        await until(lambda: len(asyncio.all_tasks()) <= before)

    with served("memory", slowed(held)) as store:
        store.api.registered()
        store.run(story(store))


def test_who_sends_too_fast_waits() -> None:
    held = Slow()

    async def story(store: Served) -> None:
        one = stream(store)
        many = [update(n, signal_type=f"CUSTOM_{n % 50}") for n in range(100)]

        async def send() -> None:
            for _ in range(100):
                await one.send(*many)
            await one.end()

        sending = asyncio.create_task(send())
        await until(lambda: held.taken > 0)
        # Whatever can still be read is read in far fewer turns than these.
        await others_go_on(2_000)
        assert held.taken <= AT_ONCE
        held.free.set()
        answers = await one.answers(10_000)
        assert len(answers) == 10_000
        await sending
        assert await one.code() is Code.OK

    with served("memory", slowed(held)) as store:
        store.api.registered()
        store.run(story(store))


def test_no_more_is_read_than_there_is_room_for() -> None:
    read = 0

    async def endless() -> AsyncIterator[Sent]:
        nonlocal read
        while True:
            read += 1
            yield Sent(updates=[m.UpdateSignalStateRequest()] * 100)

    async def story() -> None:
        arrivals = Arrivals()
        reading = asyncio.create_task(arrivals.read(endless()))
        for taken in range(5):
            await others_go_on(100)
            assert len(arrivals.waiting) == WINDOW - AT_ONCE
            assert read == 5 * (taken + 1) + 1
            assert len(await arrivals.next()) == AT_ONCE
        reading.cancel()
        await asyncio.wait([reading])

    asyncio.run(story())


def test_who_does_not_read_is_not_worked_for() -> None:
    """Answers that are not taken hold up the stream, not the server's memory."""
    held = Slow()
    held.free.set()

    async def story(store: Served) -> None:
        one = stream(store)
        many = [wrong(n) for n in range(250)]

        async def send() -> None:
            for _ in range(200):
                await one.send(*many)
            await one.end()

        sending = asyncio.create_task(send())
        before = -1
        while held.done != before:
            before = held.done
            await others_go_on(3_000)
        assert held.done < 50_000
        one.call.cancel()
        await asyncio.wait([sending])

    with served("memory", slowed(held)) as store:
        store.api.registered()
        store.run(story(store))


def wrong(number: int) -> m.UpdateSignalStateRequest:
    """Wrong in many ways: its answer is long."""
    return m.UpdateSignalStateRequest(dataset_urn=f"{number}", signal_type="x")


def test_a_stream_ends_with_the_server(store: Served) -> None:
    store.api.registered()

    async def story() -> None:
        one = stream(store)
        await one.send(update(0))
        assert (await one.answers(1))[0].success
        store.server.stop()
        told = refused_by(await one.error())
        assert (told.code, told.reason, told.retry_after) == (Code.UNAVAILABLE, "UNAVAILABLE", 1.0)
        await store.server.ended()

    store.run(story())
