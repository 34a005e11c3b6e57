"""
What the caches spare where a read of the table is a call: hits and misses on DynamoDB Local.

One store has both caches and one has none, on the same tables. They read the same signals, one
after another and in turns; times are elapsed ones, since whoever reads waits for them.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from time import perf_counter

from application.caller import Caller
from benchmarks.load.local_dynamodb import dynamodb, on_tables_of_its_own
from benchmarks.load.reports import dataset_urn, report
from benchmarks.load.store import ENGINE
from benchmarks.measuring import varied
from benchmarks.measuring.figures import Effort, Figure, compared
from domain.dataset.settings_validation import DatasetReport
from domain.ids import DatasetUrn, SignalType
from entrypoints.container import Container, build
from entrypoints.settings.loading import load
from entrypoints.wiring.opening import close, open_log, open_tables
from tests.adapters.dynamodb.support.environment import surroundings

SIGNALS = 50
PUT_WITHIN = 10.0
KIND = SignalType("VOLUME")
READER = Caller("reader", frozenset({"admin"}))
BOTH = {
    "STATESTORE_LOCAL_CACHE_ENTRIES": "10000",
    "STATESTORE_LOCAL_CACHE_TTL_MILLISECONDS": "60000",
}
NONE = {"STATESTORE_LOCAL_CACHE_ENTRIES": "0"}


async def figures(folder: Path, effort: Effort, redis: str) -> Sequence[Figure]:
    with dynamodb(), surroundings():
        shared = on_tables_of_its_own(folder)
        async with AsyncExitStack() as stack:
            cached = await stack.enter_async_context(
                _opened(folder / "cached", shared | BOTH | {"STATESTORE_REDIS_URL": redis})
            )
            bare = await stack.enter_async_context(_opened(folder / "bare", shared | NONE))
            await _fill(cached)
            return await _compared(cached, bare, effort.rounds)


async def _compared(cached: Container, bare: Container, rounds: int) -> Sequence[Figure]:
    table, missed, in_redis, in_process = [], [], [], []
    for _ in range(rounds + 1):
        table.append(await _walk(bare))
        await cached.clear_caches()(by=ENGINE)
        missed.append(await _walk(cached))
        await _only_in_redis(cached)
        in_redis.append(await _walk(cached))
        in_process.append(await _walk(cached))
    return [
        # The first round opens connections.
        compared(f"on DynamoDB Local, {what}", taken[1:], table[1:], unit="µs")
        for what, taken in (
            ("a hit in the process", in_process),
            ("a hit in Redis", in_redis),
            ("a miss of both", missed),
        )
    ]


async def _only_in_redis(container: Container) -> None:
    """They are put there without anybody waiting: it can only be asked whether they are there."""
    cache = container.row_cache()
    assert cache is not None
    assert cache.shared is not None
    async with asyncio.timeout(PUT_WITHIN):
        while await cache.shared.size() != SIGNALS:
            pass
    cache.local.clear()


async def _walk(container: Container) -> float:
    """Microseconds for each signal, all read once."""
    read, names = container.read_signal(), [dataset_urn(number) for number in range(SIGNALS)]
    began = perf_counter()
    for name in names:
        await read(DatasetUrn(name), KIND, by=READER)
    return (perf_counter() - began) / SIGNALS * 1e6


async def _fill(container: Container) -> None:
    for number in range(SIGNALS):
        dataset = DatasetUrn(dataset_urn(number))
        await container.register_dataset()(
            DatasetReport(dataset, varied.settings(number)), by=ENGINE
        )
        await container.update_signal()(report(dataset, KIND, 0), by=ENGINE)
    await container.runner().catch_up()


@asynccontextmanager
async def _opened(folder: Path, settings: dict[str, str]) -> AsyncIterator[Container]:
    given = settings | {"STATESTORE_DATA_DIR": str(folder)}
    container = build(load(given, folder / "no.env"))
    try:
        await open_log(container)
        await open_tables(container)
        yield container
    finally:
        await close(container)
