"""Appending to a long log and a long stream must cost what it costs in short ones."""

import asyncio
from collections.abc import Awaitable
from pathlib import Path
from statistics import median
from time import perf_counter

import uvloop
from attrs import define

from adapters.eventstore.log import Append
from benchmarks.load.local_dynamodb import dynamodb, metered_log
from benchmarks.load.signal_events import SignalEvents, signal
from benchmarks.measuring.figures import Effort, Figure, Section, Target, compared
from tests.adapters.dynamodb.support import dynamodb_local

SHORT, LONG = 1_000, 100_000
SPAN = 100
APPENDS = 60
AT_MOST = Target(1.3, at_most=True)


def run(folder: Path, effort: Effort) -> Section:
    events = SignalEvents.made(folder)
    with dynamodb(), asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop:
        figures = loop.run(_measure(events, effort))
    return Section("dynamodb-growth: appends", f"a log and stream of {SHORT:,}", figures)


async def _measure(events: SignalEvents, effort: Effort) -> list[Figure]:
    short, long = (
        Grown(dynamodb_local.unused_table("short"), events),
        Grown(dynamodb_local.unused_table("l"), events),
    )
    await short.grow(SHORT)
    await long.grow(LONG)
    times: dict[str, tuple[list[float], list[float]]] = {
        "known stream": ([], []),
        "log just opened": ([], []),
    }
    units: tuple[list[float], list[float]] = ([], [])
    await short.append_warm()
    for _ in range(effort.rounds):
        for number, log in enumerate((long, short)):
            spent, cost = await log.append_warm()
            times["known stream"][number].append(spent)
            units[number].append(cost)
            times["log just opened"][number].append(await log.append_cold())
    what = f"{LONG:,} events, "
    return [
        *(
            compared(what + name, *taken, unit="ms", target=AT_MOST)
            for name, taken in times.items()
        ),
        compared("… units of an append", *units, unit="units", target=AT_MOST),
    ]


@define
class Grown:
    """A log with one stream that has all its events but a few."""

    name: str
    events: SignalEvents
    version: int = 0

    async def grow(self, size: int) -> None:
        async with metered_log(self.name) as (log, _):
            for first in range(1, size, SPAN):
                await log.append(self.events.append(signal(0), *range(first, first + SPAN)))
        self.version = size

    async def append_warm(self) -> tuple[float, float]:
        """The median time in milliseconds, and units, of an append to a stream just written."""
        async with metered_log(self.name) as (log, meter):
            await log.append(self._next())
            meter.reset()
            times = [await _timed(log.append(self._next())) for _ in range(APPENDS)]
            total = meter.total()
            return median(times), (total.write + total.read) / APPENDS

    async def append_cold(self) -> float:
        """The time in milliseconds from opening the log to its first append."""
        async with metered_log(self.name) as (log, _):
            return await _timed(log.append(self._next()))

    def _next(self) -> Append:
        self.version += 1
        return self.events.append(signal(0), self.version)


async def _timed(appending: Awaitable[object]) -> float:
    started = perf_counter()
    await appending
    return (perf_counter() - started) * 1_000
