"""
The root-cause context of an incident over HTTP, on both engines (S0-250).

Its dataset has 1,000 pieces of evidence, of which the incident names as many as it can hold, and
200 readers. The client is a process of its own; one caller asks again and again.
"""

import http.client
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from ulid import ULID

from benchmarks.load.http_wire import request
from benchmarks.load.load_client import carry_out
from benchmarks.load.loads import Load, Taken, Way
from benchmarks.load.local_dynamodb import dynamodb, on_tables_of_its_own
from benchmarks.load.serving import Places, served
from benchmarks.load.stocked import Bench, busy_figure
from benchmarks.measuring import varied
from benchmarks.measuring.figures import Effort, Figure, Section, Target, higher, lower
from benchmarks.measuring.processes import START, answer, process
from domain.incident.decisions import MOST_EVIDENCE
from domain.timestamps import stamp
from tests.adapters.dynamodb.support.environment import surroundings

EVIDENCE = 1_000
READERS = 200
AT_ONCE = 10
"""So much evidence a request for an incident may name; the next one joins it."""
LIMIT_MS = 500
ASKED_APART = 20
"""So many answers are looked at: one that is cut off at its deadline is fast, and not enough."""
ANY = "any"
DATASET = "urn:dp:orders:order_created:v1"
MISSING = "MISSING_FIELD:customer_id"
PATH = "/api/v1/incidents/INC-1/context"
PRODUCER = {"producer_id": "orders-svc", "version": "v3.17", "confidence": "HIGH"}


def run(folder: Path, effort: Effort) -> Section:
    figures = [
        *_figures("embedded", *_taken(folder / "context", effort)),
        *_on_dynamodb(folder / "context-dynamodb", effort),
    ]
    title = f"context: {EVIDENCE:,} pieces of evidence, {READERS} readers"
    return Section(title, "the contract", figures)


def _on_dynamodb(folder: Path, effort: Effort) -> Sequence[Figure]:
    folder.mkdir()
    with dynamodb(), surroundings():
        settings = on_tables_of_its_own(folder)
        return _figures("DynamoDB Local", *_taken(folder, effort, **settings))


def _figures(engine: str, taken: Taken, missing: Mapping[str, int]) -> Sequence[Figure]:
    p50, p99 = taken.ms(0.5), taken.ms(0.99)
    complete = ASKED_APART - missing.get(ANY, 0)
    late = Counter({part: count for part, count in missing.items() if part != ANY})
    named = ", ".join(part for part, _ in late.most_common(2))
    return [
        Figure(f"{engine}, P50", f"{p50:.1f} ms", measures=(lower(p50, "ms"),)),
        Figure(
            f"{engine}, P99",
            f"{p99:.1f} ms",
            f"{LIMIT_MS} ms",
            p99 / LIMIT_MS,
            target=Target(1, at_most=True),
            measures=(lower(p99, "ms"),),
        ),
        Figure(
            "… complete answers",
            f"{complete} of {ASKED_APART}",
            f"without {named}" if named else "",
            complete / ASKED_APART,
            target=Target(1),
            measures=(higher(complete, "answers"),),
        ),
        busy_figure(taken),
    ]


def _taken(folder: Path, effort: Effort, **settings: str) -> tuple[Taken, Mapping[str, int]]:
    with ExitStack() as stack:
        server = stack.enter_context(served(folder, **settings))
        client = stack.enter_context(process(carry_out, server.places))
        answer(client, START)
        ground = Bench(server, client)
        _stock(server.places)
        ground.caught_up()
        asked = [request("GET", PATH, server.places.token)]
        seconds = effort.rounds * effort.seconds / 2
        load = Load("context", "", asked, seconds, callers=1, way=Way.HTTP)
        ground.take(load)
        (taken,) = ground.take(load)
        return taken, _missing(server.places)


def _missing(places: Places) -> Mapping[str, int]:
    """How many answers of those that were looked at lacked which part, and any at all."""
    found = Counter[str]()
    for _ in range(ASKED_APART):
        missing = [one["part"] for one in _ask(places, "GET", PATH)["missing"]]
        found.update([ANY, *missing] if missing else [])
    return found


def _stock(places: Places) -> None:
    for method, path, body in _story(datetime.now(UTC)):
        _ask(places, method, f"/api/v1{path}", body)


