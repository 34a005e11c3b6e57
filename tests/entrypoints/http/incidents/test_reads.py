"""Lists, timelines and the blast radius of incidents over HTTP (S0-204..S0-206)."""

from datetime import timedelta
from typing import Any

import pytest

from tests.entrypoints.http.api import NOW, ORDERS, OTHER_TOKEN, Api, fields
from tests.entrypoints.http.incidents.calls import (
    INCIDENTS,
    LATE,
    MISSING,
    RESOLUTION,
    RESOLVED,
    changed,
    names,
    opened,
)

pytestmark = pytest.mark.usefixtures("orders")


def test_lists(api: Api) -> None:
    """S0-159..S0-162"""
    one = opened(api, incident_id="INC-1", severity="SEV_3")
    api.clock.at += timedelta(hours=1)
    two = opened(api, incident_id="INC-2", failure_signatures=[LATE])
    api.clock.at += timedelta(hours=1)
    opened(api, incident_id="INC-3", failure_signatures=["SCHEMA_DRIFT:amount"])
    changed(api, one, **RESOLVED)
    changed(api, two, status="ACKNOWLEDGED")

    def listed(**wanted: Any) -> list[str]:
        return names(api.get(INCIDENTS, params=wanted))

    assert listed() == ["INC-3", "INC-2", "INC-1"]
    assert listed(status="OPEN") == ["INC-3"]
    assert listed(status=["RESOLVED", "OPEN"]) == ["INC-3", "INC-1"]
    assert listed(severity="SEV_3") == ["INC-1"]
    assert listed(dataset_urn=ORDERS) == ["INC-3", "INC-2", "INC-1"]
    assert listed(dataset_urn=ORDERS, status="RESOLVED") == ["INC-1"]
    assert listed(dataset_urn="urn:dp:orders:other:v1") == []
    assert listed(owner_team="orders-platform") == ["INC-3", "INC-2", "INC-1"]
    assert listed(owner_team="others") == []
    middle = (NOW + timedelta(hours=1)).isoformat()
    assert listed(**{"from": middle}) == ["INC-3", "INC-2"]
    assert listed(to=middle, dataset_urn=ORDERS) == ["INC-2", "INC-1"]
    wrong = api.get(INCIDENTS, params={"from": "yesterday", "dataset_urn": "x", "status": "OPEN"})
    assert fields(wrong) == {"from": "MALFORMED", "dataset_urn": "MALFORMED"}
    assert fields(api.get(INCIDENTS, params={"status": "UNOPENED"})) == {
        "status[0]": "UNKNOWN_VALUE"
    }


def test_a_span_that_ends_before_it_begins(api: Api) -> None:
    span = {"from": "2026-01-16T00:00:00Z", "to": "2026-01-15T00:00:00Z"}
    assert fields(api.get(INCIDENTS, params=span)) == {"from": "INCONSISTENT"}


def test_pages(api: Api) -> None:
    for number in range(5):
        opened(api, incident_id=f"INC-{number}", failure_signatures=[f"MISSING_FIELD:f{number}"])
    found: list[str] = []
    token = None
    while True:
        params = {"page_size": 2, **({"page_token": token} if token else {})}
        page = api.get(INCIDENTS, params=params)
        found += names(page)
        token = page.json()["next_page_token"]
        if token is None:
            break
    assert found == [f"INC-{number}" for number in range(5)]
    first = api.get(INCIDENTS, params={"page_size": 2}).json()["next_page_token"]
    other = api.get(INCIDENTS, params={"page_token": first, "status": "OPEN"})
    assert fields(other) == {"page_token": "MALFORMED"}


def test_the_timeline(api: Api) -> None:
    producer = {"producer_id": "svc", "version": None, "confidence": "LOW", "deployed_at": None}
    path = opened(api, implicated_producer=producer)
    other = {"Authorization": f"Bearer {OTHER_TOKEN}", "X-Request-Id": "req-1"}
    api.patch(path, {"status": "ACKNOWLEDGED", "oncall_user": "joe"}, headers=other)
    changed(api, path, **RESOLVED)
    told = api.get(f"{path}/timeline", params={"page_size": 3}).json()
    rest = api.get(f"{path}/timeline", params={"page_token": told["next_page_token"]}).json()
    entries = [*told["timeline"], *rest["timeline"]]
    assert [one["event_type"] for one in entries] == [
        "OPENED",
        "ACKNOWLEDGED",
        "ASSIGNED",
        "RESOLVED",
    ]
    assert [one["actor"] for one in entries] == [
        "jane@company.example",
        "joe@company.example",
        "joe@company.example",
        "jane@company.example",
    ]
    assert [one["version"] for one in entries] == [1, 2, 3, 4]
    assert entries[1]["request_id"] == "req-1"
    assert entries[0]["details"]["failure_signatures"] == [MISSING]
    assert entries[0]["details"]["implicated_producer"] == producer
    assert entries[2]["details"] == {"oncall_user": "joe"}
    assert entries[3]["details"]["resolution"] == RESOLUTION
    assert rest["next_page_token"] is None


def reads(api: Api, job: str, *, column: str | None = None, writes: str | None = None) -> None:
    """Declare that a job reads the orders: one column, or nobody said which."""
    entity = {"entity_id": f"job:{job}", "entity_name": job, "entity_type": "JOB"}
    told = api.put(
        f"/api/v1/lineage/specs/lspec:job:{job}:git:9f31c2d",
        {
            "dataset_reads": [{"dataset_urn": ORDERS, **entity}],
            "dataset_writes": [{"dataset_urn": writes, **entity}] if writes else [],
            "column_reads": [{"column_urn": f"urn:col:{ORDERS}:{column}", **entity}]
            if column
            else [],
            "column_writes": [],
            "confidence": "HIGH",
            "commit": "9f31c2d",
            "updated_at": "2026-01-15T12:00:00Z",
        },
    )
    assert told.status_code == 200, told.text
    assert api.get(f"/api/v1/datasets/{ORDERS}/readers").status_code == 200


def test_the_blast_radius_is_frozen_and_can_be_compared(api: Api) -> None:
    """S0-056: exact by column where the signature names a field that somebody reads."""
    reads(api, "finance", column="customer_id")
    reads(api, "shipping", column="address")
    path = opened(api)
    then = {
        "downstream_count": 1,
        "downstream_services": ["finance"],
        "estimated_impact": "LOW",
    }
    assert api.get(path).json()["blast_radius"] == then
    reads(api, "audit", column="customer_id", writes=ORDERS)
    told = api.get(f"{path}/impact").json()
    assert told["then"] == then
    assert told["now"]["downstream_services"][:2] == ["audit", "finance"]
    assert told["now"]["estimated_impact"] == "HIGH"
    (first, *_) = api.get(f"{path}/timeline").json()["timeline"]
    assert first["details"]["blast_radius"] == then


def test_without_lineage_by_column_the_whole_dataset_counts(api: Api) -> None:
    reads(api, "finance")
    reads(api, "shipping", column="address")
    radius = api.get(opened(api)).json()["blast_radius"]
    assert radius["downstream_services"] == ["finance", "shipping"]


def test_there_is_no_impact_of_an_unknown_incident(api: Api) -> None:
    assert api.get(f"{INCIDENTS}/INC-0/impact").status_code == 404
