"""Signals over HTTP: reporting, reading, listing, history (S0-232..S0-239)."""

from itertools import permutations
from typing import Any

import pytest

from application.reads.position import Position
from tests.entrypoints.http.api import EVIDENCE, ORDERS, REQUIRED, Api, fields, serving, update


def test_an_update_answers_how_the_signal_stands(api: Api) -> None:
    path = f"{api.registered()}/signals/VOLUME"
    api.put(path, update(0, expected_version=0))
    answer = api.put(path, update(1, "CRITICAL", expected_version=1))
    assert answer.status_code == 200
    assert answer.headers["etag"] == '"2"'
    position = answer.headers["statestore-position"]
    assert Position.read(position).number == api.head()
    assert answer.json() == {
        "dataset_urn": ORDERS,
        "signal_type": "VOLUME",
        "state": "CRITICAL",
        "previous_state": "OK",
        "state_changed_at": "2026-01-15T12:10:00.000Z",
        "breach_start": "2026-01-15T12:05:00.000Z",
        "version": 2,
        "is_current": True,
        "position": position,
    }


def test_a_signal_is_read_as_the_design_shows_it(api: Api) -> None:
    path = f"{api.registered()}/signals/CONTRACT_COMPLIANCE"
    api.put(path, update(0, "CRITICAL", expected_version=0, score=0.102))
    answer = api.get(path)
    assert answer.status_code == 200
    assert answer.headers["etag"] == '"1"'
    assert list(answer.json().items()) == list(
        {
            "dataset_urn": ORDERS,
            "signal_type": "CONTRACT_COMPLIANCE",
            "state": "CRITICAL",
            "previous_state": None,
            "state_changed_at": "2026-01-15T12:05:00.000Z",
            "breach_start": "2026-01-15T12:00:00.000Z",
            "score": 0.102,
            "slo_threshold": 0.95,
            "window_start": "2026-01-15T12:00:00.000Z",
            "window_end": "2026-01-15T12:05:00.000Z",
            "window_type": "TUMBLING_5MIN",
            "metrics": {"evidence_count": 10, "pass_count": 5, "fail_count": 5},
            "failure_signature": "MISSING_FIELD:customer_id",
            "top_producer": "orders-svc",
            "top_producer_version": "v3.17",
            "top_producer_confidence": "HIGH",
            "evidence_sample": [EVIDENCE],
            "incident_id": None,
            "tier": "TIER_1",
            "owner_team": "orders-platform",
            "last_updated": "2026-01-16T12:00:00.000Z",
            "ttl": None,
            "version": 1,
        }.items()
    )


def test_the_producer_may_be_sent_flat(api: Api) -> None:
    path = f"{api.registered()}/signals/VOLUME"
    flat = {
        "top_producer": "orders-svc",
        "top_producer_version": "v3.17",
        "top_producer_confidence": "LOW",
    }
    assert api.put(path, update(0, "WARNING", **flat)).status_code == 200
    assert api.get(path).json() | flat == api.get(path).json()


def test_what_only_the_store_knows_is_ignored(api: Api) -> None:
    path = f"{api.registered()}/signals/VOLUME"
    sent = {"breach_start": "2020-01-01T00:00:00Z", "incident_id": "INC-1"}
    assert api.put(path, update(0, "CRITICAL", **sent)).status_code == 200
    assert api.get(path).json()["breach_start"] == "2026-01-15T12:00:00.000Z"
    assert api.get(path).json()["incident_id"] is None


def test_versions_are_compared(api: Api) -> None:
    path = f"{api.registered()}/signals/VOLUME"
    api.put(path, update(0, expected_version=0))
    stale = api.put(path, update(1, expected_version=0))
    assert stale.status_code == 409
    assert stale.json()["code"] == "VERSION_CONFLICT"
    assert stale.json()["current_version"] == 1
    by_tag = update(1)
    del by_tag["expected_version"]
    failed = api.put(path, by_tag, headers={"If-Match": '"7"'})
    assert failed.status_code == 412
    assert failed.json()["current_version"] == 1
    assert api.put(path, by_tag, headers={"If-Match": '"1"'}).status_code == 200
    assert fields(api.put(path, by_tag, headers={"If-Match": "*"})) == {"If-Match": "UNSUPPORTED"}


def test_a_signal_nobody_evaluated(api: Api) -> None:
    path = api.registered()
    assert api.get(f"{path}/signals/VOLUME").status_code == 404
    assert api.get(f"{path}/signals/VOLUME/history").status_code == 404
    assert fields(api.get(f"{path}/signals/MOOD")) == {"signal_type": "UNKNOWN_VALUE"}
    assert fields(api.get(f"{path}/signals/MOOD/history")) == {"signal_type": "UNKNOWN_VALUE"}


def test_a_dataset_nobody_registered(api: Api) -> None:
    path = f"/api/v1/datasets/{ORDERS}/signals/VOLUME"
    assert fields(api.put(path, update(0))) == {"dataset_urn": "NOT_REGISTERED"}


