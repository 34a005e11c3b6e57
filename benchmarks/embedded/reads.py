"""Reading one signal's state must cost the same in a small store and in a large one."""

import asyncio
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

import uvloop
from attrs import frozen

from adapters.read_models.signals import TableSignals
from adapters.row_layouts.catalogue import SIGNAL_STATE
from adapters.row_layouts.engine import Put, RowStore
from adapters.row_layouts.signal_rows import to_row
from application.signals.read_model import SignalReadModel, SignalView
from benchmarks.load.reports import WINDOW, dataset_urn, report
from benchmarks.load.store import opened
from benchmarks.measuring import varied
from benchmarks.measuring.figures import Effort, Section, Target, compared
from domain.dataset.tier import Tier
from domain.ids import SIGNAL_TYPES, DatasetUrn, SignalType
from entrypoints.container import Container
from entrypoints.wiring.opening import close

FEW, MANY = 1_000, 100_000
BATCH = 5_000

Key = tuple[DatasetUrn, SignalType]


def run(folder: Path, effort: Effort) -> Section:
    few, many = (opened(folder / f"reads-{rows}") for rows in (FEW, MANY))
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop:
            return loop.run(_measure(few, many, effort))
    finally:
        asyncio.run(close(few))
        asyncio.run(close(many))


async def _measure(few: Container, many: Container, effort: Effort) -> Section:
    dice = Random(2026)
    times: tuple[list[float], list[float]] = ([], [])
    boards = [await _filled(few, FEW), await _filled(many, MANY)]
    for _ in range(effort.rounds):
        for board, taken in zip(boards, times, strict=True):
            taken.append(await board.read(dice.choices(range(board.rows), k=effort.reads)))
    what = f"one signal of {MANY:,}, random"
    figure = compared(what, times[1], times[0], unit="µs", target=Target(1.5, at_most=True))
    return Section("reads: a signal's state", f"one of {FEW:,}", [figure])


@frozen
class _Filled:
    board: SignalReadModel
    rows: int

    async def read(self, numbers: list[int]) -> float:
        """The median time of a read in microseconds."""
        times = []
        for number in numbers:
            dataset, signal_type = _key(number)
            started = perf_counter()
            card = await self.board.find(dataset, signal_type)
            times.append(perf_counter() - started)
            assert card is not None
        return median(times) * 1e6


async def _filled(container: Container, rows: int) -> _Filled:
    engine: RowStore = container.table_engine()
    for first in range(0, rows, BATCH):
        numbers = range(first, min(first + BATCH, rows))
        puts = [Put(SIGNAL_STATE.name, to_row(_card(number), number + 1)) for number in numbers]
        await engine.write("signal-state", puts, upto=numbers[-1] + 1)
    board = TableSignals(engine, container.clock(), container.hot_datasets())
    return _Filled(board, rows)


def _key(number: int) -> Key:
    dataset, kind = divmod(number, len(SIGNAL_TYPES))
    return DatasetUrn(dataset_urn(dataset)), SignalType(SIGNAL_TYPES[kind])


def _card(number: int) -> SignalView:
    dataset, signal_type = _key(number)
    dataset_number = number // len(SIGNAL_TYPES)
    told = report(dataset, signal_type, number % 100)
    assert told.window_end
    at = told.window_end + WINDOW
    evaluation = told.parse(at=at).evaluated(at)
    return SignalView(
        dataset=dataset,
        signal_type=signal_type,
        evaluation=evaluation,
        state=evaluation.state,
        previous_state=None,
        state_changed_at=evaluation.window_end,
        breach_start=None,
        tier=[*Tier][dataset_number % 3],
        owner_team=varied.team(dataset_number),
        last_updated=at,
        version=number % 100 + 1,
    )
