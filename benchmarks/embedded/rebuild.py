"""
Rebuild: all tables filled anew from the log, against decoding the same log and no more.

Then what it does to others: signals are read and updated in a serving process before and during a
rebuild, whose fold runs in a process apart, as `serve` has it.
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from random import Random
from time import perf_counter

import uvloop
from attrs import define, field
from dependency_injector import providers

from adapters.eventstore.inspection.progress import Silent
from adapters.read_models.signals import TableSignals
from benchmarks.embedded import replay
from benchmarks.load.reports import caller, dataset_urn, report
from benchmarks.load.store import ENGINE, opened, running
from benchmarks.measuring.figures import (
    Effort,
    Figure,
    Section,
    Target,
    compared,
    lower,
    percentile,
)
from domain.ids import DatasetUrn, SignalType
from entrypoints.cli.read_models.draft_process import COMMAND, FoldApart
from entrypoints.container import Container
from entrypoints.wiring.opening import close

PAGE = 4_096
CALLERS = 4
READ = 20
"""Signals that are read in no order."""
FRESHNESS = SignalType("FRESHNESS")
VOLUME = "VOLUME"


def run(folder: Path, effort: Effort) -> Section:
    """Twice as many events as a replay: rebuilding is what one does with a large log."""
    events, place = effort.events * 2, folder / "rebuild"
    small = folder / "rebuild-small"
    for where, number in ((place, events), (small, events // 4)):
        container = opened(where)
        replay.fill(container, number)
        asyncio.run(container.runner().catch_up())
        asyncio.run(close(container))
    memory = [_peak(small), _peak(place)]
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop:
        speed = loop.run(_speed(place, effort.rounds))
        beside = loop.run(_beside(place, effort.seconds))
    flat = Figure(
        f"peak memory of folding {events:,} events",
        f"{memory[1]:,.0f} MB",
        f"{memory[0]:,.0f} MB, a quarter of them",
        memory[1] / memory[0],
        target=Target(1.3, at_most=True),
        measures=(lower(memory[1], "MB"),),
    )
    return Section("rebuild: all tables", "decoding alone", [speed, flat, *beside])


# How fast.


async def _speed(folder: Path, rounds: int) -> Figure:
    container = opened(folder)
    try:
        head = await container.log().head()
        rates: tuple[list[float], list[float]] = ([], [])
        for _ in range(rounds):
            rates[0].append(head / await _timed(lambda: _rebuild(container)))
            rates[1].append(head / await _timed(lambda: _decode(container)))
    finally:
        await close(container)
    what = f"rebuild {head:,} events into all tables"
    return compared(what, *rates, unit="events/s", target=Target(0.4))


async def _timed(work: Callable[[], Awaitable[None]]) -> float:
    started = perf_counter()
    await work()
    return perf_counter() - started


async def _rebuild(container: Container) -> None:
    names = [one.name for one in container.projections()]
    await container.rebuild()(names, Silent(), by=ENGINE)


async def _decode(container: Container) -> None:
    feed, after = container.log_feed(), 0
    while facts := await feed.read(after, PAGE):
        after = facts[-1].position


# How much memory.


# Run by a process that is small itself: what a process had before it became another one counts.
_WATCH = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def _peak(folder: Path) -> float:
    """Megabytes of a process that folds the whole log."""
    words = [
        sys.executable,
        "-m",
        "entrypoints",
        COMMAND,
        "bench",
        "signal-state",
        "dataset-registry",
    ]
    told = subprocess.run(
        [sys.executable, "-c", _WATCH, *words],
        env={**os.environ, "STATESTORE_DATA_DIR": str(folder)},
        capture_output=True,
        check=True,
        text=True,
    )
    return int(told.stdout) / 1024


# What it does to others.


@define
class _Traffic:
    """Callers that update a signal each, and one that reads, until told to stop.

    They pause after each call: latencies beside a rebuild are measured, not the highest rate.
    """

    container: Container
    windows: Sequence[Iterator[int]]
    """Of each caller: signals go on from one turn to the next."""
    on: bool = True
    reads: list[float] = field(factory=list)
    appends: list[float] = field(factory=list)

    async def during(self, work: Callable[[], Awaitable[None]]) -> None:
        callers = [asyncio.create_task(self._update(number)) for number in range(CALLERS)]
        reader = asyncio.create_task(self._read())
        try:
            await work()
        finally:
            self.on = False
            await asyncio.gather(*callers, reader)

    async def _update(self, number: int) -> None:
        update = self.container.update_signal()
        while self.on:
            since = perf_counter()
            window = next(self.windows[number])
            await update(report(dataset_urn(number), VOLUME, window), by=caller(window))
            self.appends.append(perf_counter() - since)
            await asyncio.sleep(0.005)

    async def _read(self) -> None:
        container, dice = self.container, Random(2026)
        board = TableSignals(container.table_engine(), container.clock(), container.hot_datasets())
        while self.on:
            dataset = DatasetUrn(dataset_urn(dice.randrange(READ)))
            since = perf_counter()
            assert await board.find(dataset, FRESHNESS)
            self.reads.append(perf_counter() - since)
            await asyncio.sleep(0.001)


async def _beside(folder: Path, seconds: float) -> list[Figure]:
    async with running(folder) as container:
        container.draft_folder.override(providers.Singleton(FoldApart, container.settings()))
        windows = [count() for _ in range(CALLERS)]
        quiet, busy = _Traffic(container, windows), _Traffic(container, windows)
        await quiet.during(lambda: asyncio.sleep(seconds * 3))
        await busy.during(lambda: _rebuild(container))
    return [
        _slower(
            "reads of a signal during it, P50", quiet.reads, busy.reads, 0.5, Target(1.5, True)
        ),
        _slower("appends during it, P99", quiet.appends, busy.appends, 0.99, Target(4, True)),
    ]


def _slower(
    what: str, quiet: list[float], busy: list[float], share: float, target: Target
) -> Figure:
    before, during = (percentile(times, share) * 1_000 for times in (quiet, busy))
    return Figure(
        what,
        f"{during:.3f} ms",
        f"{before:.3f} ms before",
        during / before,
        None,
        target,
        (lower(during, "ms"), lower(during / before, "", "ratio")),
    )
