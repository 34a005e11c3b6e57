"""
Updates, reads and policy lookups at the same time: at the rates that each is promised for alone,
and at half of them.

One core serves them all. What each reaches is told, and how much of that core they took.
"""

from collections.abc import Iterator
from pathlib import Path

from attrs import evolve

from benchmarks.embedded import grpc_reads, grpc_updates, policies
from benchmarks.load.loads import Load
from benchmarks.load.prepared import Windows
from benchmarks.load.stocked import Bench, Spending, bench, busy_figure
from benchmarks.measuring.figures import Effort, Figure, Section, higher, lower

SHARES = {"at their rates": 1.0, "at half of them": 0.5}


def run(folder: Path, effort: Effort) -> Section:
    seconds, windows = effort.rounds * effort.seconds / 2, Windows()
    with bench(folder / "together") as ground:
        ground.take(grpc_updates.warm_up(windows))
        figures = [
            figure
            for when, share in SHARES.items()
            for figure in _at(ground, when, share, _loads(windows, seconds))
        ]
    return Section("together: updates, reads and lookups at once", "offered", figures)


def _loads(windows: Windows, seconds: float) -> list[Load]:
    return [
        grpc_updates.paced_batches(windows, seconds),
        grpc_reads.paced_reads(seconds),
        policies.paced_lookups(seconds),
    ]


def _at(ground: Bench, when: str, share: float, loads: list[Load]) -> Iterator[Figure]:
    offered = [evolve(load, rate=(load.rate or 0) * share) for load in loads]
    spent = Spending.of(ground.server)
    taken = ground.take(*offered)
    lag = ground.caught_up()
    costs = spent.figures("a thing", *taken)
    for load, one in zip(offered, taken, strict=True):
        wanted = (load.rate or 0) * load.each
        yield Figure(
            f"{one.what}, {when}",
            f"{one.rate:,.0f} /s",
            f"{wanted:,.0f} /s",
            one.rate / wanted,
            measures=(higher(one.rate, "/s"),),
        )
        yield Figure("… latency", one.latency, measures=one.latency_measures)
    yield Figure("… projections caught up", f"{lag:.2f} s", measures=(lower(lag, "s"),))
    yield from costs
    yield busy_figure(*taken)
