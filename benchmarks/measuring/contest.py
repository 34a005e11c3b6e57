"""What two contenders for signal updates have in common: the work, and what is noted of it."""

from collections import deque
from collections.abc import Sequence
from itertools import count
from statistics import median
from time import perf_counter
from typing import Protocol

from attrs import define, field

from application.caller import Caller
from benchmarks.load.reports import caller, dataset_urn, report
from benchmarks.measuring.figures import Figure, lower, percentile
from domain.signal.report import SignalReport

SIGNALS = 64
MOST = 10_000
"""Updates a second that are prepared for: beyond it, making them counts as well."""


@define
class Turn:
    """One contender's turn. Its callers stop at the deadline, then the last update is awaited."""

    name: str
    callers: int
    seconds: float
    latencies: list[float] = field(factory=list)
    started: float = field(factory=perf_counter)
    ended: float = 0.0
    cpu: float = 0.0
    """Seconds of this process, whatever follows from the updates included."""

    def is_on(self) -> bool:
        return perf_counter() < self.started + self.seconds

    @property
    def most_updates(self) -> int:
        """Of each signal."""
        return int(self.seconds * MOST / SIGNALS)

    def signals_of(self, caller: int) -> range:
        """The numbers of the signals that only this caller updates, in turn."""
        return range(caller, SIGNALS, self.callers)

    def note(self, since: float) -> None:
        self.latencies.append(perf_counter() - since)

    def end(self) -> None:
        self.ended = perf_counter()

    @property
    def rate(self) -> float:
        return len(self.latencies) / (self.ended - self.started)

    def latency(self, share: float) -> float:
        """In milliseconds."""
        return percentile(self.latencies, share) * 1_000


class Updates:
    """Those of one signal, window after window, each by a request of its own.

    They are made before a turn: making one takes longer than it did to make them all alike.
    """

    def __init__(self, number: int, signal_type: str) -> None:
        self._number, self._signal_type = number, signal_type
        self._windows = count()
        self._made = deque[tuple[SignalReport, Caller]]()

    def prepare(self, number: int) -> None:
        while len(self._made) < number:
            self._made.append(self._next())

    def take(self) -> tuple[SignalReport, Caller]:
        return self._made.popleft() if self._made else self._next()

    def _next(self) -> tuple[SignalReport, Caller]:
        window = next(self._windows)
        told = report(dataset_urn(self._number), self._signal_type, window)
        return told, caller(window * SIGNALS + self._number)


class Contender(Protocol):
    def prepare(self, turn: Turn) -> None:
        """Make what the turn will need; this does not count."""
        ...

    def take(self, turn: Turn) -> None:
        """Update signals as fast as this many callers can, each update durable."""
        ...

    def close(self) -> None: ...


def cpu_figure(ours: list[Turn], other: list[Turn]) -> Figure:
    """What an update costs; unlike the rates, hardly moved by others on the machine."""
    cost, others = _cpu(ours), _cpu(other)
    return Figure(
        "… processor time of an update",
        f"{cost:,.0f} µs",
        f"{others:,.0f} µs",
        measures=(lower(cost, "µs"),),
    )


def _cpu(turns: list[Turn]) -> float:
    return median(turn.cpu / len(turn.latencies) for turn in turns) * 1e6


def latency_figure(ours: list[Turn], other: list[Turn]) -> Figure:
    p50, p99 = _latencies(ours)
    return Figure(
        "… latency P50 / P99",
        _of_latencies(ours),
        _of_latencies(other),
        measures=(lower(p50, "ms", "p50"), lower(p99, "ms", "p99")),
    )


def _of_latencies(turns: list[Turn]) -> str:
    return "{:.2f} / {:.2f} ms".format(*_latencies(turns))


def _latencies(turns: list[Turn]) -> Sequence[float]:
    """P50 and P99: medians of the rounds."""
    return [median(turn.latency(share) for turn in turns) for share in (0.50, 0.99)]