def _story(now: datetime) -> Iterator[tuple[str, str, Any]]:
    names = [f"evd-{ULID()}" for _ in range(EVIDENCE)]
    yield "POST", "/datasets", _dataset()
    made = stamp(now - timedelta(minutes=20))
    yield "PUT", "/lineage/specs/lspec:service:orders-svc:git:c1", _writer(made)
    for number in range(READERS):
        yield (
            "PUT",
            f"/lineage/specs/lspec:job:{varied.producer_id(number)}:git:c1",
            _reader(number, made),
        )
    yield "PUT", f"/datasets/{DATASET}/signals/CONTRACT_COMPLIANCE", _breach(now, names)
    pieces = [_evidence(number, name, now) for number, name in enumerate(names)]
    yield "POST", "/evidence", pieces
    yield "POST", "/incidents", {**_incident(names[:AT_ONCE]), "incident_id": "INC-1"}
    for start in range(AT_ONCE, MOST_EVIDENCE, AT_ONCE):
        yield "POST", "/incidents", _incident(names[start : start + AT_ONCE])


def _dataset() -> Mapping[str, Any]:
    return {
        "dataset_urn": DATASET,
        "display_name": "Orders",
        "tier": "TIER_1",
        "owner_team": "orders",
        "source": {"type": "KAFKA", "topic": "raw.orders"},
    }


def _writer(made: str) -> Mapping[str, Any]:
    who = {"entity_id": "service:orders-svc", "entity_name": "orders", "entity_type": "SERVICE"}
    return {**_spec(made), "dataset_writes": [{"dataset_urn": DATASET, **who}]}


def _reader(number: int, made: str) -> Mapping[str, Any]:
    who = {
        "entity_id": f"job:{varied.producer_id(number)}",
        "entity_name": varied.sentence(number, 1, 6),
        "entity_type": varied.entity_type(number),
    }
    return {**_spec(made), "dataset_reads": [{"dataset_urn": DATASET, **who}]}


def _spec(made: str) -> Mapping[str, Any]:
    return {"confidence": "HIGH", "commit": "c1", "updated_at": made}


def _breach(now: datetime, evidence: Sequence[str]) -> Mapping[str, Any]:
    return {
        "state": "CRITICAL",
        "score": 0.5,
        "window_start": stamp(now - timedelta(minutes=5)),
        "window_end": stamp(now),
        "metrics": {"evidence_count": EVIDENCE, "pass_count": 0, "fail_count": EVIDENCE},
        "failure_signature": MISSING,
        "top_producer": PRODUCER,
        "evidence_sample": evidence[:5],
        "expected_version": 0,
    }


def _evidence(number: int, name: str, now: datetime) -> Mapping[str, Any]:
    """Most is of the producer that failed. All lack the field; some fail for more reasons."""
    more = [varied.signature(number + n) for n in range(number % 3)]
    other = {
        "producer_id": varied.producer_id(number % 9),
        "version": varied.version(number % 9, 3),
    }
    digits = f"{varied.mixed(number):016x}{varied.mixed(number + 1):016x}"
    return {
        "evidence_id": name,
        "dataset_urn": DATASET,
        "created_at": stamp(now - timedelta(milliseconds=number * 113)),
        "validation": {
            "result": "FAIL",
            "failed_gates": varied.GATES[: number % 3],
            "reason_codes": [*dict.fromkeys([MISSING, *more])],
        },
        "producer": PRODUCER if number % 5 else other,
        "source": {"topic": "raw.orders", "partition": number % 32, "offset": number * 7_919},
        "fingerprints": {"payload_hash": f"sha256:{digits * 2}"},
        "otel": {"trace_id": digits, "span_id": digits[:16]},
        "payload_ref": f"s3://payloads/orders/{digits[number % 24 :]}.json.gz",
        "payload_size_bytes": 100 + number * 37 % 90_000,
    }


def _incident(evidence: Sequence[str]) -> Mapping[str, Any]:
    return {
        "primary_dataset_urn": DATASET,
        "signal_types": ["CONTRACT_COMPLIANCE"],
        "severity": "SEV_1",
        "failure_signatures": [MISSING],
        "evidence_sample": evidence,
    }


def _ask(places: Places, method: str, path: str, body: Any = None) -> Any:
    """Raises RuntimeError if the server refuses."""
    connection = http.client.HTTPConnection("127.0.0.1", places.http, timeout=START)
    try:
        headers = {"Authorization": f"Bearer {places.token}", "Content-Type": "application/json"}
        connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        told = connection.getresponse()
        said = told.read()
    finally:
        connection.close()
    if told.status >= 300:
        raise RuntimeError(f"{method} {path}: {told.status} {said[:500]!r}")
    return json.loads(said)
