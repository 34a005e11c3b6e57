"""
Incidents beside a busy stream of signal updates, in stores with few and with many of them.

Operations are paced: each has its moment, and its latency runs from that moment on, so that a store
which falls behind cannot look quick.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter

import uvloop
from attrs import define, evolve, field

from application.incidents.read_model import IncidentFilter
from application.reads.paging import PageRequest
from benchmarks.load.reports import BREACH_EVERY, caller, dataset_urn, report
from benchmarks.load.store import ENGINE, caught_up, each, running
from benchmarks.measuring import varied
from benchmarks.measuring.figures import (
    Effort,
    Figure,
    Section,
    Target,
    compared,
    higher,
    lower,
    percentile,
)
from domain.dataset.settings import IncidentPolicy
from domain.dataset.settings_validation import DatasetReport
from domain.ids import DatasetUrn, IncidentId
from domain.incident.patch import IncidentPatch, ReportedResolution
from domain.incident.report import IncidentReport
from domain.incident.values import IncidentStatus
from domain.versions import ANY_VERSION
from entrypoints.container import Container

UPDATES_A_SECOND, OPERATIONS_A_SECOND = 1_000, 100
SIGNALS = 500
FEW, MANY = 100, 10_000
LIMIT_MS = 50
KEPT_UP = 0.98
STEPS = 5
"""Of an incident: open, acknowledge, assign, note, resolve."""

Work = Callable[[int], Awaitable[object]]


def run(folder: Path, effort: Effort) -> Section:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop:
        figures = [
            *loop.run(_beside_updates(folder / "busy", effort)),
            *loop.run(_few_and_many(folder, effort)),
        ]
    return Section("incidents: embedded", "as the line says", figures)


# Beside signal updates.


@define
class Paced:
    """Does something so many times a second, whether or not the last one has ended."""

    rate: int
    do: Work
    latencies: list[float] = field(factory=list)
    took: float = 0.0

    async def run(self, seconds: float) -> None:
        started = perf_counter()
        tasks = []
        for number in range(int(self.rate * seconds)):
            due = started + number / self.rate
            if (early := due - perf_counter()) > 0:
                await asyncio.sleep(early)
            tasks.append(asyncio.create_task(self._one(number, due)))
        await asyncio.gather(*tasks)
        self.took = perf_counter() - started

    async def _one(self, number: int, due: float) -> None:
        await self.do(number)
        self.latencies.append(perf_counter() - due)

    @property
    def kept_up(self) -> float:
        """The share of the wanted rate that was reached."""
        return len(self.latencies) / self.took / self.rate

    def p99(self) -> float:
        return percentile(self.latencies, 0.99) * 1_000


async def _beside_updates(folder: Path, effort: Effort) -> Sequence[Figure]:
    async with running(folder) as container:
        await each(range(SIGNALS), lambda number: _watched(container, number))
        await caught_up(container)
        updates = Paced(UPDATES_A_SECOND, _updating(container))
        operations = Paced(OPERATIONS_A_SECOND, _operating(container))
        seconds = effort.seconds * effort.rounds
        await asyncio.gather(updates.run(seconds), operations.run(seconds))
        ended = perf_counter()
        await caught_up(container)
        lag = perf_counter() - ended
    limit = f"{LIMIT_MS} ms"
    return [
        _pace("signal updates", updates),
        _pace("incident operations beside them", operations),
        Figure(
            "… latency P99",
            f"{operations.p99():.1f} ms",
            limit,
            operations.p99() / LIMIT_MS,
            target=Target(1, at_most=True),
            measures=(lower(operations.p99(), "ms"),),
        ),
        Figure("… projections and policies caught up", f"{lag:.3f} s", measures=(lower(lag, "s"),)),
    ]


async def _watched(container: Container, number: int) -> None:
    """A dataset with an incident that the policies look at with every update."""
    patient = IncidentPolicy(auto_resolve_windows=100)
    await _register(container, number, patient)
    await container.update_signal()(report(dataset_urn(number), "FRESHNESS", 0), by=ENGINE)
    # What this signal fails for, whenever it does.
    breach = report(dataset_urn(number), "FRESHNESS", BREACH_EVERY - 1)
    said = _report(number, breach.failure_signature or "")
    await container.open_incident()(said, by=ENGINE)


def _pace(what: str, paced: Paced) -> Figure:
    reached = len(paced.latencies) / paced.took
    return Figure(
        what,
        f"{reached:,.0f} /s",
        f"{paced.rate:,} /s",
        paced.kept_up,
        target=Target(KEPT_UP),
        measures=(higher(reached, "/s"),),
    )


def _updating(container: Container) -> Work:
    windows, update = [count(1) for _ in range(SIGNALS)], container.update_signal()

    async def work(number: int) -> None:
        signal = number % SIGNALS
        told = report(dataset_urn(signal), "FRESHNESS", next(windows[signal]))
        # On a machine that falls behind, an update may overtake the one before it.
        await update(evolve(told, expected_version=ANY_VERSION), by=caller(number))

    return work


def _operating(container: Container) -> Work:
    """All steps of an incident, then those of the next one."""
    done: defaultdict[int, asyncio.Event] = defaultdict(asyncio.Event)

    async def work(number: int) -> None:
        which, step = divmod(number, STEPS)
        if step:
            await done[number - 1].wait()
        name = IncidentId(f"INC-{varied.ulid(1_770_000_000_000, which)}")
        if step:
            await container.change_incident()(name, _change(which, step), by=caller(number))
        else:
            # Failures that no signal reports: nothing reopens these incidents.
            said = _report(which, f"LATE_DATA:of_{which}.arrived_at")
            await container.open_incident()(evolve(said, incident_id=name), by=caller(number))
        done[number].set()

    return work


def _change(number: int, step: int) -> IncidentPatch:
    match step:
        case 1:
            return IncidentPatch(status="ACKNOWLEDGED")
        case 2:
            return IncidentPatch(assigns=True, oncall_user=varied.person(number))
        case 3:
            return IncidentPatch(note=varied.sentence(number, 2, 120))
        case _:
            cause, mitigation = (varied.sentence(number + n, 3, 60) for n in range(2))
            done = ReportedResolution(cause, mitigation if number % 3 else None)
            return IncidentPatch(status="RESOLVED", resolution=done)


def _report(number: int, signature: str) -> IncidentReport:
    return IncidentReport(
        dataset_urn(number % SIGNALS),
        ("FRESHNESS",),
        (signature,),
        varied.severity(number),
        title=varied.sentence(number, 3, 20) if number % 2 else None,
    )


async def _register(container: Container, number: int, policy: IncidentPolicy | None) -> None:
    settings = evolve(varied.settings(number), incident_policy=policy)
    await container.register_dataset()(
        DatasetReport(DatasetUrn(dataset_urn(number)), settings), by=ENGINE
    )


# Few and many.


async def _few_and_many(folder: Path, effort: Effort) -> Sequence[Figure]:
    async with running(folder / "few") as few, running(folder / "many") as many:
        stores = [(few, FEW), (many, MANY)]
        for container, incidents in stores:
            await _filled(container, incidents)
        listed = await _turns(stores, effort, _list)
        health = await _turns(stores, effort, _health)
    limit = Target(1.5, at_most=True)
    return [
        compared(f"a page of {MANY:,} open incidents", *listed, unit="µs", target=limit),
        compared(f"a dataset's health, with {MANY:,} open", *health, unit="µs", target=limit),
    ]


async def _filled(container: Container, incidents: int) -> None:
    """As many datasets in breach, each with an open incident."""

    async def one(number: int) -> None:
        await _register(container, number, None)
        await container.update_signal()(report(dataset_urn(number), "FRESHNESS", 0), by=ENGINE)
        said = evolve(_report(number, varied.signature(number)), dataset_urn=dataset_urn(number))
        await container.open_incident()(said, by=ENGINE)

    await each(range(incidents), one)
    await caught_up(container)


async def _turns(
    stores: Sequence[tuple[Container, int]],
    effort: Effort,
    read: Callable[[Container, int], Awaitable[object]],
) -> tuple[list[float], list[float]]:
    """Medians in microseconds of each round, in the large store and in the small one."""
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(effort.rounds):
        for (container, incidents), medians in zip(stores, reversed(taken), strict=True):
            times = []
            for number in range(effort.reads // 20):
                started = perf_counter()
                await read(container, number * 7 % incidents)
                times.append(perf_counter() - started)
            medians.append(median(times) * 1e6)
    return taken


async def _list(container: Container, _: int) -> None:
    wanted = IncidentFilter(statuses=(IncidentStatus.OPEN,))
    page = (await container.list_incidents()(wanted, PageRequest(50), by=ENGINE)).value
    assert len(page.items) == 50


async def _health(container: Container, number: int) -> None:
    health = (await container.read_health()(DatasetUrn(dataset_urn(number)), by=ENGINE)).value
    assert len(health.incidents) == 1
