"""Lineage over HTTP: declaring it, who writes and reads what, what lies downstream."""

from datetime import timedelta
from typing import Any

import pytest

from tests.entrypoints.http.api import NOON, ORDERS, Api, fields, problem

INVOICES = "urn:dp:finance:invoices:v1"
SPEC = "lspec:job:finance:git:9f31c2d"
PATH = f"/api/v1/lineage/specs/{SPEC}"
JOB = {"entity_id": "job:finance", "entity_name": "finance", "entity_type": "JOB"}


def column(dataset: str, name: str) -> str:
    return f"urn:col:{dataset}:{name}"


def spec(**other: Any) -> dict[str, Any]:
    return {
        "dataset_reads": [{"dataset_urn": ORDERS, **JOB}],
        "dataset_writes": [{"dataset_urn": INVOICES, **JOB}],
        "column_reads": [{"column_urn": column(ORDERS, "customer_id"), **JOB}],
        "column_writes": [{"column_urn": column(INVOICES, "customer"), **JOB}],
        "confidence": "HIGH",
        "commit": "9f31c2d",
        "updated_at": "2026-01-15T12:00:00Z",
        **other,
    }


def named(answer: Any, role: str) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [entry["entity_id"] for entry in answer.json()[role]]


def test_a_spec_is_declared_and_found(api: Api) -> None:
    answer = api.put(PATH, spec())
    assert answer.status_code == 200
    told = answer.json()
    assert told.pop("position") == answer.headers["statestore-position"]
    assert told == {
        "spec_id": SPEC,
        "producer_id": "job:finance",
        "result": "applied",
        "current_spec_id": SPEC,
        "updated_at": "2026-01-15T12:00:00.000Z",
        "expires_at": "2026-04-15T12:00:00.000Z",
    }
    assert api.get(f"/api/v1/datasets/{ORDERS}/readers").json() == {
        "urn": ORDERS,
        "readers": [
            {
                **JOB,
                "confidence": "HIGH",
                "spec_id": SPEC,
                "commit": "9f31c2d",
                "updated_at": "2026-01-15T12:00:00.000Z",
                "expires_at": "2026-04-15T12:00:00.000Z",
                "other_spec_ids": [],
            }
        ],
        "next_page_token": None,
    }
    path = f"/api/v1/columns/{column(ORDERS, 'customer_id')}/readers"
    assert named(api.get(path), "readers") == ["job:finance"]
    assert named(api.get(path.replace(":", "%3A")), "readers") == ["job:finance"]
    path = f"/api/v1/columns/{column(INVOICES, 'customer')}/writers"
    assert named(api.get(path), "writers") == ["job:finance"]
    assert named(api.get(f"/api/v1/datasets/{INVOICES}/writers"), "writers") == ["job:finance"]
    assert named(api.get(f"/api/v1/datasets/{ORDERS}/writers"), "writers") == []


def test_again_newer_and_older(api: Api) -> None:
    newer = PATH.replace("9f31c2d", "a2b4c6d")
    changed = spec(commit="a2b4c6d", updated_at="2026-01-15T13:00:00Z", dataset_reads=[])
    assert api.put(PATH, spec()).json()["result"] == "applied"
    assert api.put(PATH, spec(spec_id=SPEC)).json()["result"] == "unchanged"
    assert api.put(newer, changed).json()["result"] == "applied"
    late = api.put(PATH, spec()).json()
    assert late["result"] == "superseded"
    assert (late["spec_id"], late["current_spec_id"]) == (SPEC, "lspec:job:finance:git:a2b4c6d")
    assert api.head() == 2


def test_the_same_request_again_is_answered_again(api: Api) -> None:
    key = {"Idempotency-Key": "key-1"}
    first = api.put(PATH, spec(), headers=key)
    again = api.put(PATH, spec(), headers=key)
    assert again.headers["idempotent-replay"] == "true"
    assert {**again.json(), "position": ""} == {**first.json(), "position": ""}
    other = api.put(PATH, spec(confidence="LOW"), headers=key)
    assert problem(other)["code"] == "IDEMPOTENCY_KEY_REUSED"


def test_all_that_is_wrong_with_a_spec(api: Api) -> None:
    answer = api.put(
        "/api/v1/lineage/specs/lspec:finance",
        {
            "spec_id": "other",
            "dataset_reads": [
                {"dataset_urn": "x", **JOB, "entity_type": "CRON"},
                7,
                {"dataset_urn": ORDERS, **JOB, "why": 1},
                {"dataset_urn": ORDERS, **JOB},
            ],
            "column_writes": [{"column_urn": ORDERS, "entity_id": "a b", "entity_type": "JOB"}],
            "confidence": 1,
            "updated_at": "yesterday",
            "ttl_seconds": 5,
        },
    )
    assert fields(answer) == {
        "spec_id": "INCONSISTENT",
        "dataset_reads[0].dataset_urn": "MALFORMED",
        "dataset_reads[0].entity_type": "UNKNOWN_VALUE",
        "dataset_reads[1]": "WRONG_TYPE",
        "dataset_reads[2].why": "UNKNOWN_FIELD",
        "dataset_reads[3]": "DUPLICATE",
        "column_writes[0].column_urn": "MALFORMED",
        "column_writes[0].entity_id": "MALFORMED",
        "column_writes[0].entity_name": "REQUIRED",
        "confidence": "WRONG_TYPE",
        "commit": "REQUIRED",
        "updated_at": "MALFORMED",
        "ttl_seconds": "OUT_OF_RANGE",
    }
    assert api.head() == 0
    future = (NOON + timedelta(days=2)).isoformat()
    assert fields(api.put(PATH, spec(updated_at=future))) == {"updated_at": "IN_THE_FUTURE"}
    malformed = api.put("/api/v1/lineage/specs/lspec:finance", spec())
    assert fields(malformed) == {"spec_id": "MALFORMED"}


