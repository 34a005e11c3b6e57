"""What is told is counted: lists that are longer than was assumed do not make an answer endless."""

from collections.abc import Iterator

import httpx
import pytest

from entrypoints.graphql.transport import executor
from entrypoints.graphql.transport.media_types import GRAPHQL
from tests.entrypoints.http.api import ORDERS, Api, serving, update
from tests.entrypoints.http.validation.test_models import INCIDENT, done

MOST = 3_000
TYPES = [f"CUSTOM_{number}" for number in range(20)]
"""Twice as many as are assumed."""


def around(levels: int) -> str:
    """From an incident to its signals to their incident, again and again."""
    inner = "state"
    for _ in range(levels):
        inner = f"incident {{ relatedSignals {{ {inner} }} }}"
    return f"{{ relatedSignals {{ {inner} }} }}"


@pytest.fixture(scope="module")
def api() -> Iterator[Api]:
    """An incident about many signals, each of which names it."""
    with serving("memory", STATESTORE_GRAPHQL_MAX_COST=str(MOST)) as served:
        path = served.registered()
        for kind in TYPES:
            done(served.put(f"{path}/signals/{kind}", update(0, "CRITICAL")))
        said = {"incident_id": "INC-1", "primary_dataset_urn": ORDERS, "severity": "SEV_1"}
        fault = {"failure_signatures": ["MISSING_FIELD:a"], "signal_types": TYPES[:10]}
        done(served.post("/api/v1/incidents", {**said, **fault}))
        done(served.patch(INCIDENT, {"signal_types": TYPES[10:]}))
        yield served


def sent(api: Api, query: str) -> httpx.Response:
    return api.post("/graphql", {"query": query}, headers={"Accept": GRAPHQL})


def codes(answer: httpx.Response) -> list[str]:
    return [one["extensions"]["code"] for one in answer.json().get("errors", [])]


def test_as_much_as_may_be_is_told(api: Api) -> None:
    answer = sent(api, f'{{ incident(incidentId: "INC-1") {around(1)} }}')
    assert codes(answer) == []
    signals = answer.json()["data"]["incident"]["relatedSignals"]
    assert len(signals) == len(signals[0]["incident"]["relatedSignals"]) == len(TYPES)


def test_more_than_was_assumed_is_not_told(api: Api) -> None:
    answer = sent(api, f'{{ incident(incidentId: "INC-1") {around(2)} }}')
    assert (answer.status_code, codes(answer)) == (400, [executor.QUERY_TOO_COSTLY])
    assert "data" not in answer.json()
    assert answer.json()["errors"][0]["extensions"]["limit"] == MOST


def test_a_change_whose_answer_is_too_long_is_told_to_have_happened(api: Api) -> None:
    before = api.head()
    note = f'addIncidentNote(incidentId: "INC-1", note: "x") {{ position incident {around(2)} }}'
    answer = sent(api, f"mutation {{ {note} }}")
    assert (answer.status_code, codes(answer)) == (200, [executor.QUERY_TOO_COSTLY])
    # It is told where it was too much: not that the change was.
    assert answer.json()["errors"][0]["path"][:3] == [
        "addIncidentNote",
        "incident",
        "relatedSignals",
    ]
    assert api.head() > before


def test_what_is_told_of_the_schema_is_counted_apart(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = "{ __schema { types { name fields { name } } } }"
    assert codes(sent(api, query)) == []
    monkeypatch.setattr(executor, "ABOUT_THE_SCHEMA", 100)
    assert codes(sent(api, query)) == [executor.QUERY_TOO_COSTLY]
    assert codes(sent(api, f'{{ incident(incidentId: "INC-1") {around(1)} }}')) == []
