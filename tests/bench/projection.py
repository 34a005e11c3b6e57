"""
Projections catching up with a log: 500 signals, whose windows come in turn.

On SQLite the log, and the tables beside it in the same file, are folded by the runner of all
projections; compared with reading and decoding the same log and no more.

On DynamoDB Local the log and the tables lie there, and the same runner folds; compared with
putting one row for each fact through the same transport, with the same condition and as many calls
in flight as the runner has (32). Those rows are made beforehand: only the calls are timed. Beside
it stands the same with one call at a time, as a projection that takes fact after fact has it.
"""

import asyncio
import shutil
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from time import perf_counter, process_time

import uvloop
from attrs import frozen

from adapters.dynamodb.engine import DynamoEngine
from adapters.dynamodb.row_changes import Write
from adapters.dynamodb.row_items import row_item
from adapters.dynamodb.row_writer import IN_FLIGHT, RowWriter
from adapters.tables.cards import TableCards
from adapters.tables.catalogue import CATALOGUE, PROJECTION_STATE, SIGNAL_STATE
from adapters.tables.engine import Row
from adapters.tables.signal_rows import to_row
from application.ports.feed import Feed
from application.ports.signal_board import SignalCard
from application.projections.progress import Progress
from application.projections.runner import Runner
from application.recorded import Recorded
from domain.ids import dataset_of, signal_of
from domain.signal_state import Evaluated
from domain.tier import Tier
from entrypoints.container import Container, build, close, open_log
from entrypoints.settings import load
from tests.adapters.dynamodb import aws, local
from tests.adapters.dynamodb.row_engines import row_tables
from tests.bench.figures import Effort, Figure, Section, Target, compared
from tests.bench.local_dynamodb import dynamodb, on_tables_of_its_own
from tests.bench.replay import fill, history
from tests.bench.store import opened

SIGNALS = 500
PAGE = 4_096
STREAMS_OF_AN_APPEND = 98


