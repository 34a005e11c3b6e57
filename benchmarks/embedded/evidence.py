"""
Evidence: 50,000 items a second with P99 under 100 ms a batch, and flat memory over 5 million.

2 % fail and 1 % of what passes is kept. Beside it the same in lines over HTTP, and how 5,000 ids a
second are read, with P99 under 10 ms.
"""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.load.evidence_items import (
    BATCH,
    FAILING,
    GET_MANY,
    PUT_MANY,
    EvidenceBatches,
    lookups,
)
from benchmarks.load.loads import Load, Taken, Way
from benchmarks.load.stocked import Bench, Spending, bench, busy_figure
from benchmarks.measuring.figures import FULL, Effort, Figure, Section, Target, lower
from benchmarks.measuring.paced import paced

WANTED, LIMIT_MS = 50_000, 100
READS_WANTED, READS_LIMIT_MS = 5_000, 10
AT_ONCE = 50
SOAKED = 5_000_000
FLAT = Target(1.2, at_most=True)
"""The server's memory at the end, of what it was when it had taken the first tenth."""
MOST_LINES = 30_000
"""Items a second in lines that are prepared for: more are not expected."""


def run(folder: Path, effort: Effort) -> Section:
    batches = EvidenceBatches()
    with bench(folder / "evidence") as ground:
        ground.take(_paced(batches, 1.0))
        offered = _paced(batches, effort.rounds * effort.seconds)
        figures = [
            *paced(ground, offered, wanted=WANTED, limit_ms=LIMIT_MS, each="an item"),
            *_lines(ground, batches, effort),
            *_memory(ground, batches, effort),
        ]
    return Section("evidence: 2 % FAIL, 1 % of PASS kept", "as the line says", figures)


def run_reads(folder: Path, effort: Effort) -> Section:
    batches = EvidenceBatches()
    with bench(folder / "evidence-reads") as ground:
        ground.take(_paced(batches, 2.0))
        load = Load(
            f"evidence read by id, {AT_ONCE} a call",
            GET_MANY,
            # The last batch is one too many for the time: it is not sent.
            lookups(batches.failed[:-FAILING], AT_ONCE),
            effort.rounds * effort.seconds,
            rate=READS_WANTED / AT_ONCE,
            each=AT_ONCE,
        )
        figures = paced(ground, load, wanted=READS_WANTED, limit_ms=READS_LIMIT_MS, each="an item")
    return Section("evidence-reads: evidence by id over gRPC", "as the line says", figures)


def _paced(batches: EvidenceBatches, seconds: float) -> Load:
    return Load(
        f"evidence in batches of {BATCH}",
        PUT_MANY,
        batches.requests(int(seconds * WANTED / BATCH) + 1),
        seconds,
        rate=WANTED / BATCH,
        each=BATCH,
        again=False,
    )


def _lines(ground: Bench, batches: EvidenceBatches, effort: Effort) -> Sequence[Figure]:
    """As fast as eight callers can."""
    requests = batches.lines(int(effort.seconds * MOST_LINES / BATCH), ground.places.token)
    load = Load(
        f"8 callers, {BATCH} lines a request over HTTP",
        "",
        requests,
        effort.seconds,
        callers=8,
        each=BATCH,
        way=Way.HTTP,
        again=False,
    )
    spent = Spending.of(ground.server)
    (taken,) = ground.take(load)
    return [
        Figure(taken.what, f"{taken.rate:,.0f} /s", taken.latency, measures=taken.measures),
        *spent.figures("an item", taken),
        busy_figure(taken),
    ]


def _memory(ground: Bench, batches: EvidenceBatches, effort: Effort) -> Sequence[Figure]:
    """As many items as are wanted, a tenth at a time."""
    whole = SOAKED if effort is FULL else SOAKED // 25
    seconds, seen, taken = whole / 10 / WANTED, list[int](), list[Taken]()
    for _ in range(10):
        taken += ground.take(_paced(batches, seconds))
        seen.append(ground.server.memory())
    ratio = seen[-1] / seen[0]
    what = f"the server's memory after {whole:,} items"
    return [
        Figure(
            what,
            f"{seen[-1] / 2**20:,.0f} MB",
            f"{seen[0] / 2**20:,.0f} MB after a tenth",
            ratio,
            target=FLAT,
            measures=(lower(seen[-1] / 2**20, "MB"), lower(ratio, "", "growth")),
        ),
        busy_figure(*taken),
    ]
