"""
Where the time of an append goes on DynamoDB Local: to the server, or to this process.

DynamoDB Local hands every action of a transaction to and fro between two threads, four times. What
that takes depends on whether the other core sleeps, so turns are taken with a process beside that
keeps a core busy, and without. Nothing is promised here: it explains `dynamodb-appends`.
"""

import asyncio
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from time import perf_counter
from typing import Any

import uvloop
from attrs import define, frozen

from adapters.dynamodb.transport.transport import Operation, Transport
from benchmarks.dynamodb.appends import CALLERS, Ours
from benchmarks.load.local_dynamodb import dynamodb
from benchmarks.load.signal_events import SignalEvents
from benchmarks.measuring.contest import Turn
from benchmarks.measuring.figures import Effort, Figure, Section, compared
from tests.adapters.dynamodb.log.logs import open_log, retrying, sends_once
from tests.adapters.dynamodb.support import dynamodb_local

WARM_UP = 20.0
"""Seconds in which the server compiles its own code: the busy process would be in its way."""

BUSY = ("nice", "-n", "19", sys.executable, "-c", "while True: pass")


@frozen
class Parts:
    """Microseconds of an append: its share of the call (encoding and signing included), and all."""

    call: float
    whole: float

    @property
    def own(self) -> float:
        return self.whole - self.call


@define
class Timed:
    """Notes how long transactions are on their way."""

    inner: Transport
    seconds: float = 0.0

    async def call(
        self, operation: Operation, request: Mapping[str, Any], *, deadline: float | None = None
    ) -> dict[str, Any]:
        since = perf_counter()
        try:
            return await self.inner.call(operation, request, deadline=deadline)
        finally:
            if operation is Operation.TRANSACT_WRITE_ITEMS:
                self.seconds += perf_counter() - since

    async def close(self) -> None:
        await self.inner.close()


def run(folder: Path, effort: Effort) -> Section:
    events = SignalEvents.made(folder)
    with dynamodb(), asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop:
        quiet, beside = loop.run(_measure(events, effort))
    return Section("dynamodb-parts: an append", "beside a busy process", _figures(quiet, beside))


def _figures(quiet: Sequence[Parts], beside: Sequence[Parts]) -> list[Figure]:
    parts: Mapping[str, Callable[[Parts], float]] = {
        f"{CALLERS} callers, an append": lambda one: one.whole,
        "… from request to reply": lambda one: one.call,
        "… before and after": lambda one: one.own,
    }
    return [
        compared(what, [*map(part, quiet)], [*map(part, beside)], unit="µs")
        for what, part in parts.items()
    ]


async def _measure(events: SignalEvents, effort: Effort) -> tuple[list[Parts], list[Parts]]:
    timed = Timed(sends_once())
    quiet: list[Parts] = []
    beside: list[Parts] = []
    async with open_log(dynamodb_local.unused_table("parts"), retrying(timed)) as log:
        ours = Ours(log, events)
        await _parts(ours, timed, WARM_UP)
        for _ in range(effort.rounds):
            for neighbour, taken in ((nullcontext(), quiet), (_busy_core(), beside)):
                with neighbour:
                    taken.append(await _parts(ours, timed, effort.seconds))
    return quiet, beside


async def _parts(ours: Ours, timed: Timed, seconds: float) -> Parts:
    timed.seconds = 0.0
    turn = await ours.take(Turn("appends", CALLERS, seconds))
    each = 1e6 / len(turn.latencies)
    return Parts(timed.seconds * each, (turn.ended - turn.started) * each)


@contextmanager
def _busy_core() -> Iterator[None]:
    """It gives way to everybody, so that it takes only time in which a core would sleep."""
    with subprocess.Popen(BUSY) as process:
        try:
            yield
        finally:
            process.kill()