def run(folder: Path, effort: Effort) -> Section:
    windows = max(1, effort.events // SIGNALS)
    figures = [*_on_sqlite(folder / "projection", effort, windows)]
    with dynamodb(), asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop:
        figures += loop.run(_on_dynamodb(folder / "projected", effort, windows))
    return Section("projection: catching up", "decoding; a row for each fact", figures)


async def _timed(work: Callable[[], Awaitable[object]]) -> float:
    started = perf_counter()
    await work()
    return perf_counter() - started


async def _decode(feed: Feed) -> None:
    after = 0
    while facts := await feed.read(after, PAGE):
        after = facts[-1].position


# SQLite.


def _on_sqlite(folder: Path, effort: Effort, windows: int) -> Iterator[Figure]:
    container = opened(folder)
    fill(container, SIGNALS * windows, per_signal=windows)
    asyncio.run(close(container))
    turns = [_sqlite_turn(folder) for _ in range(effort.rounds)]
    rates = [one.folded for one in turns], [one.decoded for one in turns]
    what = f"fold {turns[0].facts:,} facts into tables on SQLite"
    yield compared(what, *rates, unit="facts/s", target=Target(0.5))
    yield compared(
        "… processor time of a fact",
        [one.fold_cpu for one in turns],
        [one.decode_cpu for one in turns],
        unit="µs",
    )


@frozen
class SqliteTurn:
    facts: int
    folded: float
    """A second, as is what was decoded."""
    decoded: float
    fold_cpu: float
    """Microseconds of this process for a fact, as is that of decoding."""
    decode_cpu: float


def _sqlite_turn(folder: Path) -> SqliteTurn:
    """On a copy of the file: its tables are empty."""
    copy = folder.with_name("turn")
    shutil.copytree(folder, copy)
    container = opened(copy)
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop:
            return loop.run(_sqlite_times(container))
    finally:
        asyncio.run(close(container))
        shutil.rmtree(copy)


async def _sqlite_times(container: Container) -> SqliteTurn:
    facts = await container.log().head()
    spent = process_time()
    folding = await _timed(container.runner().catch_up)
    between = process_time()
    decoding = await _timed(lambda: _decode(container.log_feed()))
    fold_cpu, decode_cpu = between - spent, process_time() - between
    return SqliteTurn(
        facts,
        facts / folding,
        facts / decoding,
        fold_cpu / facts * 1e6,
        decode_cpu / facts * 1e6,
    )


# DynamoDB.


async def _on_dynamodb(folder: Path, effort: Effort, windows: int) -> list[Figure]:
    with aws.surroundings():
        container = build(load(on_tables_of_its_own(folder), folder / "no.env"))
        await open_log(container)
        try:
            for append in history(container, SIGNALS * windows, STREAMS_OF_AN_APPEND, windows):
                await container.log().append(append)
            return await _dynamodb_figures(container, effort.rounds)
        finally:
            await close(container)


async def _dynamodb_figures(container: Container, rounds: int) -> list[Figure]:
    facts, rows = await container.log().head(), [*_rows(await _all(container.log_feed()))]
    few = rows[: len(rows) // 10]
    rates: tuple[list[float], list[float], list[float]] = ([], [], [])
    # The server's Java gets faster while it runs: nobody's first turn counts.
    await _fold(container)
    await _put_each(container, rows, IN_FLIGHT)
    for _ in range(rounds):
        rates[0].append(facts / await _fold(container))
        rates[1].append(len(rows) / await _put_each(container, rows, IN_FLIGHT))
        rates[2].append(len(few) / await _put_each(container, few, 1))
    what = f"fold {facts:,} facts into tables on DynamoDB"
    return [
        compared(what, rates[0], rates[1], unit="facts/s", target=Target(3)),
        compared("… against one call at a time", rates[0], rates[2], unit="facts/s"),
    ]


async def _all(feed: Feed) -> Sequence[Recorded]:
    facts: list[Recorded] = []
    while page := await feed.read(len(facts), PAGE):
        facts += page
    return facts


async def _fold(container: Container) -> float:
    """Seconds of filling new tables."""
    engine = await _new_engine(container)
    cards = TableCards(engine, container.seals())
    runner = Runner(container.projections(), container.log_feed(), cards, Progress())
    return await _timed(runner.catch_up)


async def _put_each(container: Container, rows: Sequence[Row], at_once: int) -> float:
    """Seconds of putting all rows, one after the other, into a new table."""
    prefix = local.unused_table("bench") + "-"
    await row_tables(prefix).ensure([SIGNAL_STATE])
    transport = container.log().table.transport
    writer = RowWriter(transport, PROJECTION_STATE.name, asyncio.Semaphore(at_once))
    table = prefix + SIGNAL_STATE.name
    writes = [Write(table, row_item(row)) for row in rows]
    return await _timed(lambda: writer.show(writes))


async def _new_engine(container: Container) -> DynamoEngine:
    tables = row_tables(local.unused_table("bench") + "-")
    await tables.ensure(CATALOGUE)
    return DynamoEngine(container.log().table.transport, tables)


def _rows(facts: Sequence[Recorded]) -> Iterator[Row]:
    """What the board shows after each evaluation."""
    for recorded in facts:
        if isinstance(recorded.fact, Evaluated):
            yield to_row(_card(recorded, recorded.fact), recorded.position)


def _card(recorded: Recorded, fact: Evaluated) -> SignalCard:
    evaluation = fact.evaluation
    return SignalCard(
        dataset=dataset_of(recorded.stream),
        signal_type=signal_of(recorded.stream),
        evaluation=evaluation,
        state=evaluation.state,
        previous_state=None,
        state_changed_at=evaluation.window_end,
        breach_start=None,
        tier=Tier.TIER_1,
        owner_team="orders",
        last_updated=recorded.at,
        version=fact.version,
    )
