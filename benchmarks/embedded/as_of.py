"""
What reading the past costs: a signal with a thousand events, as it was, against as it is now.

Asked through HTTP, in the process, as callers ask; and at the use case, to see what the past
itself costs. Nothing is waited for and all happens on one thread, so its processor time is taken:
on a busy machine the longer of two requests is interrupted more often.
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from random import Random
from statistics import median
from time import thread_time

import httpx
import uvloop
from attrs import frozen

from application.reads.demand import NOTHING, Demand
from benchmarks.load.reports import caller, dataset_urn, report
from benchmarks.load.store import ENGINE, caught_up, running
from benchmarks.measuring import varied
from benchmarks.measuring.figures import Effort, Figure, Section, Target, compared
from domain.dataset.settings_validation import DatasetReport
from domain.ids import SIGNAL_TYPES, DatasetUrn, SignalType
from domain.timestamps import stamp
from entrypoints.container import Container
from entrypoints.http.app import create_app
from entrypoints.logs import configure
from entrypoints.settings.loading import load

EVENTS = 1_000
DATASET, SIGNAL = DatasetUrn(dataset_urn(0)), SignalType(SIGNAL_TYPES[0])

Ask = Callable[[datetime | None], Awaitable[object]]


def run(folder: Path, effort: Effort) -> Section:
    configure(load({"STATESTORE_LOG_LEVEL": "warning"}, folder / "no.env"))
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop:
        figures = loop.run(_measured(folder / "as-of", effort))
    return Section("as of: embedded", "the signal as it is now", figures)


async def _measured(folder: Path, effort: Effort) -> list[Figure]:
    async with running(folder) as container:
        moments = await _filled(container)
        await caught_up(container)
        over_http = _Contest(_http(container), moments)
        at_use_case = _Contest(_use_case(container), moments)
        what = f"a signal with {EVENTS:,} events as of any moment"
        return [
            await over_http.figure(f"{what}, over HTTP", effort, Target(3, at_most=True)),
            await at_use_case.figure("… at the use case", effort),
        ]


async def _filled(container: Container) -> list[datetime]:
    """When each event was recorded."""
    await container.register_dataset()(DatasetReport(DATASET, varied.settings(0)), by=ENGINE)
    for number in range(EVENTS):
        await container.update_signal()(report(DATASET, SIGNAL, number), by=caller(number))
    entries = await container.log().read(0, 2 * EVENTS)
    return [entry.recorded_at for entry in entries if entry.stream.startswith("signal-")]


@frozen
class _Contest:
    ask: Ask
    moments: list[datetime]

    async def figure(self, what: str, effort: Effort, target: Target | None = None) -> Figure:
        dice, then, now = Random(2026), list[float](), list[float]()
        for _ in range(effort.rounds):
            asked = dice.choices(self.moments, k=effort.reads // 10)
            now.append(await self._median([None] * len(asked)))
            then.append(await self._median([*asked]))
        return compared(what, then, now, unit="µs", target=target)

    async def _median(self, moments: list[datetime | None]) -> float:
        times = []
        for moment in moments:
            started = thread_time()
            await self.ask(moment)
            times.append(thread_time() - started)
        return median(times) * 1e6


def _use_case(container: Container) -> Ask:
    read_signal = container.read_signal()

    async def ask(moment: datetime | None) -> object:
        demand = NOTHING if moment is None else Demand(as_of=moment)
        return await read_signal(DATASET, SIGNAL, demand=demand, by=ENGINE)

    return ask


def _http(container: Container) -> Ask:
    client = httpx.AsyncClient(
        transport=httpx.ASGITransport(create_app(container)),
        base_url="http://statestore.test",
        headers={"Authorization": f"Bearer {container.identities().secret}"},
    )
    path = f"/api/v1/datasets/{DATASET}/signals/{SIGNAL}"

    async def ask(moment: datetime | None) -> object:
        answer = await client.get(path if moment is None else f"{path}?as_of={stamp(moment)}")
        assert answer.status_code == 200, answer.text
        return answer

    return ask
