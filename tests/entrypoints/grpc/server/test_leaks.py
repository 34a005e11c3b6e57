"""Callers that go away without a word leave no call, task, memory or file handle behind."""

import asyncio
import gc
import os
from contextlib import suppress
from typing import Any

import grpc.aio

from entrypoints.grpc.messages import signals_pb2 as m
from entrypoints.grpc.server.call import Call
from entrypoints.grpc.signals.stream import Arrivals
from tests.entrypoints.grpc.support.served import SIGNALS, Served, token, until, update
from tests.support.event_loop_turns import others_go_on
from tests.support.scale import scaled

ROUNDS = scaled(30, 500)


def handles() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208  # a listing opens a handle itself


async def dropped(store: Served) -> None:
    """Leave a stream, a watch and a read in the middle, with the whole connection."""
    alone = [("grpc.use_local_subchannel_pool", 1)]
    channel = grpc.aio.insecure_channel(store.server.address, options=alone)
    stream: Any = channel.stream_stream(f"{SIGNALS}StreamSignalStateUpdates", None, None)
    one = stream(metadata=token())
    updates = [update(window) for window in range(50)]
    await one.write(m.StreamSignalStateUpdatesRequest(updates=updates).SerializeToString())
    watch: Any = channel.unary_stream("/grpc.health.v1.Health/Watch", None, None)
    watching = watch(b"")
    await watching.read()
    read = channel.unary_unary(f"{SIGNALS}ListSignals", None, None)
    reading: Any = read(b"", metadata=token())
    await others_go_on()
    await channel.close(None)
    with suppress(asyncio.CancelledError, grpc.aio.AioRpcError):
        await reading


def held() -> int:
    """Calls that something still refers to, and what has arrived for streams."""
    gc.collect()
    return sum(isinstance(one, Call | Arrivals) for one in gc.get_objects())


async def unread(store: Served) -> None:
    """Send much, read nothing of the answers, and leave while the server waits for that."""
    alone = [("grpc.use_local_subchannel_pool", 1)]
    channel = grpc.aio.insecure_channel(store.server.address, options=alone)
    call: Any = channel.stream_stream(f"{SIGNALS}StreamSignalStateUpdates", None, None)
    stream = call(metadata=token())
    wrong = [m.UpdateSignalStateRequest(dataset_urn="x", signal_type="x")] * 1_000
    sent = m.StreamSignalStateUpdatesRequest(updates=wrong).SerializeToString()
    writing = asyncio.create_task(_endlessly(stream, sent))
    await until(lambda: bool(store.server.calls.on_their_way))
    await others_go_on(500)
    assert not writing.done()
    await channel.close(None)
    # A write that waits for room when its channel closes may never return.
    writing.cancel()
    await asyncio.wait([writing])


async def _endlessly(stream: Any, sent: bytes) -> None:
    with suppress(asyncio.CancelledError, asyncio.InvalidStateError, grpc.aio.AioRpcError):
        while True:
            await stream.write(sent)


def test_slow_readers_that_leave(store: Served) -> None:
    async def story() -> None:
        tasks, open_before, held_before = len(asyncio.all_tasks()), handles(), held()
        for _ in range(scaled(5, 100)):
            await unread(store)
            await until(lambda: not store.server.calls.on_their_way)
        await until(lambda: not store.server.calls.writing)
        await until(lambda: len(asyncio.all_tasks()) <= tasks)
        await until(lambda: handles() <= open_before)
        await until(lambda: held() <= held_before)

    store.run(story())


def test_dropped_connections(store: Served) -> None:
    store.api.registered()

    async def story() -> None:
        await dropped(store)
        await until(lambda: not store.server.calls.on_their_way)
        tasks, open_before, held_before = len(asyncio.all_tasks()), handles(), held()
        for _ in range(ROUNDS):
            await dropped(store)
        await until(lambda: not store.server.calls.on_their_way)
        await until(lambda: not store.server.calls.writing)
        await until(lambda: len(asyncio.all_tasks()) <= tasks)
        await until(lambda: handles() <= open_before)
        await until(lambda: held() <= held_before)

    store.run(story())
    assert store.update(100).success
