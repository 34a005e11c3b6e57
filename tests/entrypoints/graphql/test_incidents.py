"""Incidents over GraphQL (S0-174..S0-176, S0-184..S0-186)."""

from datetime import timedelta
from typing import Any

import pytest

from domain.timestamps import stamp
from tests.entrypoints.graphql import as_http
from tests.entrypoints.graphql.schema_client import Schema, codes
from tests.entrypoints.http.api import EVIDENCE, ORDERS, Api, update
from tests.entrypoints.http.incidents.calls import LATE, RESOLVED, request
from tests.entrypoints.http.validation.test_models import DATASET, INCIDENT, SIGNAL, done, peopled

ONE = f"query($id: ID!) {{ incident(incidentId: $id) {as_http.INCIDENT} }}"
ACTIVE = f"query($severity: Severity) {{ activeIncidents(severity: $severity) {as_http.INCIDENT} }}"
LIST = f"""query($filter: IncidentFilter!) {{
  incidents(filter: $filter) {{ edges {{ node {as_http.INCIDENT} }} }}
}}"""
TIMELINE = """query($id: ID!) { incidentTimeline(incidentId: $id) { edges { node {
  at actor eventType details version position eventId causationId requestId
} } } }"""
PRODUCER = {
    "producer_id": "orders-svc",
    "version": "v3.17",
    "confidence": "HIGH",
    "deployed_at": "2026-01-15T09:58:00.000Z",
}


@pytest.fixture(autouse=True)
def incidents(api: Api) -> None:
    """An open one with all that can be said, a resolved and an acknowledged one."""
    peopled(api)
    whole = {"evidence_sample": [EVIDENCE], "implicated_producer": PRODUCER}
    done(api.post("/api/v1/incidents", request(incident_id="INC-2", severity="SEV_2")))
    for name, field in (("INC-3", "a"), ("INC-4", "b")):
        api.clock.at += timedelta(minutes=1)
        said = {"incident_id": name, "failure_signatures": [f"MISSING_FIELD:{field}"]}
        done(api.post("/api/v1/incidents", request(severity="SEV_3", **said, **whole)))
    done(api.patch("/api/v1/incidents/INC-3", {"oncall_user": "joe", "status": "ACKNOWLEDGED"}))
    done(api.patch("/api/v1/incidents/INC-4", RESOLVED))


def over_http(api: Api, **wanted: Any) -> list[dict[str, Any]]:
    told = done(api.get("/api/v1/incidents", params=wanted)).json()["incidents"]
    return list(map(as_http.incident, told))


def nodes(connection: Any) -> list[dict[str, Any]]:
    return [edge["node"] for edge in connection["edges"]]


def test_an_incident_is_what_http_tells(api: Api, asked: Schema) -> None:
    """S0-174, S0-184"""
    for name in ("INC-1", "INC-3", "INC-4"):
        told = done(api.get(f"/api/v1/incidents/{name}")).json()
        assert asked.told(ONE, id=name) == as_http.incident(told)


def test_no_such_incident_is_null(asked: Schema) -> None:
    assert asked.told(ONE, id="INC-0") is None
    assert codes(asked.refused(ONE, id="x")) == {"incidentId": "MALFORMED"}


def test_active_ones(api: Api, asked: Schema) -> None:
    """S0-176"""
    active = over_http(api, status=["OPEN", "ACKNOWLEDGED"])
    assert [one["incidentId"] for one in active] == ["INC-1", "INC-3"]
    assert asked.told(ACTIVE) == active
    assert asked.told(ACTIVE, severity="SEV_3") == active[1:]
    assert asked.told(ACTIVE, severity="SEV_2") == []


FILTERS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {}),
    ({"status": ["RESOLVED", "OPEN"]}, {"status": ["OPEN", "RESOLVED"]}),
    ({"severity": ["SEV_3"]}, {"severity": "SEV_3"}),
    ({"datasetUrn": ORDERS}, {"dataset_urn": ORDERS}),
    ({"datasetUrn": ORDERS.replace("v1", "v2")}, {"dataset_urn": ORDERS.replace("v1", "v2")}),
    ({"ownerTeam": "orders-platform"}, {"owner_team": "orders-platform"}),
    ({"ownerTeam": "nobody"}, {"owner_team": "nobody"}),
    ({"status": None, "ownerTeam": None, "from": None}, {}),
]


