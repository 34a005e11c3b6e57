"""A list without a span is answered by the cache, over every interface, without the archive."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from dependency_injector import providers

from adapters.memory.evidence_archive import MemoryEvidenceArchive
from application.evidence.queries import USUAL_SPAN
from domain.timestamps import stamp
from entrypoints.container import Container
from entrypoints.grpc.fields.timestamps import timestamp
from entrypoints.grpc.messages import evidence_pb2 as m
from tests.application.evidence.samples import Broken
from tests.entrypoints.grpc.support.both import Both
from tests.entrypoints.grpc.support.served import served
from tests.entrypoints.http.api import NOW, ORDERS
from tests.entrypoints.support.sample_evidence import evidence, named

LIST = f"/api/v1/datasets/{ORDERS}/evidence"
QUERY = f'{{ dataset(urn: "{ORDERS}") {{ evidence {{ evidence {{ evidenceId }} }} }} }}'
AGES = (timedelta(0), USUAL_SPAN, USUAL_SPAN + timedelta(milliseconds=1))


def breakable(container: Container) -> None:
    container.evidence_archive.override(providers.Object(Broken(MemoryEvidenceArchive())))


@pytest.fixture
def both() -> Iterator[Both]:
    """The cache is whole, the archive cannot be read, the last item is too old for the span."""
    with served("memory", breakable) as server:
        both = Both(server)
        both.http.registered()
        server.run(whole(both.http.container))
        items = [evidence(n, created_at=stamp(NOW - age)) for n, age in enumerate(AGES)]
        assert both.http.post("/api/v1/evidence", items).status_code == 200
        both.http.container.evidence_archive().methods |= {"of_dataset", "named"}
        yield both


async def whole(container: Container) -> None:
    container.evidence_filler().recovered()
    container.evidence_filler().trust(True)
    await container.evidence_filler().mark()


def over_grpc(both: Both) -> list[str]:
    told = both.call(m.ListEvidenceRequest(dataset_urn=ORDERS))
    return [one.evidence_id for one in told.evidence]


def over_http(both: Both) -> list[str]:
    return [one["evidence_id"] for one in both.http.get(LIST).json()["evidence"]]


def over_graphql(both: Both) -> list[str]:
    told = both.http.post("/graphql", {"query": QUERY}).json()
    page = told["data"]["dataset"]["evidence"]
    return [one["evidenceId"] for one in page["evidence"]]


@pytest.mark.parametrize("ask", [over_grpc, over_http, over_graphql])
def test_what_is_at_hand_is_shown(both: Both, ask: Any) -> None:
    assert ask(both) == [named(0), named(1)]


def test_who_asks_for_a_day_asks_the_archive(both: Both) -> None:
    since = timestamp(NOW - timedelta(days=1))
    asked = m.ListEvidenceRequest(dataset_urn=ORDERS, created_since=since)
    assert both.refused(asked).reason == "UNAVAILABLE"
