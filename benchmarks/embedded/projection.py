"""
Projections catching up with a log: 500 signals, whose windows come in turn.

On SQLite the runner folds the log into the tables beside it in the same file, all projections;
compared with reading and decoding the same log and no more.

On DynamoDB Local the same runner folds the same log into tables there; compared with putting one
row for each fact through the same transport, with the same condition and as many calls in flight
as the runner has (32). Those rows are made beforehand: only the calls are timed. Beside it stands
the same with one call at a time, as a projection that takes fact after fact has it. What datasets
and the first windows cost is not counted there: it is paid once.
"""

import asyncio
import shutil
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from time import perf_counter, process_time
from zlib import crc32

import uvloop
from attrs import frozen

from adapters.dynamodb.rows.engine import DynamoEngine
from adapters.dynamodb.rows.row_changes import Write
from adapters.dynamodb.rows.row_items import row_item
from adapters.dynamodb.rows.row_writer import IN_FLIGHT, RowWriter
from adapters.dynamodb.transport.transport import Transport
from adapters.generations.draft import FeedUpTo
from adapters.read_models.view_store import TableCards
from adapters.row_layouts.catalogue import CATALOGUE, PROJECTION_STATE, SIGNAL_STATE
from adapters.row_layouts.engine import Row
from adapters.row_layouts.signal_rows import to_row
from application.projections.progress import Progress
from application.projections.runner import projection_runner
from application.recorded import Recorded
from application.signals.read_model import SignalView
from application.subscriptions.feed import Feed
from application.subscriptions.subscription import Subscription
from benchmarks.embedded.replay import fill
from benchmarks.load.local_dynamodb import dynamodb
from benchmarks.load.store import opened
from benchmarks.measuring import varied
from benchmarks.measuring.figures import Effort, Figure, Section, Target, compared
from domain.dataset.tier import Tier
from domain.signal.signal import Evaluated
from domain.stream_categories import dataset_of, signal_of
from entrypoints.container import Container
from entrypoints.wiring.opening import close
from tests.adapters.dynamodb.log.logs import retrying, sends_once
from tests.adapters.dynamodb.rows.engines import row_tables
from tests.adapters.dynamodb.support import dynamodb_local

SIGNALS = 500
PAGE = 4_096


def run(folder: Path, effort: Effort) -> Section:
    windows = max(2, effort.events // SIGNALS)
    container = opened(folder / "projection")
    try:
        fill(container, SIGNALS * windows, per_signal=windows)
    finally:
        asyncio.run(close(container))
    figures = [*_on_sqlite(folder / "projection", effort.rounds)]
    with dynamodb(), asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop:
        figures += loop.run(_on_dynamodb(folder / "projection", windows, effort))
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


def _on_sqlite(folder: Path, rounds: int) -> Iterator[Figure]:
    turns = [_sqlite_turn(folder) for _ in range(rounds)]
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


@frozen
class OnDynamoDB:
    """What takes turns there: each turn with tables of its own."""

    container: Container
    transport: Transport
    begun: int
    """The position up to which all datasets and signals have begun."""
    facts: int
    rows: Sequence[Row]

    async def fold(self) -> float:
        """Facts a second."""
        tables = row_tables(dynamodb_local.unused_table("bench") + "-")
        await tables.ensure(CATALOGUE)
        cards = TableCards(DynamoEngine(self.transport, tables), self.container.seals())
        await self._runner(FeedUpTo(self.container.log_feed(), self.begun), cards).catch_up()
        runner = self._runner(self.container.log_feed(), cards)
        return (self.facts - self.begun) / await _timed(runner.catch_up)

    async def put_each(self, at_once: int) -> float:
        """Rows a second; fewer of them if they go one at a time."""
        tables, rows = row_tables(dynamodb_local.unused_table("bench") + "-"), self.rows
        await tables.ensure([SIGNAL_STATE])
        writer = RowWriter(self.transport, PROJECTION_STATE.name, asyncio.Semaphore(at_once))
        name = tables.name(SIGNAL_STATE.name)
        writes = [Write(name, row_item(row)) for row in (rows if at_once > 1 else rows[::10])]
        return len(writes) / await _timed(lambda: writer.show(writes))

    def _runner(self, feed: Feed, cards: TableCards) -> Subscription:
        return projection_runner(self.container.projections(), feed, cards, Progress())


async def _on_dynamodb(folder: Path, windows: int, effort: Effort) -> list[Figure]:
    container, transport = opened(folder), retrying(sends_once())
    try:
        log = container.log_feed()
        facts = await container.log().head()
        begun = facts - SIGNALS * (windows - 1)
        rows = [*_rows(await log.read(begun, effort.reads))]
        turns = OnDynamoDB(container, transport, begun, facts, rows)
        return await _dynamodb_figures(turns, min(effort.rounds, 3))
    finally:
        await transport.close()
        await close(container)


async def _dynamodb_figures(turns: OnDynamoDB, rounds: int) -> list[Figure]:
    # The server's Java gets faster while it runs: nobody's first turn counts.
    await turns.put_each(IN_FLIGHT)
    ours, others, singles = [], [], []
    for _ in range(rounds):
        ours.append(await turns.fold())
        others.append(await turns.put_each(IN_FLIGHT))
        singles.append(await turns.put_each(1))
    what = f"fold {turns.facts - turns.begun:,} facts into tables on DynamoDB"
    return [
        compared(what, ours, others, unit="facts/s", target=Target(3)),
        compared("… against one call at a time", ours, singles, unit="facts/s"),
    ]


def _rows(facts: Sequence[Recorded]) -> Iterator[Row]:
    """What the board shows after each evaluation."""
    for recorded in facts:
        if isinstance(recorded.fact, Evaluated):
            yield to_row(_card(recorded, recorded.fact), recorded.position)


def _card(recorded: Recorded, fact: Evaluated) -> SignalView:
    evaluation, dataset = fact.evaluation, dataset_of(recorded.stream)
    number = crc32(dataset.encode())
    return SignalView(
        dataset=dataset,
        signal_type=signal_of(recorded.stream),
        evaluation=evaluation,
        state=evaluation.state,
        previous_state=None,
        state_changed_at=evaluation.window_end,
        breach_start=None,
        tier=[*Tier][number % 3],
        owner_team=varied.team(number),
        last_updated=recorded.at,
        version=fact.version,
    )
