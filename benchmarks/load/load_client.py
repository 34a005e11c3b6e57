"""The client, in a process of its own: carries out loads, and notes how long calls took."""

import asyncio
import gc
from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import cycle
from multiprocessing.connection import Connection
from time import perf_counter, process_time
from typing import Any

import grpc.aio
import uvloop
from attrs import define, field

from benchmarks.load.http_wire import HttpWire
from benchmarks.load.loads import Load, Taken, Way
from benchmarks.load.prepared import acknowledged, good
from benchmarks.load.serving import Places
from benchmarks.measuring.quiet import QuietSpans

READY = 20.0
LONGEST_CALL = 60.0
WINDOW = 1_000
"""Updates of a stream that may be on their way."""

Ask = Callable[[bytes], Awaitable[bytes]]


def carry_out(places: Places, parent: Connection) -> None:
    """Say that it is up, and carry out what the parent sends, a list of loads at a time.

    Nothing is collected meanwhile: a full collection stopped the client for 130 ms, and every call
    that was due then looked slow.
    """
    gc.disable()
    parent.send("up")
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop:
        while True:
            try:
                loads: Sequence[Load] = parent.recv()
            except EOFError:
                return
            parent.send(loop.run(_together(places, loads)))
            gc.collect()


async def _together(places: Places, loads: Sequence[Load]) -> Sequence[Taken]:
    clients = [_Client(load, places) for load in loads]
    for client in clients:
        await client.connect()
    quiet = QuietSpans()
    watching = asyncio.create_task(quiet.watch())
    began, spent = perf_counter(), process_time()
    await asyncio.gather(*(client.run() for client in clients))
    busy = (process_time() - spent) / (perf_counter() - began)
    watching.cancel()
    for client in clients:
        await client.close()
    return [client.taken(busy, quiet) for client in clients]


@define
class _Client:
    load: Load
    places: Places
    calls: list[tuple[float, float]] = field(factory=list)
    """When they began or were due, and how long they took."""
    refused: int = 0
    took: float = 0.0
    _channel: Any = None
    _wires: list[HttpWire] = field(factory=list)

    async def connect(self) -> None:
        if self.load.way is Way.HTTP:
            self._wires = [
                await HttpWire.to(self.places.http) for _ in range(min(self.load.callers, 64))
            ]
            return
        where = self.places.empty if self.load.empty else self.places.grpc
        self._channel = grpc.aio.insecure_channel(where)
        await asyncio.wait_for(self._channel.channel_ready(), READY)

    async def close(self) -> None:
        for wire in self._wires:
            wire.close()
        if self._channel is not None:
            await self._channel.close()

    async def run(self) -> None:
        started = perf_counter()
        if self.load.way is Way.STREAM:
            await self._stream(started)
        elif self.load.rate is None:
            await self._as_fast_as_can_be(started)
        else:
            await self._paced(started, self.load.rate)
        self.took = perf_counter() - started

    def taken(self, busy: float, quiet: QuietSpans) -> Taken:
        load, latencies = self.load, [took for _, took in self.calls]
        undisturbed = quiet.among(self.calls)
        return Taken(load.what, load.each, latencies, self.refused, self.took, busy, undisturbed)

    # One request after the other.

    async def _as_fast_as_can_be(self, started: float) -> None:
        requests, until = self._requests(), started + self.load.seconds
        await asyncio.gather(*(self._caller(n, requests, until) for n in range(self.load.callers)))

    async def _caller(self, number: int, requests: Iterator[bytes], until: float) -> None:
        ask = self._ask(number)
        for request in requests:
            since = perf_counter()
            if since >= until:
                return
            await self._one(ask, request, since)

    # Each at its moment.

    async def _paced(self, started: float, rate: float) -> None:
        asks = [self._ask(number) for number in range(len(self._wires) or 1)]
        tasks = []
        for number, request in enumerate(self._requests()):
            due = started + number / rate
            if due >= started + self.load.seconds:
                break
            if (early := due - perf_counter()) > 0:
                await asyncio.sleep(early)
            ask = asks[number % len(asks)]
            tasks.append(asyncio.create_task(self._one(ask, request, due)))
        await asyncio.gather(*tasks)

    async def _one(self, ask: Ask, request: bytes, since: float) -> None:
        told = await ask(request)
        self.calls.append((since, perf_counter() - since))
        self.refused += not good(self.load.where, told)

    def _ask(self, number: int) -> Ask:
        if self._wires:
            return self._wires[number].ask
        method = self._channel.unary_unary(self.load.where, None, None)
        said = self._said()
        return lambda request: method(request, metadata=said, timeout=LONGEST_CALL)

    # A stream.

    async def _stream(self, started: float) -> None:
        """Latencies are those of messages, until the last update in one is acknowledged."""
        method = self._channel.stream_stream(self.load.where, None, None)
        call = method(metadata=self._said(), timeout=LONGEST_CALL)
        due: list[float] = []
        room = asyncio.Semaphore(WINDOW // self.load.each)
        sending = asyncio.create_task(self._send(call, due, room, started))
        answered = 0
        async for told in call:
            upto, refused = acknowledged(told)
            self.refused += refused
            now = perf_counter()
            for number in range(answered, upto // self.load.each):
                self.calls.append((due[number], now - due[number]))
                room.release()
            answered = upto // self.load.each
        await sending

    async def _send(
        self, call: Any, due: list[float], room: asyncio.Semaphore, started: float
    ) -> None:
        until, rate = started + self.load.seconds, self.load.rate
        for number, request in enumerate(self._requests()):
            if rate is not None:
                moment = started + number / rate
                if (early := moment - perf_counter()) > 0:
                    await asyncio.sleep(early)
            else:
                moment = perf_counter()
            if moment >= until:
                break
            due.append(moment)
            await room.acquire()
            await call.write(request)
        await call.done_writing()

    def _requests(self) -> Iterator[bytes]:
        return cycle(self.load.requests) if self.load.again else iter(self.load.requests)

    def _said(self) -> tuple[tuple[str, str], ...]:
        return (("authorization", f"Bearer {self.places.token}"),)
