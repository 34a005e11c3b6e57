"""Callers that go away without a word leave nothing behind: no call, task or file handle."""

import asyncio
import os
from contextlib import suppress
from typing import Any

import grpc.aio

from entrypoints.grpc.messages import signals_pb2 as m
from tests.entrypoints.grpc.served import SIGNALS, Served, token, until, update
from tests.scale import scaled

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
    await asyncio.sleep(0)
    await channel.close(None)
    with suppress(asyncio.CancelledError, grpc.aio.AioRpcError):
        await reading


def test_dropped_connections(store: Served) -> None:
    store.api.registered()

    async def story() -> None:
        await dropped(store)
        await until(lambda: not store.server.calls.on_their_way)
        tasks, open_before = len(asyncio.all_tasks()), handles()
        for _ in range(ROUNDS):
            await dropped(store)
        await until(lambda: not store.server.calls.on_their_way)
        await until(lambda: not store.server.calls.writing)
        await until(lambda: len(asyncio.all_tasks()) <= tasks)
        await until(lambda: handles() <= open_before)

    store.run(story())
    assert store.update(100).success
