"""What enforcers are told over HTTP (S0-247..S0-249)."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx
import pytest

from domain.timestamps import stamp
from tests.entrypoints.http.api import (
    ORDERS,
    ORDERS_DATASET,
    Api,
    fields,
    problem,
    serving,
)
from tests.entrypoints.http.validation.test_models import DATASET, asking, done

LOOKUP = "/api/v1/policies/lookup"
POLICY = f"/api/v1/policies/{ORDERS}"
NOWHERE = "urn:dp:orders:unheard_of:v1"
UNHEARD_OF = f"/api/v1/policies/{NOWHERE}"
AGREED = ("schema_binding", "contract_binding", "pii_policy", "tier", "owner_team")


def again(api: Api, path: str, tag: str) -> httpx.Response:
    return api.get(path, headers={"If-None-Match": tag})


def changed(api: Api, **settings: Any) -> httpx.Response:
    answer: httpx.Response = done(api.put(DATASET, {"expected_version": -1, **settings}))
    return answer


def test_what_is_agreed_is_told(api: Api) -> None:
    api.registered()
    answer = done(api.get(POLICY))
    assert answer.json() == {
        "dataset_urn": ORDERS,
        "registered": True,
        "status": "ACTIVE",
        **{name: ORDERS_DATASET[name] for name in AGREED},
        "config_version": 1,
        "cache_ttl_seconds": 300,
        "is_fallback": False,
        "stale_seconds": None,
        "fallback_on_miss": "WARN",
        "etag": "1-300-warn",
    }
    assert answer.headers["etag"] == '"1-300-warn"'
    assert answer.headers["cache-control"] == "private, max-age=300"


def test_a_dataset_that_is_not_registered_is_an_answer(api: Api) -> None:
    answer = done(api.get(UNHEARD_OF))
    assert answer.json() == {
        "dataset_urn": NOWHERE,
        "registered": False,
        "status": None,
        **dict.fromkeys(AGREED),
        "config_version": 0,
        "cache_ttl_seconds": 300,
        "is_fallback": False,
        "stale_seconds": None,
        "fallback_on_miss": "WARN",
        "etag": "0-300-warn",
    }
    assert answer.headers["cache-control"] == "private, max-age=300"
    for said in ("WARN", "FAIL", "PASS"):
        told = done(api.get(asking(UNHEARD_OF, fallback_on_miss=said))).json()
        assert told["fallback_on_miss"] == said
    assert again(api, UNHEARD_OF, '"0-300-warn"').status_code == 304
    api.registered(dataset_urn=NOWHERE)
    assert again(api, UNHEARD_OF, '"0-300-warn"').json()["registered"] is True


@pytest.fixture
def strict() -> Iterator[Api]:
    terms = {"CACHE_TTL_SECONDS": "5", "FALLBACK_ON_MISS": "FAIL"}
    with serving(**{f"STATESTORE_POLICY_{name}": said for name, said in terms.items()}) as api:
        yield api


def test_the_store_may_be_set_otherwise(strict: Api) -> None:
    answer = done(strict.get(UNHEARD_OF))
    told = answer.json()
    assert (told["cache_ttl_seconds"], told["fallback_on_miss"]) == (5, "FAIL")
    assert answer.headers["cache-control"] == "private, max-age=5"
    assert done(strict.get(asking(UNHEARD_OF, fallback_on_miss="PASS"))).json() == {
        **told,
        "is_fallback": False,
        "stale_seconds": None,
        "fallback_on_miss": "PASS",
        "etag": "0-5-pass",
    }


@pytest.mark.parametrize("tag", ['"1-300-warn"', 'W/"1-300-warn"', '"x", "1-300-warn"', "*"])
def test_whoever_has_the_answer_is_told_nothing_else(api: Api, tag: str) -> None:
    api.registered()
    answer = again(api, POLICY, tag)
    assert (answer.status_code, answer.content) == (304, b"")
    assert answer.headers["etag"] == '"1-300-warn"'
    assert answer.headers["cache-control"] == "private, max-age=300"
    assert answer.headers["statestore-position"]


def test_every_change_is_told(api: Api) -> None:
    api.registered()
    tag = done(api.get(POLICY)).headers["etag"]
    seen = {tag}
    for change in (
        lambda: changed(api, tier="TIER_3"),
        lambda: changed(api, contract_binding=None),
        lambda: done(api.delete(DATASET)),
        lambda: done(api.post(f"{DATASET}/restore")),
        lambda: changed(api, pii_policy={"scan_enabled": False}),
    ):
        change()
        answer = done(again(api, POLICY, tag))
        tag = answer.headers["etag"]
        seen.add(tag)
        assert again(api, POLICY, tag).status_code == 304
        config = done(api.get(DATASET)).json()
        told = answer.json()
        assert {name: told[name] for name in (*AGREED, "status", "config_version")} == {
            name: config[name] for name in (*AGREED, "status", "config_version")
        }
    assert len(seen) == 5, "restored it is as it was before"


def test_as_it_was_and_as_it_must_be(api: Api) -> None:
    api.registered()
    then = stamp(api.clock.at)
    api.clock.at += timedelta(hours=1)
    position = changed(api, tier="TIER_3").headers["statestore-position"]
    for asked, tier in (
        ({"as_of": then}, "TIER_1"),
        ({"min_position": position}, "TIER_3"),
        ({"consistency": "strong"}, "TIER_3"),
    ):
        answer = done(api.get(asking(POLICY, **asked)))
        assert answer.json()["tier"] == tier
        assert answer.headers["cache-control"] == "no-store", "it is about one moment"
    before = stamp(api.clock.at - timedelta(days=1))
    assert done(api.get(asking(POLICY, as_of=before))).json()["registered"] is False
    told = done(api.post(asking(LOOKUP, as_of=then), {"policies": [{"dataset_urn": ORDERS}]}))
    assert told.json()["policies"][0]["tier"] == "TIER_1"


def test_all_that_is_wrong_is_told_at_once(api: Api) -> None:
    wrong = asking("/api/v1/policies/nonsense", as_of="yesterday", min_position="?")
    assert fields(api.get(wrong)) == {
        "dataset_urn": "MALFORMED",
        "as_of": "MALFORMED",
        "min_position": "MALFORMED",
    }
    assert fields(api.get(asking(POLICY, fallback_on_miss="SHRUG"))) == {
        "fallback_on_miss": "UNKNOWN_VALUE"
    }
    assert api.get(wrong).headers["cache-control"] == "no-store"
    sent = {
        "policies": [{"dataset_urn": "x"}, {}, 7, {"dataset_urn": ORDERS, "known_etag": 1}],
        "fallback_on_miss": "SHRUG",
    }
    assert fields(api.post(asking(LOOKUP, as_of="yesterday"), sent)) == {
        "as_of": "MALFORMED",
        "policies[0].dataset_urn": "MALFORMED",
        "policies[1].dataset_urn": "REQUIRED",
        "policies[2]": "WRONG_TYPE",
        "policies[3].known_etag": "WRONG_TYPE",
        "fallback_on_miss": "UNKNOWN_VALUE",
    }


def test_many_at_once(api: Api) -> None:
    api.registered()
    whole = done(api.get(asking(POLICY, fallback_on_miss="FAIL"))).json()
    miss = done(api.get(asking(UNHEARD_OF, fallback_on_miss="FAIL"))).json()
    names = [
        {"dataset_urn": NOWHERE},
        {"dataset_urn": ORDERS, "known_etag": whole["etag"]},
        {"dataset_urn": ORDERS, "known_etag": "stale"},
        {"dataset_urn": NOWHERE, "known_etag": f'"{miss["etag"]}"'},
        {"dataset_urn": ORDERS, "known_etag": None},
    ]
    answer = done(api.post(LOOKUP, {"policies": names, "fallback_on_miss": "FAIL"}))
    assert answer.json()["policies"] == [
        miss,
        {"dataset_urn": ORDERS, "not_modified": True, "etag": "1-300-fail"},
        whole,
        {"dataset_urn": NOWHERE, "not_modified": True, "etag": "0-300-fail"},
        whole,
    ]
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["statestore-position"]


def test_there_is_a_limit(api: Api) -> None:
    name = {"dataset_urn": NOWHERE}
    told = done(api.post(LOOKUP, {"policies": [name] * 500})).json()["policies"]
    assert len(told) == 500
    assert fields(api.post(LOOKUP, {"policies": [name] * 501})) == {"policies": "TOO_MANY"}
    assert fields(api.post(LOOKUP, {})) == {"policies": "REQUIRED"}
    assert done(api.post(LOOKUP, {"policies": []})).json() == {"policies": []}


def test_strangers_are_told_nothing(api: Api) -> None:
    answer = api.get(POLICY, headers={"Authorization": "Bearer nobody"})
    assert problem(answer)["code"] == "UNAUTHENTICATED"
