"""
Signal updates over gRPC: 3,000 a second with P99 under 50 ms, and what a durable call costs.

Paced, in batches and as a stream, for as long as all rounds take together; then as fast as it goes.
Single updates take turns with empty calls of the same server class in the same process.
"""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.load.loads import Load, Way
from benchmarks.load.prepared import KINDS, MOVING, STREAM, UPDATE, UPDATE_MANY, Windows
from benchmarks.load.stocked import Bench, Spending, bench, busy_figure
from benchmarks.measuring.against_empty import against_empty
from benchmarks.measuring.figures import Effort, Figure, Section, Target, higher
from benchmarks.measuring.paced import paced

WANTED, LIMIT_MS = 3_000, 50
BATCH, MESSAGE = 50, 10
MOST = 15_000
"""Updates a second that are prepared for: more are not expected."""
MOST_SINGLY = 5_000
WARM_UP = 30.0
"""Seconds at most."""


def run(folder: Path, effort: Effort) -> Section:
    windows = Windows()
    with bench(folder / "grpc-updates") as ground:
        ground.take(warm_up(windows))
        figures = [
            *_paced(ground, paced_batches(windows, effort.rounds * effort.seconds)),
            *_paced(ground, _stream(windows, effort)),
            *_fast(ground, windows, effort),
            *_single(ground, windows, effort),
        ]
    return Section("grpc-updates: signal updates over gRPC", "as the line says", figures)


def warm_up(windows: Windows) -> Load:
    """Every signal once: after a start, none is in memory."""
    signals = len(MOVING) * len(KINDS)
    requests = windows.in_batches(signals // BATCH, of=BATCH)
    return Load("warming up", UPDATE_MANY, requests, WARM_UP, callers=1, each=BATCH, again=False)


def paced_batches(windows: Windows, seconds: float) -> Load:
    requests = windows.in_batches(int(seconds * WANTED / BATCH) + 1, of=BATCH)
    return Load(
        f"updates in batches of {BATCH}",
        UPDATE_MANY,
        requests,
        seconds,
        rate=WANTED / BATCH,
        each=BATCH,
        again=False,
    )


def _stream(windows: Windows, effort: Effort) -> Load:
    seconds = effort.rounds * effort.seconds
    requests = windows.in_batches(int(seconds * WANTED / MESSAGE) + 1, of=MESSAGE)
    return Load(
        f"updates on a stream, {MESSAGE} a message",
        STREAM,
        requests,
        seconds,
        rate=WANTED / MESSAGE,
        each=MESSAGE,
        way=Way.STREAM,
        again=False,
    )


def _paced(ground: Bench, load: Load) -> Sequence[Figure]:
    return paced(ground, load, wanted=WANTED, limit_ms=LIMIT_MS, each="an update", followed=True)


def _fast(ground: Bench, windows: Windows, effort: Effort) -> Sequence[Figure]:
    """As many as eight callers can, with the time the projections need to catch up counted."""
    requests = windows.in_batches(int(effort.seconds * MOST / BATCH), of=BATCH)
    load = Load(
        f"8 callers, batches of {BATCH}",
        UPDATE_MANY,
        requests,
        effort.seconds,
        callers=8,
        each=BATCH,
        again=False,
    )
    spent = Spending.of(ground.server)
    (taken,) = ground.take(load)
    lag = ground.caught_up()
    whole = len(taken.latencies) * taken.each / (taken.seconds + lag)
    return [
        Figure(taken.what, f"{taken.rate:,.0f} /s", taken.latency, measures=taken.measures),
        Figure(
            "… until the projections had caught up",
            f"{whole:,.0f} /s",
            f"{lag:.2f} s later",
            measures=(higher(whole, "/s"),),
        ),
        *spent.figures("an update", taken),
        busy_figure(taken),
    ]


def _single(ground: Bench, windows: Windows, effort: Effort) -> Sequence[Figure]:
    def durable() -> Load:
        requests = windows.singly(int(effort.seconds * MOST_SINGLY))
        return Load("64 callers, one update a call", UPDATE, requests, effort.seconds, again=False)

    return against_empty(ground, durable, effort, Target(0.4))
