"""
Policy lookups: 5,000 a second with P99 under 5 ms, whole and conditional, over gRPC and HTTP.

Enforcers ask for many datasets at once, or for one with the tag of the answer they have. Batches
are paced; single lookups go as fast as 64 callers can.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.load.loads import Load, Way
from benchmarks.load.prepared import (
    POLICIES,
    POLICY,
    TAG,
    http_policies,
    http_policy_batches,
    policies,
    policy_batches,
)
from benchmarks.load.stocked import Bench, Spending, bench, busy_figure
from benchmarks.measuring.figures import Effort, Figure, Section
from benchmarks.measuring.paced import paced

WANTED, LIMIT_MS = 5_000, 5
BATCH = 50


def run(folder: Path, effort: Effort) -> Section:
    with bench(folder / "policies") as ground:
        batches = [
            figure
            for load in _batches(ground.places.token, effort.rounds * effort.seconds / 2)
            for figure in paced(ground, load, wanted=WANTED, limit_ms=LIMIT_MS, each="a lookup")
        ]
        singly = [
            figure
            for load in _single(ground.places.token, effort.seconds)
            for figure in _fast(ground, load)
        ]
    return Section("policies: lookups by enforcers", "as the line says", [*batches, *singly])


def paced_lookups(seconds: float, known: str = "") -> Load:
    return _paced_load(
        f"gRPC, batches of {BATCH}{_said(known)}", POLICIES, policy_batches(BATCH, known), seconds
    )


def _batches(token: str, seconds: float) -> Iterator[Load]:
    for known in ("", TAG):
        yield paced_lookups(seconds, known)
        requests = http_policy_batches(token, BATCH, known)
        yield _paced_load(
            f"HTTP, batches of {BATCH}{_said(known)}", "", requests, seconds, way=Way.HTTP
        )


def _paced_load(
    what: str, where: str, requests: Sequence[bytes], seconds: float, way: Way = Way.UNARY
) -> Load:
    rate = WANTED / BATCH
    return Load(what, where, requests, seconds, rate=rate, callers=16, each=BATCH, way=way)


def _said(known: str) -> str:
    return ", conditional" if known else ""


def _single(token: str, seconds: float) -> Iterator[Load]:
    yield Load("gRPC, one a call, conditional", POLICY, policies(TAG), seconds)
    yield Load(
        "HTTP, one a call, conditional", "", http_policies(token, TAG), seconds, way=Way.HTTP
    )


def _fast(ground: Bench, load: Load) -> Sequence[Figure]:
    spent = Spending.of(ground.server)
    (taken,) = ground.take(load)
    return [
        Figure(
            f"64 callers, {taken.what}",
            f"{taken.rate:,.0f} /s",
            taken.latency,
            measures=taken.measures,
        ),
        *spent.figures("a lookup", taken),
        busy_figure(taken),
    ]
