"""Incidents over HTTP (S0-159..S0-166, S0-204..S0-206)."""

from datetime import timedelta
from typing import Any

import httpx
import pytest

from application.errors import Contended, Unavailable
from entrypoints.http.examples import CHANGE_INCIDENT
from tests.entrypoints.http.api import (
    EVIDENCE,
    NOW,
    ORDERS,
    OTHER_TOKEN,
    Api,
    fields,
    problem,
    update,
)

INCIDENTS = "/api/v1/incidents"
MISSING = "MISSING_FIELD:customer_id"
LATE = "LATE_DATA:processed_at"
RESOLUTION = CHANGE_INCIDENT["resolution"]
RESOLVED = {"status": "RESOLVED", "resolution": RESOLUTION}


@pytest.fixture(autouse=True)
def orders(api: Api) -> str:
    """A dataset in breach."""
    path = api.registered()
    told = api.put(f"{path}/signals/CONTRACT_COMPLIANCE", update(0, "CRITICAL"))
    assert told.status_code == 200
    return path


def request(**more: Any) -> dict[str, Any]:
    return {
        "primary_dataset_urn": ORDERS,
        "signal_types": ["CONTRACT_COMPLIANCE"],
        "severity": "SEV_1",
        "failure_signatures": [MISSING],
        **more,
    }


def opened(api: Api, **more: Any) -> str:
    """The path of an incident that is open now."""
    answer = api.post(INCIDENTS, request(**more))
    assert answer.status_code == 201, answer.text
    return answer.headers["location"]


def changed(api: Api, path: str, **how: Any) -> dict[str, Any]:
    answer = api.patch(path, how)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def names(answer: httpx.Response) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [one["incident_id"] for one in answer.json()["incidents"]]


def test_opening(api: Api) -> None:
    """S0-204, S0-205, S0-241..S0-243"""
    answer = api.post(INCIDENTS, request(evidence_sample=[EVIDENCE]))
    assert answer.status_code == 201
    told = answer.json()
    assert answer.headers["location"] == f"{INCIDENTS}/{told['incident_id']}"
    assert answer.headers["etag"] == '"1"'
    assert answer.headers["statestore-position"]
    moment = NOW.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    assert told == {
        "incident_id": told["incident_id"],
        "status": "OPEN",
        "severity": "SEV_1",
        "title": "Contract breach on orders:order_created - MISSING_FIELD:customer_id",
        "created_at": moment,
        "updated_at": moment,
        "acknowledged_at": None,
        "resolved_at": None,
        "primary_dataset_urn": ORDERS,
        "signal_types": ["CONTRACT_COMPLIANCE"],
        "failure_signatures": [MISSING],
        "implicated_producer": None,
        "blast_radius": {
            "downstream_count": 0,
            "downstream_services": [],
            "estimated_impact": "UNKNOWN",
        },
        "notification_state": {
            "pagerduty_incident_id": None,
            "slack_thread_ts": None,
            "jira_ticket": None,
        },
        "primary_evidence_id": EVIDENCE,
        "evidence_sample": [EVIDENCE],
        "rca_summary": None,
        "owner_team": "orders-platform",
        "oncall_user": None,
        "resolution": None,
        "snoozed_until": None,
        "merged_into": None,
        "merged_incidents": [],
        "related": [],
        "mtta_seconds": None,
        "mttr_seconds": None,
        "ttl": None,
        "version": 1,
        "joined": False,
    }
    del told["joined"]
    read = api.get(answer.headers["location"])
    assert (read.json(), read.headers["etag"]) == (told, '"1"')


def test_joining(api: Api) -> None:
    path = opened(api, incident_id="INC-7721")
    again = api.post(INCIDENTS, request(evidence_sample=[EVIDENCE]))
    assert again.status_code == 200
    assert (again.headers["location"], again.json()["joined"]) == (path, True)
    assert (again.json()["incident_id"], again.json()["version"]) == ("INC-7721", 2)
    assert names(api.get(INCIDENTS)) == ["INC-7721"]


def test_a_name_that_is_taken(api: Api) -> None:
    opened(api, incident_id="INC-7721")
    answer = api.post(INCIDENTS, request(incident_id="INC-7721", failure_signatures=[LATE]))
    assert answer.status_code == 409
    assert problem(answer)["code"] == "ALREADY_EXISTS"
    assert problem(answer)["current_version"] == 1


