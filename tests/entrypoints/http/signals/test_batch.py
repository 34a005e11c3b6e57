"""Many updates at once: each succeeds or fails by itself."""

from typing import Any

from tests.entrypoints.http.api import ORDERS, REQUIRED, TOKEN, Api, fields, update

BATCH = "/api/v1/signals/batch"


def item(window: int, **other: Any) -> dict[str, Any]:
    return update(window, **{"dataset_urn": ORDERS, "signal_type": "VOLUME", **other})


def test_some_fail_and_the_rest_succeeds(api: Api) -> None:
    api.registered()
    answer = api.post(
        BATCH,
        {
            "updates": [
                item(0, expected_version=0),
                item(1, expected_version=7),
                item(1, expected_version=1),
                item(0, score=2, metrics=None, extra=1),
                item(0, dataset_urn="urn:dp:a:b:v1"),
                "nonsense",
                {},
            ]
        },
    )
    assert answer.status_code == 200
    assert answer.headers["statestore-position"]
    told = answer.json()
    assert (told["success_count"], told["failure_count"]) == (2, 5)
    results = told["results"]
    assert [one["success"] for one in results] == [True, False, True, False, False, False, False]
    assert [one["new_version"] for one in results[:3]] == [1, None, 2]
    assert results[1]["error_code"] == "VERSION_CONFLICT"
    assert results[1]["current_version"] == 1
    assert results[1]["error_message"] == "signal is at version 1, not 7"
    assert {one["field"]: one["code"] for one in results[3]["violations"]} == {
        "score": "OUT_OF_RANGE",
        "metrics": "REQUIRED",
        "extra": "UNKNOWN_FIELD",
    }
    assert results[4]["violations"][0]["code"] == "NOT_REGISTERED"
    assert results[5]["error_code"] == "VALIDATION"
    assert {one["field"] for one in results[5]["violations"]} >= {"updates[5]"}
    assert {one["field"]: one["code"] for one in results[6]["violations"]} == dict.fromkeys(
        ("dataset_urn", "signal_type", *REQUIRED), "REQUIRED"
    )


def test_batches_have_a_limit(api: Api) -> None:
    api.registered()
    assert fields(api.post(BATCH, {"updates": [{}] * 501})) == {"updates": "TOO_MANY"}
    assert api.post(BATCH, {"updates": [{}] * 500}).json()["failure_count"] == 500
    assert api.post(BATCH, {"updates": []}).json()["results"] == []
    assert fields(api.post(BATCH, {})) == {"updates": "REQUIRED"}
    assert fields(api.post(BATCH, {"updates": {}})) == {"updates": "WRONG_TYPE"}


def test_a_repeated_batch_does_nothing_twice(api: Api) -> None:
    api.registered()
    headers = {"Idempotency-Key": "batch-1", "Authorization": f"Bearer {TOKEN}"}
    sent = {"updates": [item(0, expected_version=0), item(1, expected_version=1)]}
    first = api.post(BATCH, sent, headers=headers)
    assert first.json()["success_count"] == 2
    head = api.head()
    assert api.post(BATCH, sent, headers=headers).json() == first.json()
    assert api.head() == head
