"""Changing and reopening incidents over HTTP (S0-159..S0-166)."""

from datetime import timedelta

import pytest

from tests.entrypoints.http.api import EVIDENCE, Api, fields, problem
from tests.entrypoints.http.incidents.calls import (
    INCIDENTS,
    LATE,
    MISSING,
    RESOLVED,
    changed,
    opened,
)

pytestmark = pytest.mark.usefixtures("orders")


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
    assert problem(refused)["code"] == "INVALID_STATE"
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
    again = api.post(f"{path}/reopen", {"reason": "it came back", "expected_version": 2})
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
    assert fields(api.post(f"{path}/reopen", {"reason": "x" * 4001})) == {"reason": "TOO_LONG"}
