"""
What the caches are worth: a hit of each layer against the table, and how often each is hit.

Times are the processor's, at the use case's read. The workload is a zipf one with a writer beside
it: the share that each layer answers is printed beside what was expected of it (60 % and 30 %).
The last lines are of DynamoDB Local, against a store on the same tables that has no caches.
"""

import asyncio
import itertools
from collections import Counter
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, process_time

import uvloop
from attrs import evolve

from application.caller import Caller
from benchmarks.dynamodb import cache
from benchmarks.load.reports import caller, dataset_urn, report
from benchmarks.load.store import ENGINE, followers, stop
from benchmarks.measuring import varied
from benchmarks.measuring.figures import Effort, Figure, Section, Target, amount, lower
from domain.dataset.settings_validation import DatasetReport
from domain.ids import DatasetUrn, SignalType
from entrypoints.container import Container, build
from entrypoints.settings.loading import load
from entrypoints.wiring.opening import close
from tests.adapters.cache.redis_servers import redis_server

DATASETS = 500
READ = 100
"""So many of them are read to see what a read costs."""
KIND = SignalType("VOLUME")
READER = Caller("reader", frozenset({"admin"}))
HIT_WITHIN = 20.0
"""Microseconds of a hit in the process."""
FOR_EVER = {
    "STATESTORE_LOCAL_CACHE_ENTRIES": "10000",
    "STATESTORE_LOCAL_CACHE_TTL_MILLISECONDS": "60000",
}


def run(folder: Path, effort: Effort) -> Section:
    with redis_server() as server, asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop:
        redis = {"STATESTORE_REDIS_URL": server.url}
        bare, _ = loop.run(_cost(folder / "bare", effort, {}))
        local, lookup = loop.run(_cost(folder / "local", effort, FOR_EVER))
        none = {"STATESTORE_LOCAL_CACHE_ENTRIES": "0"}
        shared, _ = loop.run(_cost(folder / "shared", effort, redis | none))
        telling = loop.run(_telling(folder / "telling", effort, redis | none))
        shares = loop.run(_shares(folder / "zipf", effort, redis))
        on_dynamodb = loop.run(cache.figures(folder / "dynamodb", effort, server.url))
    hit = Target(HIT_WITHIN, at_most=True)
    return Section(
        "cache: a signal read by name",
        "the embedded table",
        [
            Figure(
                "a hit in the process, in µs",
                amount(local),
                amount(bare),
                local,
                target=hit,
                measures=(lower(local, "µs"),),
            ),
            Figure("… of which the lookup, as the cache status tells", lookup),
            Figure(
                "a hit in Redis, in µs",
                amount(shared),
                amount(bare),
                shared / bare,
                measures=(lower(shared, "µs"),),
            ),
            Figure(
                "a change told to Redis by the outbox, in µs",
                amount(telling),
                measures=(lower(telling, "µs"),),
            ),
            Figure("answered by the process", f"{shares['l1']:.0%}", "60 %, expected"),
            Figure("answered by Redis", f"{shares['l2']:.0%}", "30 %, expected"),
            Figure("answered by the table", f"{shares['store']:.0%}", "10 %, expected"),
            *on_dynamodb,
        ],
    )


async def _cost(folder: Path, effort: Effort, more: dict[str, str]) -> tuple[float, str]:
    """Microseconds of processor time for a read that was made before, and how long L1 took."""
    container = _opened(folder, more)
    try:
        await _fill(container, READ)
        read, taken = container.read_signal(), list[float]()
        for dataset in _named(READ):
            await read(dataset, KIND, by=READER)
        for _ in range(effort.rounds):
            names = _named(effort.reads)
            began = process_time()
            for dataset in names:
                await read(dataset, KIND, by=READER)
            taken.append((process_time() - began) / effort.reads)
        return median(taken) * 1e6, await _looked_up(container)
    finally:
        await close(container)


def _named(reads: int) -> list[DatasetUrn]:
    """Those that are read, in turn; as requests bring them, each as a text of its own."""
    return [DatasetUrn(dataset_urn(number % READ)) for number in range(reads)]


async def _looked_up(container: Container) -> str:
    for one in (await container.caches().status()).tallies:
        if one.layer == "l1" and one.p50_seconds and one.p99_seconds:
            return f"P50 {one.p50_seconds * 1e6:.1f}, P99 {one.p99_seconds * 1e6:.1f} µs"
    return ""


async def _telling(folder: Path, effort: Effort, more: dict[str, str]) -> float:
    """Microseconds of processor time for a fact of which Redis is told from the log."""
    container = _opened(folder, more)
    try:
        await _fill(container, DATASETS)
        outbox, update = container.copies_outbox(), container.update_signal()
        assert outbox is not None, "there is a Redis"
        await outbox.catch_up()
        for number in range(effort.reads):
            told = report(dataset_urn(number % DATASETS), KIND, number // DATASETS + 1)
            await update(evolve(told, expected_version=-1), by=caller(number))
        await container.runner().catch_up()
        began = process_time()
        await outbox.catch_up()
        return (process_time() - began) / effort.reads * 1e6
    finally:
        await close(container)


async def _shares(folder: Path, effort: Effort, more: dict[str, str]) -> dict[str, float]:
    """Which share of the reads each layer answered, with a writer beside them."""
    container = _opened(folder, more)
    try:
        await _fill(container, DATASETS)
        await container.clear_caches()(by=ENGINE)
        await container.runner().resume()
        tasks = [*followers(container), asyncio.create_task(_write(container))]
        await _read(container, effort.seconds * effort.rounds)
        # Whatever ended early would make the figures worthless.
        assert not any(task.done() for task in tasks)
        await stop(tasks)
        hits = Counter[str]()
        for tally in (await container.caches().status()).tallies:
            hits[tally.layer] += tally.hits
        total = hits["l1"] + hits["l2"] + hits["store"]
        return {layer: hits[layer] / total for layer in ("l1", "l2", "store")}
    finally:
        await close(container)


async def _read(container: Container, seconds: float) -> None:
    dice, read = Random(2026), container.read_signal()
    weights = list(itertools.accumulate(1 / (rank + 1) for rank in range(DATASETS)))
    ended = perf_counter() + seconds
    while perf_counter() < ended:
        for number in dice.choices(range(DATASETS), cum_weights=weights, k=20):
            await read(DatasetUrn(dataset_urn(number)), KIND, by=READER)
        # A pace rather than a flood: shares are measured, not rates.
        await asyncio.sleep(0.002)


async def _write(container: Container) -> None:
    dice, update = Random(7), container.update_signal()
    for window in itertools.count(1):
        told = report(dataset_urn(dice.randrange(DATASETS)), KIND, window % 100)
        await update(evolve(told, expected_version=-1), by=caller(window))
        await asyncio.sleep(0.01)  # at most a hundred changes a second


async def _fill(container: Container, datasets: int) -> None:
    for number in range(datasets):
        dataset = DatasetUrn(dataset_urn(number))
        await container.register_dataset()(
            DatasetReport(dataset, varied.settings(number)), by=ENGINE
        )
        await container.update_signal()(report(dataset, KIND, 0), by=ENGINE)
    await container.runner().catch_up()


def _opened(folder: Path, more: dict[str, str]) -> Container:
    return build(load({"STATESTORE_DATA_DIR": str(folder), **more}, folder / "no.env"))
