"""Opening incidents over HTTP, and what surrounds it (S0-159..S0-166)."""

import pytest

from application.errors import Contended, Unavailable
from tests.entrypoints.http.api import EVIDENCE, NOW, ORDERS, Api, fields, problem
from tests.entrypoints.http.incidents.calls import (
    INCIDENTS,
    LATE,
    MISSING,
    RESOLVED,
    changed,
    names,
    opened,
    request,
)

pytestmark = pytest.mark.usefixtures("orders")


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
    [(Contended(("x",), 9), "WRITE_CONTENTION"), (Unavailable("the log", "x"), "UNAVAILABLE")],
)
def test_what_is_not_possible_at_the_moment(api: Api, error: Exception, code: str) -> None:
    """S0-208: the error is told, nothing is written."""
    before = api.head()
    with api.failing("open_incident", error):
        answer = api.post(INCIDENTS, request())
    assert (answer.status_code, problem(answer)["code"]) == (503, code)
    assert api.head() == before
