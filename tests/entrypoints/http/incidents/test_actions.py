"""Snoozing, merging and splitting incidents over HTTP."""

from datetime import timedelta
from typing import Any

import pytest

from domain.timestamps import moment, stamp
from entrypoints.http.description import examples
from tests.entrypoints.http.api import EVIDENCE, NOW, ORDERS, Api, fields, problem, update

INCIDENTS = "/api/v1/incidents"
PAYMENTS = "urn:dp:payments:payment_processed:v1"
MISSING, LATE = "MISSING_FIELD:customer_id", "LATE_DATA:processed_at"
LATER = stamp(NOW + timedelta(hours=4))


@pytest.fixture(autouse=True)
def two(api: Api) -> None:
    """Orders are broken and payments suffer: INC-1 and INC-2 are open."""
    for dataset, name, signature in ((ORDERS, "INC-1", MISSING), (PAYMENTS, "INC-2", LATE)):
        path = api.registered(dataset_urn=dataset)
        api.put(f"{path}/signals/CONTRACT_COMPLIANCE", update(0, "CRITICAL"))
        opened = api.post(
            INCIDENTS,
            {
                "incident_id": name,
                "primary_dataset_urn": dataset,
                "signal_types": ["CONTRACT_COMPLIANCE"],
                "severity": "SEV_2",
                "failure_signatures": [signature],
                "evidence_sample": [EVIDENCE],
            },
        )
        assert opened.status_code == 201, opened.text


def acted(api: Api, action: str, name: str = "INC-2", **body: Any) -> dict[str, Any]:
    answer = api.post(f"{INCIDENTS}/{name}/{action}", body)
    assert answer.status_code == 200, answer.text
    assert answer.headers["statestore-position"]
    told: dict[str, Any] = answer.json()
    assert answer.headers["etag"] == f'"{told["version"]}"'
    return told


def happened(api: Api, name: str) -> list[dict[str, Any]]:
    return list(api.get(f"{INCIDENTS}/{name}/timeline").json()["timeline"])


def health(api: Api, dataset: str) -> dict[str, Any]:
    return dict(api.get(f"/api/v1/datasets/{dataset}/health").json())


def test_snoozing_and_waking(api: Api) -> None:
    assert acted(api, "snooze", until=LATER, reason="deploying")["snoozed_until"] == LATER
    entry = happened(api, "INC-2")[-1]
    assert (entry["event_type"], entry["details"]) == (
        "SNOOZED",
        {"snoozed_until": LATER, "reason": "deploying"},
    )
    woken = api.delete(f"{INCIDENTS}/INC-2/snooze")
    assert (woken.status_code, woken.json()["snoozed_until"]) == (200, None)
    again = api.delete(f"{INCIDENTS}/INC-2/snooze")
    assert again.json()["version"] == woken.json()["version"]


def test_merging_and_splitting(api: Api) -> None:
    merged = acted(api, "merge", into="INC-1", reason="one deployment")
    assert (merged["status"], merged["merged_into"]) == ("RESOLVED", "INC-1")
    assert merged["resolution"]["reason"] == "DUPLICATE"
    other = api.get(f"{INCIDENTS}/INC-1").json()
    concern = {
        "dataset_urn": PAYMENTS,
        "signal_types": ["CONTRACT_COMPLIANCE"],
        "failure_signatures": [LATE],
    }
    assert other["merged_incidents"] == [{"incident_id": "INC-2", "concerns": [concern]}]
    assert [one["incident_id"] for one in health(api, PAYMENTS)["incidents"]] == ["INC-1"]
    listed = api.get(INCIDENTS, params={"dataset_urn": PAYMENTS}).json()["incidents"]
    assert [one["incident_id"] for one in listed] == ["INC-2"]
    signal = api.get(f"/api/v1/datasets/{PAYMENTS}/signals/CONTRACT_COMPLIANCE").json()
    assert signal["incident_id"] == "INC-1"
    assert happened(api, "INC-1")[-1]["details"] == {
        "incident_id": "INC-2",
        "concerns": [concern],
        "evidence_sample": [],
        "reason": "one deployment",
    }
    split = acted(api, "split", reason="it has another cause")
    assert (split["status"], split["merged_into"], split["resolution"]) == ("OPEN", None, None)
    assert api.get(f"{INCIDENTS}/INC-1").json()["merged_incidents"] == []
    assert [one["incident_id"] for one in health(api, PAYMENTS)["incidents"]] == ["INC-2"]
    assert [one["event_type"] for one in happened(api, "INC-2")] == ["OPENED", "MERGED", "SPLIT"]
    assert [one["event_type"] for one in happened(api, "INC-1")] == [
        "OPENED",
        "MERGED_IN",
        "MERGE_UNDONE",
    ]


