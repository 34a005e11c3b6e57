"""The query of a dashboard over GraphQL: signals in breach, datasets and incidents."""

from pathlib import Path

import orjson

from benchmarks.load.http_wire import request
from benchmarks.load.loads import Load, Taken, Way
from benchmarks.load.prepared import STILL
from benchmarks.load.stocked import Spending, bench, busy_figure
from benchmarks.measuring.figures import Effort, Figure, Section, lower

ROWS = len(STILL)
DASHBOARD = f"""{{
  criticalSignals(limit: {ROWS}) {{
    datasetUrn signalType state score breachStart failureSignature tier ownerTeam
    dataset {{ datasetUrn displayName tier ownerTeam }}
    incident {{ incidentId status severity title createdAt }}
  }}
}}"""


def run(folder: Path, effort: Effort) -> Section:
    with bench(folder / "graphql") as ground:
        asked = orjson.dumps({"query": DASHBOARD})
        requests = [request("POST", "/graphql", ground.places.token, body=asked)]
        seconds = effort.rounds * effort.seconds / 2
        load = Load("dashboard", "", requests, seconds, callers=1, way=Way.HTTP)
        ground.take(load)
        ground.server.reads()
        spent = Spending.of(ground.server)
        (taken,) = ground.take(load)
        reads = ground.server.reads()
        costs = spent.figures("a query", taken)
    calls = sum(reads.values()) / len(taken.latencies)
    kinds = ", ".join(f"{name} {count / len(taken.latencies):.2g}" for name, count in reads.items())
    figures = [
        _latency(f"{ROWS} rows with dataset and incident, P50", taken, 0.5),
        _latency("… P99", taken, 0.99),
        Figure("… reads of the store", f"{calls:.2g}", kinds, measures=(lower(calls, "reads"),)),
        *costs,
        busy_figure(taken),
    ]
    return Section("graphql: the query of a dashboard", "", figures)


def _latency(what: str, taken: Taken, share: float) -> Figure:
    took = taken.ms(share)
    return Figure(what, f"{took:.1f} ms", measures=(lower(took, "ms"),))
