"""
Signal updates on the embedded engine against the eventsourcing library's SQLite application.

Both make every update durable before they answer (`synchronous=FULL`). Ours also checks the
whole contract, guards the dataset, takes snapshots and feeds the projections meanwhile.
"""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from time import process_time

from benchmarks.contenders.embedded import Embedded
from benchmarks.contenders.library import Library
from benchmarks.measuring.contest import SIGNALS, Contender, Turn, cpu_figure, latency_figure
from benchmarks.measuring.figures import Effort, Figure, Section, Target, compared, lower

CALLERS = SIGNALS


def run(folder: Path, effort: Effort) -> Section:
    cached = {"AGGREGATE_CACHE_MAXSIZE": "1000", "AGGREGATE_CACHE_FASTFORWARD": "n"}
    with (
        closing(Embedded(folder / "embedded")) as ours,
        closing(Library(folder / "library")) as plain,
        closing(Library(folder / "library-cached", **cached)) as keeping,
    ):
        many = _turns((ours, plain, keeping), CALLERS, effort)
        one = _turns((ours, plain), 1, effort)
        figures = [
            *_figures(f"{CALLERS} callers", many, Target(4)),
            _rates("… against its aggregate cache", many[0], many[2]),
            *_figures("1 caller", one, Target(1)),
            _lag(ours.lags),
        ]
    return Section("updates: embedded signal updates", "eventsourcing, its SQLite", figures)


def _turns(contenders: Sequence[Contender], callers: int, effort: Effort) -> list[list[Turn]]:
    turns: list[list[Turn]] = [[] for _ in contenders]
    for number in range(effort.rounds):
        for contender, taken in zip(contenders, turns, strict=True):
            turn = Turn(f"{callers}_CALLERS_{number}", callers, effort.seconds)
            contender.prepare(turn)
            spent = process_time()
            contender.take(turn)
            turn.cpu = process_time() - spent
            taken.append(turn)
    return turns


def _figures(what: str, turns: list[list[Turn]], target: Target) -> Sequence[Figure]:
    ours, library = turns[:2]
    return [
        _rates(what, ours, library, target),
        latency_figure(ours, library),
        cpu_figure(ours, library),
    ]


def _rates(what: str, ours: list[Turn], other: list[Turn], target: Target | None = None) -> Figure:
    rates = [turn.rate for turn in ours], [turn.rate for turn in other]
    return compared(what, *rates, unit="updates/s", target=target)


def _lag(lags: Sequence[float]) -> Figure:
    worst = max(lags)
    return Figure(
        "projections caught up (worst)",
        f"{worst:.3f} s",
        "",
        ratio=worst,
        target=Target(1, at_most=True),
        measures=(lower(worst, "s"),),
    )