def test_everything_that_is_wrong_at_once(api: Api) -> None:
    """The whole list of the contract in one answer, and nothing is written (S0-239)."""
    before = api.head()
    answer = api.put(
        "/api/v1/datasets/urn:dp:nonsense/signals/MOOD",
        {
            "state": "BAD",
            "score": "high",
            "slo_threshold": 1.5,
            "window_start": "2026-01-15 09:55",
            "window_end": "2039-01-15T10:00:00Z",
            "window_type": "five minutes",
            "metrics": {"evidence_count": 2**53, "pass_count": True},
            "failure_signature": "reason",
            "top_producer": {"version": "v" * 101, "confidence": "SURE", "mood": 1},
            "evidence_sample": ["evd-1", 2],
            "evaluated_at": "9999-12-31T23:59:59-23:59",
            "expected_version": -2,
            "extra": None,
        },
    )
    assert fields(answer) == {
        "dataset_urn": "MALFORMED",
        "signal_type": "UNKNOWN_VALUE",
        "state": "UNKNOWN_VALUE",
        "score": "WRONG_TYPE",
        "slo_threshold": "OUT_OF_RANGE",
        "window_start": "MALFORMED",
        "window_end": "IN_THE_FUTURE",
        "window_type": "MALFORMED",
        "metrics.evidence_count": "OUT_OF_RANGE",
        "metrics.pass_count": "WRONG_TYPE",
        "metrics.fail_count": "REQUIRED",
        "failure_signature": "MALFORMED",
        "top_producer.producer_id": "REQUIRED",
        "top_producer.version": "TOO_LONG",
        "top_producer.confidence": "UNKNOWN_VALUE",
        "top_producer.mood": "UNKNOWN_FIELD",
        "evidence_sample[0]": "MALFORMED",
        "evidence_sample[1]": "WRONG_TYPE",
        "evaluated_at": "MALFORMED",
        "expected_version": "OUT_OF_RANGE",
        "extra": "UNKNOWN_FIELD",
    }
    assert api.head() == before


def test_everything_that_is_missing_at_once(api: Api) -> None:
    path = f"{api.registered()}/signals/VOLUME"
    assert fields(api.put(path, {})) == dict.fromkeys(REQUIRED, "REQUIRED")
    bare = update(0, "CRITICAL", failure_signature=None, top_producer=None, evidence_sample=None)
    assert fields(api.put(path, bare)) == {
        "failure_signature": "REQUIRED",
        "top_producer": "REQUIRED",
        "evidence_sample": "REQUIRED",
    }


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("score", True, "WRONG_TYPE"),
        ("score", 2**70, "OUT_OF_RANGE"),
        ("score", 1e300, "OUT_OF_RANGE"),
        ("expected_version", 2**64, "WRONG_TYPE"),
        ("expected_version", "1", "WRONG_TYPE"),
        ("expected_version", 1.0, "WRONG_TYPE"),
        ("window_end", "2026-01-15T12:05:00", "MALFORMED"),
        ("window_end", 1768478400, "MALFORMED"),
        ("window_end", "0001-01-01T00:00:00+01:00", "MALFORMED"),
        ("window_end", "2026-01-15T11:00:00Z", "INVERTED"),
        ("window_end", "2026-02-30T00:00:00Z", "MALFORMED"),
        ("metrics", [], "WRONG_TYPE"),
        ("top_producer", 5, "WRONG_TYPE"),
        ("evidence_sample", EVIDENCE, "WRONG_TYPE"),
        ("evidence_sample", [EVIDENCE] * 11, "TOO_MANY"),
    ],
)
def test_one_thing_that_is_wrong(api: Api, field: str, value: Any, code: str) -> None:
    path = f"{api.registered()}/signals/VOLUME"
    assert fields(api.put(path, update(0, **{field: value}))) == {field: code}


def test_whole_numbers_are_numbers(api: Api) -> None:
    path = f"{api.registered()}/signals/VOLUME"
    assert api.put(path, update(0, score=1)).status_code == 200
    assert api.get(path).json()["score"] == 1.0


def test_the_body_may_repeat_the_path(api: Api) -> None:
    path = f"{api.registered()}/signals/VOLUME"
    same = update(0, dataset_urn=ORDERS, signal_type="VOLUME")
    assert api.put(path, same).status_code == 200
    other = update(0, dataset_urn="urn:dp:a:b:v1", signal_type="SCHEMA")
    assert fields(api.put(path, other)) == {
        "dataset_urn": "INCONSISTENT",
        "signal_type": "INCONSISTENT",
    }


# Order.

REPORTS = (
    update(0, "OK", evaluated_at="2026-01-15T12:06:00Z"),
    update(1, "WARNING", evaluated_at="2026-01-15T12:11:00Z"),
    update(1, "CRITICAL", evaluated_at="2026-01-15T12:12:00Z"),
    update(2, "UNKNOWN", evaluated_at="2026-01-15T12:16:00Z"),
)