def test_a_report_of_the_merged_fault_joins_the_other_incident(api: Api) -> None:
    acted(api, "merge", into="INC-1")
    answer = api.post(
        INCIDENTS,
        {
            "primary_dataset_urn": PAYMENTS,
            "signal_types": ["VOLUME"],
            "severity": "SEV_1",
            "failure_signatures": [LATE],
        },
    )
    assert (answer.status_code, answer.json()["incident_id"]) == (200, "INC-1")
    related = [
        {"dataset_urn": PAYMENTS, "signal_types": ["VOLUME"], "failure_signatures": []},
    ]
    assert answer.json()["related"] == related


@pytest.mark.parametrize(
    ("action", "body", "wrong"),
    [
        ("snooze", {}, {"until": "REQUIRED"}),
        ("snooze", {"until": stamp(NOW)}, {"until": "IN_THE_PAST"}),
        (
            "snooze",
            {"until": "soon", "reason": 7},
            {"until": "MALFORMED", "reason": "WRONG_TYPE"},
        ),
        ("snooze", {"until": stamp(NOW + timedelta(days=31))}, {"until": "OUT_OF_RANGE"}),
        ("merge", {}, {"into": "REQUIRED"}),
        ("merge", {"into": "7721", "so": 1}, {"into": "MALFORMED", "so": "UNKNOWN_FIELD"}),
        ("merge", {"into": "INC-2"}, {"into": "INCONSISTENT"}),
        ("split", {"reason": "x" * 5000}, {"reason": "TOO_LONG"}),
    ],
)
def test_nonsense(api: Api, action: str, body: dict[str, Any], wrong: dict[str, str]) -> None:
    before = api.head()
    answer = api.post(f"{INCIDENTS}/INC-2/{action}", body)
    assert fields(answer) == wrong
    assert api.head() == before


@pytest.mark.parametrize(
    ("action", "name", "body", "status", "code"),
    [
        ("merge", "INC-2", {"into": "INC-9"}, 404, "NOT_FOUND"),
        ("merge", "INC-9", {"into": "INC-2"}, 404, "NOT_FOUND"),
        ("split", "INC-9", {}, 404, "NOT_FOUND"),
        ("split", "INC-2", {}, 409, "INVALID_STATE"),
        ("snooze", "INC-9", {"until": LATER}, 404, "NOT_FOUND"),
        ("merge", "INC-2", {"into": "INC-1", "expected_version": 7}, 409, "VERSION_CONFLICT"),
    ],
)
def test_what_cannot_be(
    api: Api, action: str, name: str, body: dict[str, Any], status: int, code: str
) -> None:
    before = api.head()
    answer = api.post(f"{INCIDENTS}/{name}/{action}", body)
    assert (answer.status_code, problem(answer)["code"]) == (status, code)
    assert api.head() == before


def test_the_status_that_forbids_it_is_a_status(api: Api) -> None:
    acted(api, "merge", into="INC-1")
    answer = api.post(f"{INCIDENTS}/INC-2/reopen", {})
    assert problem(answer)["current_status"] == "RESOLVED"
    assert problem(answer)["detail"] == "cannot reopen incident: it is merged into INC-1"


def test_a_stale_tag(api: Api) -> None:
    for action, body in (("snooze", {"until": LATER}), ("merge", {"into": "INC-1"})):
        path = f"{INCIDENTS}/INC-2/{action}"
        assert api.post(path, body, headers={"If-Match": '"9"'}).status_code == 412


def test_a_repeated_request(api: Api) -> None:
    key = {"Idempotency-Key": "k"}
    first = api.post(f"{INCIDENTS}/INC-2/merge", {"into": "INC-1"}, headers=key)
    acted(api, "split")
    again = api.post(f"{INCIDENTS}/INC-2/merge", {"into": "INC-1"}, headers=key)
    assert (again.status_code, again.headers["idempotent-replay"]) == (200, "true")
    assert again.json() == first.json()
    assert api.get(f"{INCIDENTS}/INC-2").json()["status"] == "OPEN"


def test_the_examples_work(api: Api) -> None:
    api.clock.at = moment(examples.SNOOZE_INCIDENT["until"]) - timedelta(hours=1)
    merge = examples.MERGE_INCIDENT | {"into": "INC-1"}
    for action, example in (
        ("snooze", examples.SNOOZE_INCIDENT),
        ("merge", merge),
        ("split", examples.SPLIT_INCIDENT),
    ):
        acted(api, action, **example)
