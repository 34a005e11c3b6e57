"""Resolution rules and resolving over HTTP (S0-157, S0-158, S0-093..S0-098)."""

from typing import Any

from entrypoints.http.description.examples import CONDITIONAL_RULE
from tests.entrypoints.http.api import ORDERS, Api, fields

EXACT = {"topic_pattern": "raw.orders.events", "resolution_type": "EXACT"}


def test_a_rule_is_added_listed_changed_and_removed(api: Api) -> None:
    path = f"{api.registered()}/resolution-rules"
    added = api.post(path, {"name": "main", **EXACT})
    assert added.status_code == 201
    assert added.headers["location"] == f"{path}/main"
    assert added.headers["statestore-position"]
    assert added.json() == {
        "name": "main",
        "dataset_urn": ORDERS,
        **EXACT,
        "priority": 100,
        "conditions": None,
        "default_dataset_urn": None,
        "created_at": "2026-01-16T12:00:00.000Z",
        "updated_at": "2026-01-16T12:00:00.000Z",
    }
    assert api.get(path).json() == {"rules": [added.json()]}
    assert api.get(f"{path}/main").json() == added.json()

    changed = api.put(f"{path}/main", {**added.json(), "priority": 7})
    assert changed.status_code == 200
    assert changed.json() == {**added.json(), "priority": 7}

    removed = api.delete(f"{path}/main")
    assert removed.status_code == 204
    assert removed.content == b""
    assert api.get(path).json() == {"rules": []}
    for gone in (api.get(f"{path}/main"), api.delete(f"{path}/main")):
        assert gone.status_code == 404
        assert gone.json()["code"] == "NOT_FOUND"


def test_rules_without_a_name_get_free_ones(api: Api) -> None:
    path = f"{api.registered()}/resolution-rules"
    wild = {"topic_pattern": "raw.*", "resolution_type": "WILDCARD"}
    names = [api.post(path, rule).json()["name"] for rule in (EXACT, wild, EXACT)]
    assert names == ["default", "default-2", "default"]
    assert [rule["priority"] for rule in api.get(path).json()["rules"]] == [100, 50]


def test_another_rule_of_the_same_name(api: Api) -> None:
    path = f"{api.registered()}/resolution-rules"
    api.post(path, {"name": "main", **EXACT})
    answer = api.post(path, {"name": "main", **EXACT, "topic_pattern": "raw.other"})
    assert answer.status_code == 409
    assert answer.json()["code"] == "ALREADY_EXISTS"


def test_rules_of_unknown_datasets(api: Api) -> None:
    path = "/api/v1/datasets/urn:dp:a:b:v1/resolution-rules"
    for answer in (
        api.get(path),
        api.post(path, EXACT),
        api.put(f"{path}/x", EXACT),
        api.delete(f"{path}/x"),
    ):
        assert answer.status_code == 404


def test_all_that_is_wrong_with_a_rule(api: Api) -> None:
    path = f"{api.registered()}/resolution-rules"
    answer = api.post(
        path,
        {
            "name": "no good",
            "topic_pattern": "a b",
            "resolution_type": "MAYBE",
            "priority": 1.5,
            "why": 1,
            "conditions": [
                {"field": "$[", "operator": "EQUALS", "value": 1, "dataset_urn": "x"},
                7,
                {"field": "$.a", "operator": "IN", "value": "text", "dataset_urn": ORDERS},
            ],
        },
    )
    assert fields(answer) == {
        "name": "MALFORMED",
        "topic_pattern": "MALFORMED",
        "resolution_type": "UNKNOWN_VALUE",
        "priority": "WRONG_TYPE",
        "why": "UNKNOWN_FIELD",
        "conditions[0].field": "MALFORMED",
        "conditions[0].dataset_urn": "MALFORMED",
        "conditions[1]": "WRONG_TYPE",
        "conditions[2].value": "WRONG_TYPE",
    }
    assert fields(api.post(path, {})) == {
        "topic_pattern": "REQUIRED",
        "resolution_type": "REQUIRED",
    }
    assert api.get(path).json() == {"rules": []}


def test_a_rule_keeps_its_name(api: Api) -> None:
    path = f"{api.registered()}/resolution-rules"
    api.post(path, {"name": "main", **EXACT})
    answer = api.put(f"{path}/main", {**EXACT, "name": "other", "dataset_urn": "urn:dp:a:b:v1"})
    assert fields(answer) == {"name": "INCONSISTENT", "dataset_urn": "INCONSISTENT"}


# Resolving.


def test_why_a_topic_belongs_to_a_dataset(api: Api) -> None:
    path = f"{api.registered()}/resolution-rules"
    rule: dict[str, Any] = {
        **CONDITIONAL_RULE,
        "topic_pattern": "raw.orders.*",
        "conditions": [{**CONDITIONAL_RULE["conditions"][0], "value": "order_created"}],
        "default_dataset_urn": None,
    }
    rule["conditions"][0]["dataset_urn"] = ORDERS
    assert api.post(path, rule).status_code == 201
    assert api.post(path, {**EXACT, "topic_pattern": "raw.orders.exact"}).status_code == 201

    payload = {"event_type": "order_created", "order_id": "1", "total_amount": -1}
    answer = api.post("/api/v1/resolve", {"topic": "raw.orders.events", "payload": payload})
    assert answer.status_code == 200
    told = answer.json()
    assert told["dataset_urn"] == ORDERS
    assert told["registered"] is True
    assert told["status"] == "ACTIVE"
    assert told["rule"] == {
        "rule": "by-event-type",
        "owner_urn": ORDERS,
        "topic_pattern": "raw.orders.*",
        "resolution_type": "CONDITIONAL",
        "priority": 50,
        "dataset_urn": ORDERS,
        "reason": "condition 1 holds: $.event_type EQUALS",
    }
    assert told["steps"] == [told["rule"]]
    assert {one["field"]: one["code"] for one in told["contract_violations"]} == {
        "customer_id": "MISSING_FIELD",
        "total_amount": "OUT_OF_RANGE",
    }


def test_a_topic_that_belongs_nowhere(api: Api) -> None:
    told = api.post("/api/v1/resolve", {"topic": "raw.nothing"}).json()
    assert told == {
        "topic": "raw.nothing",
        "dataset_urn": None,
        "registered": False,
        "status": None,
        "rule": None,
        "steps": [],
        "contract_violations": [],
    }


def test_topics_are_checked(api: Api) -> None:
    assert fields(api.post("/api/v1/resolve", {})) == {"topic": "REQUIRED"}
    assert fields(api.post("/api/v1/resolve", {"topic": "a" * 250})) == {"topic": "TOO_LONG"}
    assert fields(api.post("/api/v1/resolve", {"topic": 1})) == {"topic": "WRONG_TYPE"}


def test_a_name_may_be_left_out_but_not_be_empty(api: Api) -> None:
    rules = f"{api.registered()}/resolution-rules"
    rule = {"topic_pattern": "raw.x", "resolution_type": "EXACT"}
    assert fields(api.post(rules, {**rule, "name": ""})) == {"name": "MALFORMED"}
    assert api.post(rules, {**rule, "name": None}).json()["name"] == "default"
