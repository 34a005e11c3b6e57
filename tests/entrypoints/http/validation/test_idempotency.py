"""A repeated request with the same key is done once."""

import json

import pytest

from tests.entrypoints.http.api import ORDERS_DATASET, OTHER_TOKEN, Api, fields, update

KEY = {"Idempotency-Key": "key-1"}


def test_the_same_request_again_is_answered_again(api: Api) -> None:
    path = f"{api.registered()}/signals/VOLUME"
    first = api.put(path, update(0, expected_version=0), headers=KEY)
    head = api.head()
    assert "idempotent-replay" not in first.headers
    api.put(path, update(1, "CRITICAL"))
    again = api.put(path, update(0, expected_version=0), headers=KEY)
    assert again.status_code == 200
    assert again.headers["idempotent-replay"] == "true"
    assert {**again.json(), "position": ""} == {**first.json(), "position": ""}
    assert api.head() == head + 1


def test_spaces_and_order_do_not_make_it_another_request(api: Api) -> None:
    path = f"{api.registered()}/signals/VOLUME"
    sent = update(0, expected_version=0)
    api.put(path, sent, headers=KEY)
    turned = json.dumps(dict(reversed(sent.items())), indent=4)
    again = api.ask("PUT", path.replace(":", "%3A"), content=turned, headers=KEY)
    assert again.headers["idempotent-replay"] == "true"


def test_another_body_under_the_same_key(api: Api) -> None:
    path = f"{api.registered()}/signals/VOLUME"
    api.put(path, update(0), headers=KEY)
    for answer in (
        api.put(path, update(1), headers=KEY),
        api.put(path.replace("VOLUME", "SCHEMA"), update(0), headers=KEY),
    ):
        assert answer.status_code == 422
        assert answer.json()["code"] == "IDEMPOTENCY_KEY_REUSED"


def test_another_caller_has_keys_of_its_own(api: Api) -> None:
    path = f"{api.registered()}/signals/VOLUME"
    api.put(path, update(0), headers=KEY)
    other = api.put(path, update(1), headers={**KEY, "Authorization": f"Bearer {OTHER_TOKEN}"})
    assert other.status_code == 200
    assert other.json()["version"] == 2


def test_registering_changing_and_retiring_again(api: Api) -> None:
    first = api.post("/api/v1/datasets", ORDERS_DATASET, headers=KEY)
    again = api.post("/api/v1/datasets", ORDERS_DATASET, headers=KEY)
    assert again.status_code == 201
    assert again.headers["idempotent-replay"] == "true"
    assert again.json() == first.json()
    path = first.headers["location"]
    change = {"tier": "TIER_2", "expected_version": 1}
    changed = api.put(path, change, headers={"Idempotency-Key": "2"})
    assert api.put(path, change, headers={"Idempotency-Key": "2"}).json() == changed.json()
    retired = api.delete(path, headers={"Idempotency-Key": "3"})
    assert api.delete(path, headers={"Idempotency-Key": "3"}).json() == retired.json()
    rule = {"topic_pattern": "raw.x", "resolution_type": "EXACT"}
    api.post(f"{path}/restore")
    added = api.post(f"{path}/resolution-rules", rule, headers={"Idempotency-Key": "4"})
    repeated = api.post(f"{path}/resolution-rules", rule, headers={"Idempotency-Key": "4"})
    assert repeated.status_code == 201
    assert repeated.json() == added.json()


@pytest.mark.parametrize("key", ["", "x" * 201, "t\tab", "ümlaut"])
def test_keys_are_checked(api: Api, key: str) -> None:
    path = f"{api.registered()}/signals/VOLUME"
    answer = api.put(path, update(0), headers={"Idempotency-Key": key.encode("latin-1")})
    assert fields(answer) == {"Idempotency-Key": "MALFORMED"}


def test_a_refused_request_may_be_mended_under_its_key(api: Api) -> None:
    path = f"{api.registered()}/signals/VOLUME"
    assert api.put(path, update(0, score=2), headers=KEY).status_code == 422
    assert api.put(path, update(0), headers=KEY).status_code == 200