def test_a_large_spec_of_nonsense_is_answered_soon(api: Api) -> None:
    """Thousands of violations are not compared with each other."""
    lists = ("dataset_reads", "dataset_writes", "column_reads", "column_writes")
    answer = api.put(PATH, spec(**{name: [{}] * 1000 for name in lists}))
    assert 200 <= len(fields(answer)) <= 400


@pytest.mark.parametrize("role", ["writers", "readers"])
def test_names_are_checked(api: Api, role: str) -> None:
    assert fields(api.get(f"/api/v1/datasets/x/{role}")) == {"dataset_urn": "MALFORMED"}
    assert fields(api.get(f"/api/v1/columns/{ORDERS}/{role}")) == {"column_urn": "MALFORMED"}


def test_long_lists_come_in_pages(api: Api) -> None:
    names = [f"job:n{number}" for number in range(5)]
    reads = [{"dataset_urn": ORDERS, **JOB, "entity_id": name} for name in names]
    api.put(PATH, spec(dataset_reads=reads, column_reads=[]))
    path, found, token = f"/api/v1/datasets/{ORDERS}/readers", [], None
    while True:
        params = {"page_size": 2, **({"page_token": token} if token else {})}
        page = api.get(path, params=params)
        found.append(named(page, "readers"))
        token = page.json()["next_page_token"]
        if token is None:
            break
    assert found == [names[:2], names[2:4], names[4:]]
    first = api.get(path, params={"page_size": 2}).json()["next_page_token"]
    other = api.get(f"/api/v1/datasets/{INVOICES}/readers", params={"page_token": first})
    assert fields(other) == {"page_token": "MALFORMED"}


# Impact


def test_what_lies_downstream(api: Api) -> None:
    api.registered(dataset_urn=INVOICES, tier="TIER_2")
    api.put(PATH, spec())
    scan = {"entity_id": "svc:scan", "entity_name": "scan", "entity_type": "SERVICE"}
    api.put(
        "/api/v1/lineage/specs/lspec:svc:scan:git:a2b4c6d",
        spec(
            commit="a2b4c6d",
            confidence="LOW",
            dataset_reads=[{"dataset_urn": INVOICES, **scan}],
            dataset_writes=[{"dataset_urn": "urn:dp:a:b:v1", **scan}],
            column_reads=[],
            column_writes=[],
        ),
    )
    answer = api.get(f"/api/v1/datasets/{ORDERS}/impact")
    assert answer.json() == {
        "dataset_urn": ORDERS,
        "field": None,
        "depth": 10,
        "entities": [
            {**JOB, "distance": 1, "via": ORDERS, "confidence": "HIGH"},
            {**scan, "distance": 2, "via": INVOICES, "confidence": "LOW"},
        ],
        "datasets": [
            {
                "dataset_urn": INVOICES,
                "tier": "TIER_2",
                "columns": None,
                "distance": 1,
                "through": "job:finance",
                "confidence": "HIGH",
            },
            {
                "dataset_urn": "urn:dp:a:b:v1",
                "tier": None,
                "columns": None,
                "distance": 2,
                "through": "svc:scan",
                "confidence": "LOW",
            },
        ],
        "truncated": False,
        "depth_limit_reached": False,
    }
    near = api.get(f"/api/v1/datasets/{ORDERS}/impact?depth=1").json()
    assert [one["entity_id"] for one in near["entities"]] == ["job:finance"]
    assert near["depth_limit_reached"] is True
    by_column = api.get(f"/api/v1/datasets/{ORDERS}/impact?field=customer_id").json()
    assert [one["entity_id"] for one in by_column["entities"]] == ["job:finance"]
    assert by_column["entities"][0]["via"] == column(ORDERS, "customer_id")
    assert [one["columns"] for one in by_column["datasets"]] == [["customer"]]
    nobody = api.get(f"/api/v1/datasets/{ORDERS}/impact?field=other").json()
    assert (nobody["entities"], nobody["datasets"]) == ([], [])


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("field=", "MALFORMED"),
        ("field=a:b", "MALFORMED"),
        (f"field={'a' * 400}", "MALFORMED"),
        ("depth=0", "OUT_OF_RANGE"),
        ("depth=21", "OUT_OF_RANGE"),
        ("depth=x", "WRONG_TYPE"),
    ],
)
def test_questions_are_checked(api: Api, query: str, code: str) -> None:
    answer = api.get(f"/api/v1/datasets/{ORDERS}/impact?{query}")
    assert fields(answer) == {query.partition("=")[0]: code}


def test_lineage_ends(api: Api) -> None:
    """T26"""
    api.put(PATH, spec(ttl_seconds=2 * 24 * 3600))
    path = f"/api/v1/datasets/{ORDERS}/readers"
    assert named(api.get(path), "readers") == ["job:finance"]
    api.clock.at = NOON + timedelta(days=2)
    assert named(api.get(path), "readers") == []
    assert api.get(f"/api/v1/datasets/{ORDERS}/impact").json()["entities"] == []
