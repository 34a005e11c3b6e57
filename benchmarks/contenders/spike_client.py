"""The client of the spike, in a process of its own: many calls in flight on one channel."""

import asyncio
from collections.abc import Mapping
from itertools import cycle
from multiprocessing.connection import Connection
from random import Random
from time import perf_counter

import grpc.aio
import uvloop

from benchmarks.contenders.spike_service import BATCH, EVENT_BYTES, METHODS

CALLERS = 64
DIFFERENT = 20
"""Requests of a caller, which come again and again."""

Rates = dict[tuple[str, str], list[float]]
"""Calls per second in each round, by server model and method."""

_EVENTS = {"Empty": 0, "Durable": 1, "Batch": BATCH}


def call(ports: Mapping[str, int], rounds: int, seconds: float, parent: Connection) -> None:
    """Measure every model and method in turn and tell the parent."""
    parent.send(uvloop.run(_measured(ports, rounds, seconds)))


async def _measured(ports: Mapping[str, int], rounds: int, seconds: float) -> Rates:
    rates: Rates = {(model, method): [] for model in ports for method in METHODS}
    for _ in range(rounds):
        for method in METHODS:
            for model, port in ports.items():
                rates[model, method].append(await _rate(port, method, seconds))
    return rates


async def _rate(port: int, method: str, seconds: float) -> float:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        await asyncio.wait_for(channel.channel_ready(), timeout=10)
        started = perf_counter()
        callers = [_caller(channel, n, method, started + seconds) for n in range(CALLERS)]
        calls = sum(await asyncio.gather(*callers))
        return calls / (perf_counter() - started)


async def _caller(channel: grpc.aio.Channel, number: int, method: str, until: float) -> int:
    ask = channel.unary_unary(f"/spike/{method}", None, None)
    dice, whole = Random(number), EVENT_BYTES * _EVENTS[method]
    requests = cycle([number.to_bytes(2) + dice.randbytes(whole) for _ in range(DIFFERENT)])
    calls = 0
    while perf_counter() < until:
        await ask(next(requests), timeout=30)
        calls += 1
    return calls