def test_everything_that_is_wrong_at_once(api: Api) -> None:
    before = api.head()
    wrong = {
        "incident_id": "7721",
        "primary_dataset_urn": "urn:dp:orders:unknown:v1",
        "signal_types": ["SMELL", 7],
        "severity": "SEV_0",
        "implicated_producer": {"version": 1},
        "evidence_sample": "x",
        "what": 1,
    }
    assert fields(api.post(INCIDENTS, wrong)) == {
        "incident_id": "MALFORMED",
        "primary_dataset_urn": "NOT_REGISTERED",
        "signal_types[0]": "UNKNOWN_VALUE",
        "signal_types[1]": "WRONG_TYPE",
        "severity": "UNKNOWN_VALUE",
        "failure_signatures": "REQUIRED",
        "implicated_producer.version": "WRONG_TYPE",
        "implicated_producer.producer_id": "REQUIRED",
        "evidence_sample": "WRONG_TYPE",
        "what": "UNKNOWN_FIELD",
    }
    assert api.head() == before


def test_the_signal_shows_its_incident(api: Api, orders: str) -> None:
    """S0-206"""
    signal = f"{orders}/signals/CONTRACT_COMPLIANCE"
    path = opened(api, incident_id="INC-7721")
    told = api.get(signal)
    assert (told.json()["incident_id"], told.json()["version"]) == ("INC-7721", 1)
    changed(api, path, **RESOLVED)
    assert api.get(signal).json()["incident_id"] is None


def test_health_includes_what_is_open(api: Api, orders: str) -> None:
    path = opened(api, incident_id="INC-7721")
    opened(api, incident_id="INC-7722", severity="SEV_2", failure_signatures=[LATE])
    told = api.get(f"{orders}/health").json()["incidents"]
    assert [one["incident_id"] for one in told] == ["INC-7721", "INC-7722"]
    assert told[0].keys() == {"incident_id", "status", "severity", "title", "created_at"}
    changed(api, path, **RESOLVED)
    told = api.get(f"{orders}/health").json()["incidents"]
    assert [one["incident_id"] for one in told] == ["INC-7722"]


# Changing.


def test_many_changes_at_once(api: Api) -> None:
    """S0-164, S0-165, S0-166"""
    path = opened(api)
    told = changed(
        api,
        path,
        status="ACKNOWLEDGED",
        severity="SEV_2",
        oncall_user="john.doe@company.com",
        signal_types=["FRESHNESS"],
        failure_signatures=[LATE],
        evidence_sample=[EVIDENCE],
        notification_state={"jira_ticket": "DATA-4521"},
        rca_summary="A deploy.\nRolled back.",
        note="looking",
        expected_version=1,
    )
    assert (told["status"], told["severity"]) == ("ACKNOWLEDGED", "SEV_2")
    assert told["oncall_user"] == "john.doe@company.com"
    assert told["signal_types"] == ["CONTRACT_COMPLIANCE", "FRESHNESS"]
    assert told["failure_signatures"] == [MISSING, LATE]
    assert told["notification_state"]["jira_ticket"] == "DATA-4521"
    assert told["rca_summary"] == "A deploy.\nRolled back."
    assert told["mtta_seconds"] == 0
    assert told == api.get(path).json()
    assert changed(api, path, status="ACKNOWLEDGED", note="looking") == told
    assert changed(api, path, oncall_user=None)["oncall_user"] is None


def test_nothing_of_an_impossible_change_happens(api: Api) -> None:
    path = opened(api)
    done = changed(api, path, **RESOLVED)
    refused = api.patch(path, {"note": "too late", "status": "ACKNOWLEDGED"})
    assert refused.status_code == 409
    assert problem(refused)["code"] == "IMPOSSIBLE"
    assert problem(refused)["current_status"] == "RESOLVED"
    assert problem(refused)["detail"] == "cannot acknowledge incident: it is RESOLVED"
    assert api.get(path).json() == done


def test_versions(api: Api) -> None:
    path = opened(api)
    first = api.patch(path, {"note": "a"}, headers={"If-Match": '"1"'})
    assert (first.status_code, first.headers["etag"]) == (200, '"2"')
    stale = api.patch(path, {"note": "b"}, headers={"If-Match": '"1"'})
    assert stale.status_code == 412
    assert problem(stale)["current_version"] == 2
    stale = api.patch(path, {"note": "b", "expected_version": 1})
    assert stale.status_code == 409
    assert problem(stale)["code"] == "VERSION_CONFLICT"
    assert api.patch(path, {"note": "b"}, headers={"If-Match": "*"}).status_code == 200


def test_everything_that_is_wrong_with_a_change(api: Api) -> None:
    path = opened(api)
    wrong = {
        "status": "CLOSED",
        "severity": 1,
        "resolution": {"reason": "LUCK"},
        "notification_state": {"jira": "x"},
        "title": "x",
    }
    assert fields(api.patch(path, wrong)) == {
        "status": "UNKNOWN_VALUE",
        "severity": "WRONG_TYPE",
        "resolution.root_cause": "REQUIRED",
        "resolution.reason": "UNKNOWN_VALUE",
        "notification_state.jira": "UNKNOWN_FIELD",
        "title": "UNKNOWN_FIELD",
    }
    assert fields(api.patch(path, {"status": "RESOLVED"})) == {"resolution": "REQUIRED"}
    assert fields(api.patch(f"{INCIDENTS}/x", {})) == {"incident_id": "MALFORMED"}


