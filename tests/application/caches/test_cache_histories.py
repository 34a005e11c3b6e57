"""
Two processes with one log, one set of tables and one Redis, which restarts and is flushed, while
the tables of the signals are filled anew.

Recorded histories of readers and writers are checked afterwards: no read is older than the
reader's own acknowledged write, or than the position it asked for; and what an answer shows is
what the log says at the position it tells, or at a later one.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from attrs import field, frozen, mutable
from dependency_injector import providers

from adapters.memory.engine import MemoryEngine
from application.caller import Caller
from application.evidence.progress import UNTOLD
from application.projections.signals import SIGNAL_BOARD
from application.reads.demand import NOTHING, Demand
from application.reads.position import Position
from application.signals.read_model import SignalKey
from domain.dataset.settings_validation import DatasetReport
from domain.ids import DatasetUrn
from entrypoints.container import Container, build
from entrypoints.server.followers import following
from entrypoints.settings.loading import load
from entrypoints.wiring.opening import close, open_log
from tests.adapters.cache.redis_servers import RedisServer, redis_server
from tests.adapters.dynamodb.support import dynamodb_local, environment
from tests.application.store import SETTINGS, VOLUME, report
from tests.support.scale import scaled

DATASETS = [DatasetUrn(f"urn:dp:orders:d{number}:v1") for number in range(3)]
ROUNDS = scaled(24, 400)


@frozen
class Wrote:
    dataset: DatasetUrn
    version: int
    position: int


@frozen
class Read:
    dataset: DatasetUrn
    version: int
    position: int
    must_show: int
    """The reader's own last write about the dataset, or the position asked for."""


@mutable
class History:
    writes: list[Wrote] = field(factory=list)
    reads: list[Read] = field(factory=list)

    def violations(self) -> Sequence[str]:
        """Versions count updates: what a position shows is how many were written by then."""
        found = []
        for read in self.reads:
            by_then = self._versions(read.dataset, read.position)
            needed = self._versions(read.dataset, read.must_show)
            if read.version < by_then:
                found.append(f"{read} tells a position at which there were {by_then}")
            if read.version < needed:
                found.append(f"{read} is older than what must be shown, {needed}")
        return found

    def _versions(self, dataset: DatasetUrn, position: int) -> int:
        of = [one.version for one in self.writes if one.dataset == dataset]
        by = [
            one.version
            for one in self.writes
            if one.dataset == dataset and one.position <= position
        ]
        assert len(of) == len(set(of))
        return max(by, default=0)


def test_the_check_finds_what_is_wrong() -> None:
    one = DATASETS[0]
    history = History([Wrote(one, 1, 10), Wrote(one, 2, 20)])
    history.reads = [Read(one, 1, 19, 10), Read(one, 2, 15, 20)]
    assert not history.violations()
    history.reads = [Read(one, 1, 20, 0), Read(one, 1, 10, 20)]
    assert len(history.violations()) == 2


def test_no_read_is_older_than_it_says_or_must_be(tmp_path: Path) -> None:
    history = History()

    async def scene(server: RedisServer) -> None:
        table, tables = dynamodb_local.unused_table("cached"), MemoryEngine()
        async with AsyncExitStack() as stack:
            processes = [
                await stack.enter_async_context(
                    process(tmp_path / name, table, tmp_path / "keys.json", tables, server)
                )
                for name in ("one", "two")
            ]
            admin = Caller("admin", roles=frozenset({"admin"}))
            for dataset in DATASETS:
                await processes[0].register_dataset()(DatasetReport(dataset, SETTINGS), by=admin)
            people = [
                person(f"p{number}", processes[number % 2], processes[1 - number % 2], history)
                for number in range(4)
            ]
            trouble = asyncio.create_task(troubling(server))
            rebuilt = asyncio.create_task(rebuilding(processes[0], admin))
            await asyncio.gather(*people)
            assert await rebuilt > 1
            trouble.cancel()
            await asyncio.gather(trouble, return_exceptions=True)
            hits = [
                (tally.layer, tally.hits)
                for one in processes
                for tally in (await one.caches().status()).tallies
            ]
            assert {layer for layer, count in hits if count} >= {"l1", "l2", "store"}

    with environment.surroundings(), redis_server() as server:
        asyncio.run(scene(server))
    assert len(history.writes) == 4 * ROUNDS // 4
    assert not history.violations()


async def person(name: str, here: Container, there: Container, history: History) -> None:
    """Writes every fourth time; reads here what it wrote, and there what it asks for."""
    by, dice = Caller(name, roles=frozenset({"admin"})), random.Random(name)
    own: dict[DatasetUrn, int] = {}
    for number in range(ROUNDS):
        dataset = dice.choice(DATASETS)
        if number % 4 == 0:
            window = report(number % 20, dataset=dataset, score=dice.random())
            updated = await here.update_signal()(window, by=by)
            history.writes.append(Wrote(dataset, updated.version, updated.position))
            own[dataset] = updated.position
        if dataset not in own:
            continue
        await _read(here, NOTHING, dataset, own[dataset], by, history)
        asked = Demand(min_position=Position(own[dataset]))
        await _read(there, asked, dataset, own[dataset], by, history)
        # Whoever must see nothing is told the truth all the same.
        other = Caller("somebody", roles=frozenset({"admin"}))
        await _read(dice.choice([here, there]), NOTHING, dataset, 0, other, history)


async def rebuilding(process: Container, by: Caller) -> int:
    """Fill the signals' tables anew meanwhile; tells which generation is read by then."""
    await process.rebuild()([SIGNAL_BOARD], UNTOLD, by=by, afresh=True)
    return (await process.pointers().numbers()).get(SIGNAL_BOARD, 1)


async def _read(
    process: Container,
    demand: Demand,
    dataset: DatasetUrn,
    must_show: int,
    by: Caller,
    history: History,
) -> None:
    answer = await process.read_signals()([_key(dataset)], demand=demand, by=by)
    (card,) = answer.value
    version = 0 if card is None else card.version
    history.reads.append(Read(dataset, version, answer.position, must_show))


def _key(dataset: DatasetUrn) -> SignalKey:
    return SignalKey(dataset, VOLUME)


async def troubling(server: RedisServer) -> None:
    """Flush Redis and start it again, over and over.

    The pauses only let reads and writes come in between. Nothing is expected of when they end:
    whatever the trouble meets, the whole history is judged.
    """
    while True:
        await asyncio.sleep(0.15)
        with server.client as client:
            client.flushall()
        await asyncio.sleep(0.15)
        await asyncio.to_thread(server.stop)
        await asyncio.sleep(0.05)
        await asyncio.to_thread(server.start)


@asynccontextmanager
async def process(
    folder: Path, table: str, keys: Path, tables: MemoryEngine, server: RedisServer
) -> AsyncIterator[Container]:
    container = build(
        load(
            {
                "STATESTORE_ENGINE": "dynamodb",
                "STATESTORE_DATA_DIR": str(folder),
                "STATESTORE_KEY_FILE": str(keys),
                "STATESTORE_DYNAMODB_TABLE": table,
                "STATESTORE_DYNAMODB_ENDPOINT_URL": dynamodb_local.endpoint(),
                "STATESTORE_READ_WAIT_SECONDS": "60",
                "STATESTORE_REDIS_URL": server.url,
                "STATESTORE_REDIS_TIMEOUT_MILLISECONDS": "500",
            },
            Path("no-such-file"),
        )
    )
    container.bare_tables.override(providers.Object(tables))
    try:
        await open_log(container)
        async with following(container, acts=False):
            yield container
    finally:
        await close(container)
