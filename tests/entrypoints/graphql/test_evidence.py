"""Evidence over GraphQL: by id, of incidents, signals and datasets, in few reads."""

from datetime import datetime, timedelta
from typing import Any

from attrs import define
from dependency_injector import providers

from domain.timestamps import stamp
from tests.entrypoints.graphql.schema_client import Schema, codes
from tests.entrypoints.http.api import EVIDENCE, NOW, ORDERS, Api, replaced, update
from tests.entrypoints.http.incidents.calls import opened
from tests.entrypoints.http.validation.test_models import DATASET, done
from tests.entrypoints.support.sample_evidence import LEFT_OUT, evidence, named

ALL = """{ evidenceId datasetUrn createdAt recordedAt archived result failedGates reasonCodes
  producer { producerId version confidence } source { topic partition offset }
  schemaFingerprint payloadHash traceId spanId payloadRef payloadSizeBytes }"""
PAYMENTS = "urn:dp:payments:payment_made:v1"
ONE = f"query($id: ID!) {{ evidence(id: $id) {ALL} }}"
MANY = "query($ids: [ID!]!) { evidenceList(ids: $ids) { evidenceId } }"
OF_DATASET = """query(
  $urn: String!, $since: DateTime, $until: DateTime, $first: Int, $after: String
) { dataset(urn: $urn) { evidence(since: $since, until: $until, first: $first, after: $after) {
    evidence { evidenceId archived } hasNextPage endCursor } } }"""


def put(api: Api, *items: dict[str, Any]) -> None:
    assert done(api.post("/api/v1/evidence", list(items))).json()["stored_count"] == len(items)


def test_evidence_is_what_was_put(api: Api, asked: Schema) -> None:
    put(api, evidence())
    said = evidence()
    assert asked.told(ONE, id=named(0)) == {
        "evidenceId": named(0),
        "datasetUrn": ORDERS,
        "createdAt": said["created_at"],
        "recordedAt": stamp(NOW),
        "archived": False,
        "result": "FAIL",
        "failedGates": ["G4_CONTRACT"],
        "reasonCodes": ["MISSING_FIELD:customer_id"],
        "producer": {"producerId": "orders-svc", "version": "v3.17", "confidence": "HIGH"},
        "source": said["source"],
        "schemaFingerprint": said["fingerprints"]["schema_fingerprint"],
        "payloadHash": said["fingerprints"]["payload_hash"],
        "traceId": said["otel"]["trace_id"],
        "spanId": said["otel"]["span_id"],
        "payloadRef": said["payload_ref"],
        "payloadSizeBytes": 812,
    }


def test_what_nobody_knows(asked: Schema) -> None:
    assert asked.told(ONE, id=LEFT_OUT) is None
    assert asked.told(MANY, ids=[LEFT_OUT]) == []
    assert codes(asked.refused(ONE, id="evd-1")) == {"id": "MALFORMED"}
    many = [named(n) for n in range(101)]
    assert codes(asked.refused(MANY, ids=many)) == {"ids": "TOO_MANY"}


def test_many_in_the_order_asked(api: Api, asked: Schema) -> None:
    put(api, evidence(1), evidence(2))
    told = asked.told(MANY, ids=[named(2), LEFT_OUT, named(1)])
    assert [one["evidenceId"] for one in told] == [named(2), named(1)]


def test_a_dataset_page_by_page(api: Api, asked: Schema) -> None:
    api.registered()
    put(api, *map(evidence, range(5)))
    seen, after = [], None
    while True:
        page = asked.told(OF_DATASET, urn=ORDERS, first=2, after=after)["evidence"]
        seen.append([one["evidenceId"] for one in page["evidence"]])
        after = page["endCursor"]
        if not page["hasNextPage"]:
            break
    assert seen == [[named(0), named(1)], [named(2), named(3)], [named(4)]]


def test_a_span_and_what_cannot_be_asked(api: Api, asked: Schema) -> None:
    api.registered()
    put(api, *map(evidence, range(5)))
    since, until = (stamp(NOW - timedelta(minutes=n)) for n in (3, 1))
    page = asked.told(OF_DATASET, urn=ORDERS, since=since, until=until)["evidence"]
    assert [one["evidenceId"] for one in page["evidence"]] == [named(2), named(3)]
    wrong = asked.ask(OF_DATASET, urn=ORDERS, since=until, until=since, first=0, after="x")
    assert wrong.errors
    assert codes(wrong.errors[0].extensions or {}) == {
        "since": "INCONSISTENT",
        "first": "OUT_OF_RANGE",
        "after": "MALFORMED",
    }


def test_an_incident_and_its_signals_in_one_read(api: Api, asked: Schema) -> None:
    """However many things name evidence, it is looked up once."""
    api.registered()
    done(api.put(f"{DATASET}/signals/CONTRACT_COMPLIANCE", update(0, "CRITICAL")))
    name = opened(api, evidence_sample=[EVIDENCE, named(1)]).rpartition("/")[2]
    put(api, evidence(evidence_id=EVIDENCE), evidence(1))
    counting = Counting(api.container.use_cases().read_evidence)
    with replaced(api.container, read_evidence=counting):
        told = asked.told(
            """query($id: ID!) { incident(incidentId: $id) { evidence { evidenceId }
            relatedSignals { evidence(first: 1) { evidenceId } } } }""",
            id=name,
        )
    assert told["evidence"] == [{"evidenceId": EVIDENCE}, {"evidenceId": named(1)}]
    assert [one["evidence"] for one in told["relatedSignals"]] == [[{"evidenceId": EVIDENCE}]]
    assert [sorted(ids) for ids in counting.asked] == [sorted([EVIDENCE, named(1)])]


def test_a_dataset_among_many_rows_is_listed_once(api: Api, asked: Schema) -> None:
    for urn in (ORDERS, PAYMENTS):
        path = api.registered(dataset_urn=urn)
        for signal in ("CONTRACT_COMPLIANCE", "FRESHNESS", "VOLUME"):
            done(api.put(f"{path}/signals/{signal}", update(0, "CRITICAL")))
    put(api, evidence(1), evidence(2), evidence(3, dataset_urn=PAYMENTS))
    rows = "criticalSignals { dataset { evidence { evidence { evidenceId datasetUrn } } } }"
    counting = Counting(api.container.use_cases().list_evidence)
    with (
        replaced(api.container, list_evidence=counting),
        api.container.clock.override(providers.Object(Ticking())),
    ):
        told = asked.told(f"{{ a: {rows} b: {rows} }}")
    assert len(told["a"]) == 6
    assert told["a"] == told["b"]
    shown = [one["dataset"]["evidence"]["evidence"] for one in told["a"]]
    assert sorted(len(one) for one in shown) == [1, 1, 1, 2, 2, 2]
    assert sorted(one.dataset for one in counting.asked) == [ORDERS, PAYMENTS]


@define
class Ticking:
    """A clock that is later at every look."""

    at: datetime = NOW

    def now(self) -> datetime:
        self.at += timedelta(milliseconds=1)
        return self.at


class Counting:
    """Stands for a use case, and remembers what it was asked for."""

    def __init__(self, real: Any) -> None:
        self.real = real
        self.asked: list[Any] = []

    async def __call__(self, asked: Any, *page: Any, **how: Any) -> Any:
        self.asked.append(asked)
        return await self.real(asked, *page, **how)