def test_what_nobody_heard_of(api: Api) -> None:
    path = f"{INCIDENTS}/INC-0"
    for answer in (
        api.get(path),
        api.get(f"{path}/timeline"),
        api.patch(path, {"note": "x"}),
        api.post(f"{path}/reopen", {}),
    ):
        assert answer.status_code == 404
        assert problem(answer)["detail"] == "incident INC-0 does not exist"


# Reopening.


def test_reopening(api: Api) -> None:
    path = opened(api)
    api.clock.at += timedelta(minutes=5)
    resolved = changed(api, path, **RESOLVED)
    assert resolved["mttr_seconds"] == 300
    assert resolved["ttl"] == int((api.clock.at + timedelta(days=365)).timestamp())
    again = api.post(f"{path}/reopen", {"because": "it came back", "expected_version": 2})
    assert again.status_code == 200
    told = again.json()
    assert (told["status"], told["resolution"], told["ttl"]) == ("OPEN", None, None)
    changed(api, path, **RESOLVED)
    assert changed(api, path, status="OPEN")["status"] == "OPEN"


def test_reopening_what_another_incident_is_about(api: Api) -> None:
    path = opened(api)
    changed(api, path, **RESOLVED)
    opened(api, incident_id="INC-2")
    refused = api.post(f"{path}/reopen", {})
    assert refused.status_code == 409
    assert "INC-2 is open for MISSING_FIELD:customer_id" in problem(refused)["detail"]


def test_reopening_too_late(api: Api) -> None:
    path = opened(api)
    changed(api, path, **RESOLVED)
    api.clock.at += timedelta(days=8)
    refused = api.post(f"{path}/reopen", {})
    assert problem(refused)["current_status"] == "RESOLVED"
    assert "RESOLVED for more than 7 days" in problem(refused)["detail"]
    assert fields(api.post(f"{path}/reopen", {"because": "x" * 4001})) == {"because": "TOO_LONG"}


# Reading.


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
    assert [one["what"] for one in entries] == ["OPENED", "ACKNOWLEDGED", "ASSIGNED", "RESOLVED"]
    assert [one["by"] for one in entries] == [
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


# Around.


def test_a_repeated_request(api: Api) -> None:
    key = {"Idempotency-Key": "k"}
    first = api.post(INCIDENTS, request(), headers=key)
    path = first.headers["location"]
    changed(api, path, note="x")
    again = api.post(INCIDENTS, request(), headers=key)
    assert (again.status_code, again.headers["idempotent-replay"]) == (201, "true")
    assert again.json() == first.json()
    joined = api.post(INCIDENTS, request(), headers={"Idempotency-Key": "j"})
    changed(api, path, **RESOLVED)
    again = api.post(INCIDENTS, request(), headers={"Idempotency-Key": "j"})
    assert (joined.status_code, again.status_code) == (200, 200)
    assert again.json() == joined.json()
    other = api.post(INCIDENTS, request(severity="SEV_2"), headers=key)
    assert problem(other)["code"] == "IDEMPOTENCY_KEY_REUSED"


def test_an_erased_person(api: Api) -> None:
    path = opened(api)
    changed(api, path, oncall_user="joe@company.com")
    api.post("/api/v1/people/erasure", {"person": "joe@company.com"})
    read = api.get(path)
    assert (read.json()["oncall_user"], read.headers["etag"]) == ("[erased]", '"2-erased"')
    listed = api.get(INCIDENTS)
    assert "joe@company.com" not in listed.text + api.get(f"{path}/timeline").text
    note = api.patch(path, {"note": "x"}, headers={"If-Match": '"2-erased"'})
    assert note.status_code == 200


def test_a_token_is_needed(api: Api) -> None:
    path = opened(api)
    del api.client.headers["Authorization"]
    for answer in (api.get(INCIDENTS), api.get(path), api.post(INCIDENTS, request())):
        assert answer.status_code == 401


@pytest.mark.parametrize(
    ("error", "code"),
    [(Contended(("x",), 9), "CONTENDED"), (Unavailable("the log", "x"), "UNAVAILABLE")],
)
def test_what_is_not_possible_at_the_moment(api: Api, error: Exception, code: str) -> None:
    """S0-208: the error is told, nothing is written."""
    before = api.head()
    with api.failing("open_incident", error):
        answer = api.post(INCIDENTS, request())
    assert (answer.status_code, problem(answer)["code"]) == (503, code)
    assert api.head() == before


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
