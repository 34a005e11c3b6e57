"""Batches of evidence without an end: answers in order, bounds, and how streams end."""

import asyncio
import gc
import warnings
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import grpc
import grpc.aio
import pytest
from attrs import define, field
from dependency_injector import providers

from application.errors import Overloaded
from application.evidence.sampling import Sift
from entrypoints.container import Container
from entrypoints.grpc.evidence.stream import WINDOW, answered
from entrypoints.grpc.messages import evidence_pb2 as m
from entrypoints.grpc.server.call_limits import Calls
from tests.entrypoints.grpc.support.served import Served, served, token, until
from tests.entrypoints.grpc.support.served import refused as refused_by
from tests.entrypoints.http.api import NOW
from tests.entrypoints.support.sample_evidence import evidence, message

PATH = "/observability.statestore.v1.EvidenceCacheService/StreamEvidence"
Code = grpc.StatusCode


def batch(*numbers: int) -> bytes:
    sent = m.BatchPutEvidenceRequest(evidence=[message(evidence(n)) for n in numbers])
    return sent.SerializeToString()


def stream(store: Served) -> Any:
    method: Any = store.channel.stream_stream(PATH, None, m.BatchPutEvidenceResponse.FromString)
    return method(metadata=token())


@define
class Held:
    """Stands for the use case: the n-th batch is answered once it is let go."""

    free: list[asyncio.Event] = field(factory=lambda: [asyncio.Event() for _ in range(100)])
    begun: list[int] = field(factory=list)
    done: list[int] = field(factory=list)
    error: Exception | None = None

    async def __call__(self, sift: Sift, **_: Any) -> Any:
        outcomes = (await sift(NOW)).outcomes
        number = len(self.begun)
        self.begun.append(len(outcomes))
        await self.free[number].wait()
        if self.error is not None and number == 1:
            raise self.error
        self.done.append(number)
        return outcomes

    def put_in(self, container: Container) -> None:
        container.put_evidence.override(providers.Object(self))


def test_batches_are_answered_one_by_one_in_their_order() -> None:
    """The second is done first, and is told after the first."""
    held = Held()

    async def story(store: Served) -> None:
        one = stream(store)
        await one.write(batch(1))
        await one.write(batch(2, 3))
        await until(lambda: held.begun == [1, 2])
        held.free[1].set()
        await until(lambda: held.done == [1])
        held.free[0].set()
        assert [len((await one.read()).results) for _ in range(2)] == [1, 2]
        await one.done_writing()
        assert await one.code() is Code.OK

    with served("memory", held.put_in) as store:
        store.run(story(store))


def test_no_more_is_taken_than_may_be_on_its_way() -> None:
    held = Held()

    async def story(store: Served) -> None:
        one = stream(store)

        async def send() -> None:
            for number in range(3 * WINDOW):
                await one.write(batch(number))
            await one.done_writing()

        sending = asyncio.create_task(send())
        await until(lambda: len(held.begun) == WINDOW)
        # Whatever can still be read is read in far fewer turns than these.
        for _ in range(2_000):
            await asyncio.sleep(0)
        assert len(held.begun) == WINDOW
        for free in held.free:
            free.set()
        told = [answer.stored_count async for answer in one]
        assert told == [1] * 3 * WINDOW
        await sending

    with served("memory", held.put_in) as store:
        store.run(story(store))


def test_what_goes_wrong_is_told_after_what_came_before_it() -> None:
    held = Held(error=Overloaded("evidence"))

    async def story(store: Served) -> None:
        one = stream(store)
        for number in range(3):
            await one.write(batch(number))
        for free in held.free:
            free.set()
        assert (await one.read()).stored_count == 1
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await one.read()
        told = refused_by(error.value)
        assert (told.code, told.reason) == (Code.RESOURCE_EXHAUSTED, "OVERLOADED")

    with served("memory", held.put_in) as store:
        store.run(story(store))
        assert store.server.calls.on_their_way == 0


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        (b"\xff\xff", "MALFORMED_MESSAGE"),
        (m.BatchPutEvidenceRequest(evidence=[m.Evidence()] * 5_001), "VALIDATION"),
    ],
)
def test_a_message_that_cannot_be_taken_ends_the_stream(
    store: Served, sent: Any, reason: str
) -> None:
    async def story() -> None:
        one = stream(store)
        await one.write(batch(1))
        await one.write(sent if isinstance(sent, bytes) else sent.SerializeToString())
        assert (await one.read()).stored_count == 1
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await one.read()
        told = refused_by(error.value)
        assert (told.code, told.reason) == (Code.INVALID_ARGUMENT, reason)

    store.run(story())


def test_a_cancelled_stream_ends_what_it_began_and_leaves_nothing() -> None:
    held = Held()

    async def story(store: Served) -> None:
        before = len(asyncio.all_tasks())
        one = stream(store)
        await one.write(batch(1))
        await until(lambda: held.begun == [1])
        one.cancel()
        await until(lambda: store.server.calls.on_their_way == 0)
        assert len(store.server.calls.writing) == 1
        held.free[0].set()
        await until(lambda: not store.server.calls.writing)
        assert held.done == [0]
        await until(lambda: len(asyncio.all_tasks()) <= before)

    with served("memory", held.put_in) as store:
        store.run(story(store))


def test_a_batch_that_comes_while_the_stream_ends_leaves_nothing() -> None:
    async def story(turns_later: int) -> None:
        failing = asyncio.Event()

        async def put(request: m.BatchPutEvidenceRequest) -> m.BatchPutEvidenceResponse:
            failing.set()
            raise Overloaded("evidence")

        async def requests() -> AsyncIterator[m.BatchPutEvidenceRequest]:
            yield m.BatchPutEvidenceRequest()
            await failing.wait()
            for _ in range(turns_later):
                await asyncio.sleep(0)
            yield m.BatchPutEvidenceRequest()

        call: Any = SimpleNamespace(calls=Calls(10))
        with pytest.raises(Overloaded):
            await anext(answered(put, requests(), call))
        assert not call.calls.writing

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for turns_later in range(10):
            asyncio.run(story(turns_later))
        gc.collect()
    assert [str(one.message) for one in told] == []


def test_when_the_server_stops_what_was_begun_is_answered_first() -> None:
    held = Held()

    async def story(store: Served) -> None:
        one = stream(store)
        await one.write(batch(1))
        await until(lambda: held.begun == [1])
        store.server.stop()
        held.free[0].set()
        assert (await one.read()).stored_count == 1
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await one.read()
        told = refused_by(error.value)
        assert (told.code, told.reason, told.retry_after) == (Code.UNAVAILABLE, "UNAVAILABLE", 1.0)
        await store.server.ended()

    with served("memory", held.put_in) as store:
        store.run(story(store))
