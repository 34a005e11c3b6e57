"""
Replay: the stored log read, decoded and folded, against the same bytes that lie in memory.

Both run the same code and end in the same states; what lies between them is what reading the
SQLite file costs.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from itertools import chain, count
from pathlib import Path
from time import perf_counter
from typing import Any

from attrs import frozen

from adapters.eventstore.log import Append, Log, LogEntry, NewEvent
from adapters.eventstore.mapper import Mapper
from application.caller import Caller
from benchmarks.load.reports import WINDOW, caller, dataset_urn, report
from benchmarks.measuring import varied
from benchmarks.measuring.figures import Effort, Section, Target, compared
from domain.dataset.config import DatasetConfig
from domain.ids import DatasetUrn, SignalType
from domain.signal.signal import SignalFact, SignalState
from domain.stream_categories import dataset_stream, signal_stream
from domain.streams import StreamId
from entrypoints.container import Container, build
from entrypoints.settings.loading import load
from entrypoints.wiring.opening import close

PAGE = 1_000
PER_SIGNAL = 400
"""More windows than a horizon holds, so that folding forgets some."""

States = dict[str, Any]


def run(folder: Path, effort: Effort) -> Section:
    container = build(load({"STATESTORE_DATA_DIR": str(folder / "replay")}, folder / "no.env"))
    try:
        fill(container, effort.events)
        return asyncio.run(_measure(container.log(), container.mapper(), effort.rounds))
    finally:
        asyncio.run(close(container))


async def _measure(log: Log, mapper: Mapper, rounds: int) -> Section:
    memory = [page async for page in _stored(log)]
    events = sum(map(len, memory))
    rates: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        stored, from_file = await _timed(_stored(log), mapper)
        kept, from_memory = await _timed(_kept(memory), mapper)
        assert stored == kept, "the file and the memory tell different stories"
        rates[0].append(events / from_file)
        rates[1].append(events / from_memory)
    what = f"read, decode and fold {events:,} events"
    figure = compared(what, *rates, unit="events/s", target=Target(0.6))
    return Section("replay: the whole log", "the same bytes in memory", [figure])


async def _timed(pages: AsyncIterator[Sequence[LogEntry]], mapper: Mapper) -> tuple[States, float]:
    started = perf_counter()
    states: States = {}
    async for page in pages:
        for entry in page:
            before = states.get(entry.stream) or _zero(entry.stream)
            states[entry.stream] = before.after(mapper.recorded(entry).fact)
    return states, perf_counter() - started


def _zero(stream: str) -> SignalState | DatasetConfig:
    return SignalState() if stream.startswith("signal-") else DatasetConfig()


async def _stored(log: Log) -> AsyncIterator[Sequence[LogEntry]]:
    after = 0
    while page := await log.read(after, PAGE):
        yield page
        after = page[-1].position


async def _kept(memory: Sequence[Sequence[LogEntry]]) -> AsyncIterator[Sequence[LogEntry]]:
    for page in memory:
        yield page


# A history to replay, decided by the domain and appended in large groups.


@frozen
class _Writing:
    mapper: Mapper
    new_id: Callable[[], bytes]

    def events(
        self, stream: StreamId, facts: Sequence[object], by: Caller, after: int = 0
    ) -> list[NewEvent]:
        return [
            self.mapper.event(stream, version, fact, event_id=self.new_id(), by=by)
            for version, fact in enumerate(facts, after + 1)
        ]


def fill(container: Container, events: int, *, per_signal: int = PER_SIGNAL) -> None:
    writing = _Writing(container.mapper(), container.ulids().raw)
    signals = range(max(1, events // per_signal))
    told = chain.from_iterable(_interleaved(writing, signals, per_signal))
    appended = [container.log().submit(Append(page)) for page in _pages(told)]
    for done in appended:
        done.result()


def _interleaved(writing: _Writing, signals: range, per_signal: int) -> Iterator[list[NewEvent]]:
    """All signals move on together, as they do in life."""
    datasets = [DatasetUrn(dataset_urn(number)) for number in signals]
    for number, dataset in enumerate(datasets):
        registered = DatasetConfig().register(dataset, varied.settings(number))
        yield writing.events(dataset_stream(dataset), registered, caller(number))
    requests = count(len(datasets))
    states, versions = dict.fromkeys(datasets, SignalState()), dict.fromkeys(datasets, 0)
    for number in range(per_signal):
        for dataset in datasets:
            facts = _evaluated(states[dataset], dataset, number)
            stream = signal_stream(dataset, SignalType("FRESHNESS"))
            by = caller(next(requests))
            yield writing.events(stream, facts, by, after=versions[dataset])
            versions[dataset] += len(facts)
            for fact in facts:
                states[dataset] = states[dataset].after(fact)


def _evaluated(state: SignalState, dataset: DatasetUrn, number: int) -> Sequence[SignalFact]:
    told = report(dataset, "FRESHNESS", number)
    assert told.window_end
    evaluation = told.parse(at=told.window_end).evaluated(told.window_end + WINDOW)
    return state.evaluate(evaluation, expected_version=number)


def _pages(events: Iterator[NewEvent]) -> Iterator[list[NewEvent]]:
    page: list[NewEvent] = []
    for event in events:
        page.append(event)
        if len(page) == PAGE:
            yield page
            page = []
    if page:
        yield page
