"""
What a signal update costs on DynamoDB all in: the log, rows, indexes, progress, leases.

64 callers update 500 signals of 100 datasets, window by window; a tenth of the windows is in
breach. Projections, policies and all else that a server runs are running. Beside it stand the same
updates in the layouts of the seeds, which keep a row and no history, or a history and no rows.
Units are counted by AWS's rules for what is really sent.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import uvloop
from attrs import evolve, frozen
from dependency_injector import providers

from adapters.dynamodb.items.item_table import ItemTable
from adapters.dynamodb.log.log import DynamoLog
from benchmarks.contenders import seed_layout
from benchmarks.contenders.bill import Bill
from benchmarks.contenders.direct_layout import DirectLayout
from benchmarks.load.local_dynamodb import dynamodb, on_tables_of_its_own
from benchmarks.load.reports import BREACH_EVERY, caller, dataset_urn, report
from benchmarks.load.signal_events import SignalEvents, signal
from benchmarks.load.store import AT_ONCE, caught_up, each
from benchmarks.measuring import varied
from benchmarks.measuring.figures import Effort, Figure, Section, Target, amount, lower
from domain.dataset.settings_validation import DatasetReport
from domain.signal.report import SignalReport
from entrypoints.container import Container, build
from entrypoints.server.followers import following
from entrypoints.settings.loading import load
from entrypoints.wiring.opening import close, open_log, open_tables
from tests.adapters.dynamodb.log.logs import retrying, sends_once
from tests.adapters.dynamodb.support import environment

TYPES = ("FRESHNESS", "VOLUME", "CONTRACT_COMPLIANCE", "SCHEMA", "LATENCY")
DATASETS = 100
SIGNALS = DATASETS * len(TYPES)
ALONE = 20
"""Updates of a caller who is alone, each after the one before was folded."""


def run(folder: Path, effort: Effort) -> Section:
    events = SignalEvents.made(folder)
    seed = seed_layout.write_units(events.event(signal(0), 1))
    windows = effort.events // SIGNALS
    with dynamodb(), asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop:
        measured = loop.run(_measured(folder / "write-units", windows))
    return Section(
        "write-units: a signal update all in", "the seeds' layouts", [*_figures(measured, seed)]
    )


@frozen
class Measured:
    updates: int
    spent: Mapping[str, float]
    direct: float
    """Units of all the updates in the layout that only has rows."""
    alone: float


def _figures(measured: Measured, seed: float) -> Iterator[Figure]:
    each = sum(measured.spent.values()) / measured.updates
    direct = measured.direct / measured.updates
    yield Figure(
        f"write units of an update, {AT_ONCE} callers",
        amount(each),
        f"{amount(direct)} without history; {amount(seed)} without rows",
        each,
        target=Target(4.5, at_most=True),
        measures=(lower(each, "units"),),
    )
    for what, units in sorted(measured.spent.items(), key=lambda part: -part[1]):
        one = units / measured.updates
        yield Figure(f"… {what}", f"{one:.3f}", measures=(lower(one, "units"),))
    yield Figure(
        "write units of an update, 1 caller",
        amount(measured.alone),
        measures=(lower(measured.alone, "units"),),
    )


async def _measured(folder: Path, windows: int) -> Measured:
    async with _serving(folder) as (container, bill):
        direct = DirectLayout()
        await _begin(container, direct)
        bill.units.clear()
        direct.units = 0.0
        for window in range(1, windows + 1):
            await _update_all(container, window, direct)
        await caught_up(container)
        spent, priced = dict(bill.units), direct.units
        alone = await _alone(container, bill, windows + 1, direct)
    return Measured(windows * SIGNALS, spent, priced, alone)


async def _begin(container: Container, direct: DirectLayout) -> None:
    """Every signal's first update lists its stream, once for ever: it is not counted."""
    register = container.register_dataset()
    await each(
        range(DATASETS),
        lambda n: register(DatasetReport(dataset_urn(n), varied.settings(n)), by=caller(n)),
    )
    await _update_all(container, 0, direct)
    await caught_up(container)


async def _update_all(container: Container, window: int, direct: DirectLayout) -> None:
    await each(range(SIGNALS), lambda number: _update(container, number, window, direct))


async def _update(container: Container, number: int, window: int, direct: DirectLayout) -> None:
    told = _report(number, window)
    direct.update(told)
    await container.update_signal()(told, by=caller(window * SIGNALS + number))


async def _alone(container: Container, bill: Bill, first: int, direct: DirectLayout) -> float:
    before = bill.total
    for window in range(first, first + ALONE):
        await _update(container, 0, window, direct)
        await caught_up(container)
    return (bill.total - before) / ALONE


def _report(number: int, window: int) -> SignalReport:
    """The signals are not in breach all at once."""
    told = report(
        dataset_urn(number % DATASETS), TYPES[number // DATASETS], window + number % BREACH_EVERY
    )
    return evolve(told, expected_version=window)


@asynccontextmanager
async def _serving(folder: Path) -> AsyncIterator[tuple[Container, Bill]]:
    """The store as a server runs it, and what it spends."""
    with environment.surroundings():
        container, bill = _built(folder)
        await open_log(container)
        await open_tables(container)
        try:
            async with following(container):
                yield container, bill
        finally:
            await close(container)


def _built(folder: Path) -> tuple[Container, Bill]:
    settings = load(on_tables_of_its_own(folder), folder / "no.env")
    container = build(settings)
    bill = Bill(retrying(sends_once()), settings.table_prefix)
    log = DynamoLog(ItemTable(bill, settings.dynamodb_table), now=container.clock().now)
    container.log.override(providers.Object(log))
    return container, bill
