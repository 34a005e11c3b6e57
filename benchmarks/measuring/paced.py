"""
A load at its pace: whether it was kept up, within which time, and at which price.

Beside it, what empty calls take at the same pace with the same requests: a machine that stops for a
while, because others have its cores, stops those as well. And how it was while they had not: the
promise is kept or missed by all calls, but only those tell how far it was ours to keep.
"""

from collections.abc import Sequence

from attrs import evolve

from benchmarks.load.loads import Load, Taken, Way
from benchmarks.load.serving import EMPTY
from benchmarks.load.stocked import Bench, Spending, busy_figure
from benchmarks.measuring.figures import Figure, Target, higher, lower, percentile
from benchmarks.measuring.quiet import QUIET

KEPT_UP = Target(0.98)
CAUGHT_UP = Target(1, at_most=True)
SECONDS = 5.0
"""For which empty calls are made, at most."""


def paced(
    ground: Bench, load: Load, *, wanted: float, limit_ms: float, each: str, followed: bool = False
) -> Sequence[Figure]:
    """Where it is followed, what projections do about it belongs to its price."""
    spent = Spending.of(ground.server)
    (taken,) = ground.take(load)
    lag = [_lag(ground)] if followed else []
    price = [*spent.figures(each, taken), busy_figure(taken)]
    return [*_figures(taken, wanted, limit_ms), _empty(ground, load), *lag, *price]


def _figures(taken: Taken, wanted: float, limit_ms: float) -> Sequence[Figure]:
    """Whether the rate was kept up, and within which time."""
    reached, p99 = taken.rate, taken.ms(0.99)
    return [
        Figure(
            taken.what,
            f"{reached:,.0f} /s",
            f"{wanted:,.0f} /s offered",
            reached / wanted,
            target=KEPT_UP,
            measures=(higher(reached, "/s"),),
        ),
        Figure(
            "… latency P99",
            f"{p99:.1f} ms",
            f"{limit_ms:g} ms",
            p99 / limit_ms,
            target=Target(1, at_most=True),
            measures=(lower(p99, "ms"),),
        ),
        _undisturbed(taken),
    ]


def _undisturbed(taken: Taken) -> Figure:
    what = f"… while ≤ {QUIET:.0%} of the cores were stolen"
    quiet, every = len(taken.undisturbed), len(taken.latencies)
    if not quiet:
        return Figure(what, "never")
    p99 = percentile(taken.undisturbed, 0.99) * 1_000
    return Figure(what, f"P99 {p99:.1f} ms", f"{quiet:,} of {every:,} calls")


def _empty(ground: Bench, load: Load) -> Figure:
    seconds = min(load.seconds, SECONDS)
    empty = evolve(
        load, where=EMPTY, seconds=seconds, each=1, way=Way.UNARY, again=True, empty=True
    )
    (taken,) = ground.take(empty)
    return Figure("… empty calls at this pace", taken.latency)


def _lag(ground: Bench) -> Figure:
    lag = ground.caught_up()
    return Figure(
        "… projections caught up",
        f"{lag:.2f} s",
        "",
        lag,
        target=CAUGHT_UP,
        measures=(lower(lag, "s"),),
    )
