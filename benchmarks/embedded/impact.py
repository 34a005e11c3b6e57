"""What lies downstream of a dataset that a thousand jobs depend on, directly or not."""

import asyncio
from datetime import timedelta
from pathlib import Path
from statistics import median
from time import perf_counter

import uvloop

from adapters.system.clock import SystemClock
from benchmarks.load.reports import dataset_urn
from benchmarks.load.store import ENGINE, caught_up, each, running
from benchmarks.measuring import varied
from benchmarks.measuring.figures import Effort, Figure, Section, Target, lower, percentile
from domain.ids import DatasetUrn
from domain.lineage.report import LineageReport, ReportedEntry
from entrypoints.container import Container

FANOUT = 10
READERS = 1_000
LIMIT_MS = 50


def run(folder: Path, effort: Effort) -> Section:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop:
        times = loop.run(_measured(folder / "impact", effort))
    figure = Figure(
        f"impact of a dataset with {READERS:,} transitive readers, P50",
        f"{median(times):.1f} ms",
        f"{LIMIT_MS} ms",
        median(times) / LIMIT_MS,
        target=Target(1, at_most=True),
        measures=(lower(median(times), "ms"),),
    )
    p95 = percentile(times, 0.95)
    worst = Figure("… P95", f"{p95:.1f} ms", measures=(lower(p95, "ms"),))
    return Section("impact: embedded", "the limit", [figure, worst])


async def _measured(folder: Path, effort: Effort) -> list[float]:
    async with running(folder) as container:
        await each(range(READERS), lambda number: _declare(container, number))
        await caught_up(container)
        return [await _walked(container) for _ in range(effort.rounds * 10)]


async def _walked(container: Container) -> float:
    """In milliseconds."""
    started = perf_counter()
    impact = (await container.read_impact()(_dataset(0), by=ENGINE)).value
    taken = perf_counter() - started
    assert len(impact.entities) == READERS
    return taken * 1_000


async def _declare(container: Container, number: int) -> None:
    """Job n reads dataset n / FANOUT and writes dataset n + 1: a tree, ten jobs a dataset."""
    job, commit = f"job:{varied.producer_id(number)}", varied.commit(number)
    name = varied.sentence(number, 1, 6)
    read, written = (
        (ReportedEntry(_dataset(one), job, name, varied.entity_type(number)),)
        for one in (number // FANOUT, number + 1)
    )
    said = LineageReport(
        spec_id=f"lspec:{job}:git:{commit[:7]}",
        confidence=varied.confidence(number),
        commit=commit,
        updated_at=SystemClock().now() - timedelta(seconds=60 + number),
        dataset_reads=read,
        dataset_writes=written,
    )
    await container.declare_lineage()(said, by=ENGINE)


def _dataset(number: int) -> DatasetUrn:
    return DatasetUrn(dataset_urn(number))
