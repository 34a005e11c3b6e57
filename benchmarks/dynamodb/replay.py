"""Replay of the log on DynamoDB Local, against decoding the same batches from memory."""

import asyncio
import tracemalloc
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from time import perf_counter

import uvloop

from adapters.dynamodb.log.batches import Batch
from adapters.dynamodb.log.log import DynamoLog
from adapters.dynamodb.transport.capacity_meter import CapacityMeter
from adapters.eventstore.log import Append
from benchmarks.load.local_dynamodb import dynamodb, metered_log
from benchmarks.load.signal_events import SignalEvents, signal
from benchmarks.measuring.figures import Effort, Figure, Section, Target, amount, compared, lower
from tests.adapters.dynamodb.log.logs import open_log

GROUP, STREAMS = 64, 8
"""Events that were written together, and of how many streams they were."""
PAGE = 1_000
ONE_IN = 10
"""The part of the log that memory is measured on first."""


def run(folder: Path, effort: Effort) -> Section:
    events = SignalEvents.made(folder)
    with dynamodb(), asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop:
        figures = loop.run(_measure(events, effort))
    return Section("dynamodb-replay: the whole log", "the same batches in memory", figures)


async def _measure(events: SignalEvents, effort: Effort) -> list[Figure]:
    async with metered_log() as (metered, meter), open_log(metered.keys.application) as log:
        count = await _fill(log, events, 2 * effort.events)
        batches = [batch async for batch in log.reader.walk()]
        rates: tuple[list[float], list[float]] = ([], [])
        for _ in range(effort.rounds):
            rates[0].append(count / await _read(log, count))
            rates[1].append(count / _decoded(batches, count))
        meter.reset()
        await _read(metered, count)
        what = f"read and decode {count:,} events"
        return [
            compared(what, *rates, unit="events/s", target=Target(0.5)),
            _units(meter, count),
            await _memory(log, count),
        ]


async def _fill(log: DynamoLog, events: SignalEvents, wanted: int) -> int:
    each = GROUP // STREAMS
    for group in range(wanted // GROUP):
        versions = range(group * each + 1, (group + 1) * each + 1)
        placed = [(signal(n), version) for version in versions for n in range(STREAMS)]
        await log.append(Append([events.event(*place) for place in placed]))
    return await log.head()


async def _read(log: DynamoLog, count: int) -> float:
    started = perf_counter()
    reached = [position async for position in _positions(log)]
    assert reached[-1] == count
    return perf_counter() - started


async def _positions(log: DynamoLog) -> AsyncIterator[int]:
    after = 0
    while page := await log.read(after, PAGE):
        after = page[-1].position
        yield after


def _decoded(batches: Sequence[Batch], count: int) -> float:
    started = perf_counter()
    assert sum(len(batch.entries()) for batch in batches) == count
    return perf_counter() - started


def _units(meter: CapacityMeter, count: int) -> Figure:
    each = meter.total().read / count
    target = Target(0.05, at_most=True)
    return Figure(
        "… read units of an event", amount(each), "", each, None, target, (lower(each, "units"),)
    )


async def _memory(log: DynamoLog, count: int) -> Figure:
    """Peaks of what is held while reading a part, and while reading everything."""
    tracemalloc.start()
    try:
        part = whole = 0
        async for position in _positions(log):
            whole = tracemalloc.get_traced_memory()[1]
            part = part if position > count // ONE_IN else whole
    finally:
        tracemalloc.stop()
    return Figure(
        "… most memory held",
        f"{amount(whole / 1e6)} MB",
        f"{amount(part / 1e6)} MB, the first tenth",
        whole / part,
        None,
        Target(1.3, at_most=True),
        (lower(whole / 1e6, "MB"),),
    )