def test_those_that_fit_are_what_http_tells(api: Api, asked: Schema) -> None:
    """S0-175, S0-186"""
    for wanted, over in FILTERS:
        assert nodes(asked.told(LIST, filter=wanted)) == over_http(api, **over)


def test_a_span(api: Api, asked: Schema) -> None:
    """S0-186"""
    moment = stamp(api.clock.at)
    told = nodes(asked.told(LIST, filter={"from": moment}))
    assert told == over_http(api, **{"from": moment})
    assert [one["incidentId"] for one in told] == ["INC-4"]
    assert len(nodes(asked.told(LIST, filter={"to": moment}))) == 3


def test_a_filter_that_cannot_be(asked: Schema) -> None:
    wanted = {
        "from": "2026-01-16T00:00:00Z",
        "to": "2026-01-15T00:00:00Z",
        "datasetUrn": "orders",
        "ownerTeam": "x" * 101,
    }
    assert codes(asked.refused(LIST, filter=wanted)) == {
        "filter.from": "INCONSISTENT",
        "filter.datasetUrn": "MALFORMED",
        "filter.ownerTeam": "TOO_LONG",
    }


def test_a_timeline_is_what_http_tells(api: Api, asked: Schema) -> None:
    path = "/api/v1/incidents/INC-3"
    timeline = done(api.get(f"{path}/timeline")).json()["timeline"]
    details = [one["details"] for one in timeline]
    told = nodes(asked.told(TIMELINE, id="INC-3"))
    assert [one.pop("details") for one in told] == details
    assert told == [
        {as_http.camel(name): one[name] for name in one if name != "details"} for one in timeline
    ]
    assert asked.refused(TIMELINE, id="INC-0")["code"] == "NOT_FOUND"


def test_what_belongs_to_it(api: Api, asked: Schema) -> None:
    """S0-184"""
    query = f"""{{ incident(incidentId: "INC-1") {{
      dataset {as_http.DATASET} relatedSignals {as_http.SIGNAL}
    }} }}"""
    assert asked.told(query) == {
        "dataset": as_http.dataset(done(api.get(DATASET)).json()),
        "relatedSignals": [as_http.signal(done(api.get(SIGNAL)).json())],
    }


def test_related_signals_are_those_of_merged_incidents_too(api: Api, asked: Schema) -> None:
    other = api.registered(dataset_urn="urn:dp:orders:refunds:v1")
    done(api.put(f"{other}/signals/FRESHNESS", update(0, "WARNING", failure_signature=LATE)))
    said = {
        "incident_id": "INC-5",
        "primary_dataset_urn": "urn:dp:orders:refunds:v1",
        "signal_types": ["FRESHNESS", "VOLUME"],
        "failure_signatures": [LATE],
        "severity": "SEV_2",
    }
    done(api.post("/api/v1/incidents", said))
    done(api.post("/api/v1/incidents/INC-5/merge", {"into": "INC-1"}))
    query = '{ incident(incidentId: "INC-1") { relatedSignals { datasetUrn signalType } } }'
    assert asked.told(query)["relatedSignals"] == [
        {"datasetUrn": ORDERS, "signalType": "CONTRACT_COMPLIANCE"},
        {"datasetUrn": "urn:dp:orders:refunds:v1", "signalType": "FRESHNESS"},
    ]


def test_a_retired_dataset_still_belongs_to_its_incident(api: Api, asked: Schema) -> None:
    done(api.delete(DATASET))
    query = '{ incident(incidentId: "INC-1") { dataset { status } } }'
    assert asked.told(query) == {"dataset": {"status": "RETIRED"}}
    assert done(api.get(INCIDENT)).json()["incident_id"] == "INC-1"
