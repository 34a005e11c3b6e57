"""Evidence by the client library: put, read and listed, on asyncio and by waiting."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from application.errors import Overloaded
from entrypoints.container import Container
from statestore_client import (
    AsyncStateStore,
    Confidence,
    Evidence,
    EvidenceSource,
    Fingerprints,
    InvalidRequest,
    NotFound,
    OtelContext,
    Producer,
    Retrying,
    StateStore,
    Validation,
    Verdict,
)
from statestore_client import errors as told
from statestore_client.messages import evidence_pb2 as pb
from tests.client.faults.scripted_server import Scripted
from tests.entrypoints.grpc.support.served import Served, served
from tests.entrypoints.http.api import NOW, ORDERS, TOKEN, Raising
from tests.entrypoints.support.sample_evidence import DIGEST, LEFT_OUT, named


@pytest.fixture
def server() -> Iterator[Served]:
    with served() as one:
        yield one


def client(server: Served) -> AsyncStateStore:
    return AsyncStateStore(server.server.address, token=TOKEN, retrying=Retrying(most_tries=2))


def evidence(number: int = 0, **other: object) -> Evidence:
    said = {
        "evidence_id": named(number),
        "dataset_urn": ORDERS,
        "created_at": NOW - timedelta(minutes=number),
        "validation": Validation(Verdict.FAIL, ("G4_CONTRACT",), ("MISSING_FIELD:customer_id",)),
        **other,
    }
    return Evidence(**said)  # type: ignore[arg-type]  # each as it is declared


WHOLE = evidence(
    producer=Producer("orders-svc", "v3.17", Confidence.HIGH),
    source=EvidenceSource("raw.orders.events", 3, 1_000_000),
    fingerprints=Fingerprints(schema_fingerprint=DIGEST, payload_hash=DIGEST),
    otel=OtelContext(trace_id="ab" * 16, span_id="cd" * 8),
    payload_ref="s3://payloads/0",
    payload_size_bytes=812,
    recorded_at=NOW,
)
PASSED = evidence(evidence_id=LEFT_OUT, validation=Validation(Verdict.PASS))


def test_all_that_is_said_is_told_again(server: Served) -> None:
    async def story() -> None:
        async with client(server) as store:
            assert await store.evidence.put(WHOLE) is True
            assert await store.evidence.get(named(0)) == WHOLE

    server.run(story())


def test_each_of_many_has_its_outcome(server: Served) -> None:
    async def story() -> None:
        async with client(server) as store:
            kept, left_out, wrong = await store.evidence.put_many(
                [evidence(1), PASSED, evidence(2, dataset_urn="?")]
            )
            assert (kept, left_out) == (True, False)
            assert isinstance(wrong, InvalidRequest)
            assert [one.field for one in wrong.violations] == ["dataset_urn"]
            with pytest.raises(InvalidRequest):
                await store.evidence.put(evidence(2, dataset_urn="?"))

    server.run(story())


def test_many_are_read_by_id_and_by_dataset(server: Served) -> None:
    async def story() -> None:
        async with client(server) as store:
            await store.evidence.put_many(map(evidence, range(1, 6)))
            found = await store.evidence.get_many([named(2), LEFT_OUT, named(1)])
            assert sorted(found) == [named(1), named(2)]
            listed = [one async for one in store.evidence.list(ORDERS, page_size=2)]
            assert [one.evidence_id for one in listed] == [named(n) for n in range(1, 6)]
            since, until = NOW - timedelta(minutes=3), NOW - timedelta(minutes=2)
            span = store.evidence.list(ORDERS, created_since=since, created_before=until)
            assert [one.evidence_id async for one in span] == [named(3)]
            with pytest.raises(NotFound):
                await store.evidence.get(LEFT_OUT)

    server.run(story())


def test_a_store_that_cannot_take_more() -> None:
    async def story(server: Served) -> None:
        async with client(server) as store:
            with pytest.raises(told.Overloaded):
                await store.evidence.put(evidence())

    def fill(container: Container) -> None:
        container.put_evidence.override(Raising(Overloaded("evidence")))

    with served("memory", fill) as server:
        server.run(story(server))


def test_too_many_are_not_even_sent(script: Scripted, store: StateStore) -> None:
    with pytest.raises(ValueError, match="5000"):
        store.evidence.put_many([evidence()] * 5_001)
    assert script.heard == []


def test_by_waiting(script: Scripted, store: StateStore) -> None:
    script.on("BatchPutEvidence", pb.BatchPutEvidenceResponse(results=[{"kept": True}]))
    assert store.evidence.put(evidence())
    sent = script.heard[0].request.evidence[0]
    assert (sent.evidence_id, sent.validation.result) == (named(0), "FAIL")
    script.on("BatchGetEvidence", pb.BatchGetEvidenceResponse(evidence=[sent]))
    assert list(store.evidence.get_many([named(0)])) == [named(0)]
