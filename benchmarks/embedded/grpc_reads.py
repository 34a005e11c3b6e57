"""Signal reads over gRPC: 10,000 signals a second with P99 under 10 ms, and what a call costs."""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.load.loads import Load
from benchmarks.load.prepared import READ, READ_MANY, read_batches, reads
from benchmarks.load.stocked import Bench, bench, busy_figure
from benchmarks.measuring.against_empty import against_empty
from benchmarks.measuring.figures import Effort, Figure, Section, Target
from benchmarks.measuring.paced import paced

WANTED, LIMIT_MS = 10_000, 10
BATCH = 50


def run(folder: Path, effort: Effort) -> Section:
    load = paced_reads(effort.rounds * effort.seconds)
    with bench(folder / "grpc-reads") as ground:
        figures = [
            *paced(ground, load, wanted=WANTED, limit_ms=LIMIT_MS, each="a signal"),
            *_fast(ground, effort),
            *against_empty(
                ground,
                lambda: Load("64 callers, one signal a call", READ, reads(), effort.seconds),
                effort,
                Target(0.6),
            ),
        ]
    return Section("grpc-reads: signal reads over gRPC", "as the line says", figures)


def paced_reads(seconds: float) -> Load:
    return Load(
        f"signals read in batches of {BATCH}",
        READ_MANY,
        read_batches(BATCH),
        seconds,
        rate=WANTED / BATCH,
        each=BATCH,
    )


def _fast(ground: Bench, effort: Effort) -> Sequence[Figure]:
    """As many as eight callers can."""
    (taken,) = ground.take(
        Load(
            f"8 callers, batches of {BATCH}",
            READ_MANY,
            read_batches(BATCH),
            effort.seconds,
            callers=8,
            each=BATCH,
        )
    )
    return [
        Figure(taken.what, f"{taken.rate:,.0f} /s", taken.latency, measures=taken.measures),
        busy_figure(taken),
    ]