def test_the_order_of_arrival_does_not_show() -> None:
    seen = []
    with serving() as api:
        for number, order in enumerate(permutations(REPORTS)):
            urn = f"urn:dp:orders:n{number}:v1"
            path = f"{api.registered(dataset_urn=urn)}/signals/VOLUME"
            for report in order:
                assert api.put(path, report).status_code == 200
            seen.append({**api.get(path).json(), "dataset_urn": "", "last_updated": ""})
    assert seen[0]["state"] == "UNKNOWN"
    assert seen[0]["previous_state"] == "CRITICAL"
    assert all(one == seen[0] for one in seen)


# History.


def test_history_in_pages_and_spans(api: Api) -> None:
    path = f"{api.registered()}/signals/VOLUME"
    for window in range(5):
        api.put(path, update(window, "OK" if window % 2 else "WARNING"))
    whole = api.get(f"{path}/history").json()["evaluations"]
    assert [one["state"] for one in whole] == ["WARNING", "OK", "WARNING", "OK", "WARNING"]
    assert all(one["was_current"] for one in whole)
    assert whole[0]["recorded_at"] == "2026-01-16T12:00:00.000Z"

    first = api.get(f"{path}/history", params={"page_size": 3}).json()
    token = first["next_page_token"]
    rest = api.get(f"{path}/history", params={"page_size": 3, "page_token": token}).json()
    assert first["evaluations"] + rest["evaluations"] == whole
    assert rest["next_page_token"] is None

    span = {"from": "2026-01-15T12:10:00Z", "to": "2026-01-15T13:20:00+01:00"}
    assert api.get(f"{path}/history", params=span).json()["evaluations"] == whole[1:4]


def test_spans_are_checked(api: Api) -> None:
    path = f"{api.registered()}/signals/VOLUME"
    answer = api.get(f"{path}/history", params={"from": "yesterday", "to": "2026-01-15"})
    assert fields(answer) == {"from": "MALFORMED", "to": "MALFORMED"}
    backwards = {"from": "2026-01-15T12:10:00Z", "to": "2026-01-15T12:09:59Z"}
    assert fields(api.get(f"{path}/history", params=backwards)) == {"from": "INCONSISTENT"}


# Listing and health.


def test_health_is_the_worst_of_the_signals(api: Api) -> None:
    path = api.registered()
    assert api.get(f"{path}/health").json()["state"] == "UNKNOWN"
    api.put(f"{path}/signals/VOLUME", update(0))
    api.put(f"{path}/signals/SCHEMA", update(0, "WARNING"))
    told = api.get(f"{path}/health").json()
    assert told["state"] == "WARNING"
    assert told["counts"] == {"OK": 1, "WARNING": 1, "CRITICAL": 0, "UNKNOWN": 0}
    assert told["tier"] == "TIER_1"
    assert told["owner_team"] == "orders-platform"
    assert told["status"] == "ACTIVE"
    # On DynamoDB the end of the log is known as it was seen last.
    assert 0 <= told["age_seconds"] < 60
    assert Position.read(told["position"]).number == api.head()
    signals = api.get(f"{path}/signals").json()
    assert signals == {"dataset_urn": ORDERS, "signals": told["signals"]}
    assert [one["signal_type"] for one in signals["signals"]] == ["SCHEMA", "VOLUME"]


def test_health_of_an_unknown_dataset(api: Api) -> None:
    for path in ("health", "signals"):
        assert api.get(f"/api/v1/datasets/{ORDERS}/{path}").status_code == 404


def test_what_is_not_ok_is_listed_worst_first(api: Api) -> None:
    datasets = {"a": "WARNING", "b": "CRITICAL", "c": "OK", "d": "UNKNOWN", "e": "CRITICAL"}
    for name, state in datasets.items():
        tier = "TIER_3" if name == "b" else "TIER_1"
        path = api.registered(dataset_urn=f"urn:dp:o:{name}:v1", tier=tier, owner_team=f"t{name}")
        api.put(f"{path}/signals/VOLUME", update(0, state))

    def listed(**params: Any) -> str:
        seen, token = [], None
        while True:
            more: dict[str, str] = {"page_token": token} if token else {}
            page = api.get("/api/v1/signals", params={**params, **more}).json()
            seen += [one["dataset_urn"].split(":")[3] for one in page["signals"]]
            token = page["next_page_token"]
            if token is None:
                return "".join(seen)

    assert listed() == "eba"
    assert listed(page_size=1) == "eba"
    assert listed(state=["UNKNOWN", "WARNING"], page_size=1) == "ad"
    assert listed(tier="TIER_1") == "ea"
    assert listed(owner_team="ta") == "a"


def test_what_is_well_is_not_listed(api: Api) -> None:
    answer = api.get("/api/v1/signals", params={"state": ["OK", "WARNING"]})
    assert fields(answer) == {"state": "UNSUPPORTED"}
    assert "state[1]" in fields(api.get("/api/v1/signals", params={"state": ["WARNING", "X"]}))
