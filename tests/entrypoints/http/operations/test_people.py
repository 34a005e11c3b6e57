"""Erasing people over HTTP."""

from tests.entrypoints.http.api import ORDERS_DATASET, Api, fields

ERASURE = "/api/v1/people/erasure"


def test_an_erased_person_is_unreadable(api: Api) -> None:
    path = api.registered()
    tag = api.get(path).headers["etag"]
    person = ORDERS_DATASET["owner_email"]
    assert api.post(ERASURE, {"person": person}).json() == {"erased": True}
    read = api.get(path, headers={"If-None-Match": tag})
    assert read.status_code == 200
    assert person not in read.text
    assert api.post(ERASURE, {"person": "nobody@company.com"}).json() == {"erased": False}


def test_the_person_must_be_named(api: Api) -> None:
    assert fields(api.post(ERASURE, {})) == {"person": "REQUIRED"}
    assert fields(api.post(ERASURE, {"person": "x" * 255})) == {"person": "TOO_LONG"}
    assert fields(api.post(ERASURE, {"person": 1, "who": 2})) == {
        "person": "WRONG_TYPE",
        "who": "UNKNOWN_FIELD",
    }


def test_what_is_read_after_an_erasure_may_be_sent_back(api: Api) -> None:
    path = api.registered()
    api.post(ERASURE, {"person": ORDERS_DATASET["owner_email"]})
    read = api.get(path).json()
    assert read["owner_email"] == "[erased]"
    answer = api.put(path, {**read, "retention_days": 7})
    assert answer.status_code == 200, answer.text
    assert (answer.json()["retention_days"], answer.json()["owner_email"]) == (7, "[erased]")
