"""Registering, looking up, changing, retiring and restoring datasets over HTTP (S0-147..S0-156)."""

import pytest

from tests.entrypoints.http.api import ORDERS, ORDERS_DATASET, Api, fields


def test_a_registered_dataset_is_answered_whole(api: Api) -> None:
    answer = api.post("/api/v1/datasets", ORDERS_DATASET)
    assert answer.status_code == 201
    assert answer.headers["location"] == f"/api/v1/datasets/{ORDERS}"
    assert answer.headers["etag"] == '"1"'
    assert answer.headers["statestore-position"]
    assert answer.json() == {
        **ORDERS_DATASET,
        "status": "ACTIVE",
        "config_version": 1,
        "created_at": "2026-01-16T12:00:00.000Z",
        "updated_at": "2026-01-16T12:00:00.000Z",
        "updated_by": "jane@company.example",
        "retired_at": None,
        "archived_at": None,
    }
    assert api.get(answer.headers["location"]).json() == answer.json()


def test_a_dataset_is_registered_once(api: Api) -> None:
    api.registered()
    again = api.post("/api/v1/datasets", ORDERS_DATASET)
    assert again.status_code == 409
    assert again.json()["code"] == "ALREADY_EXISTS"
    assert again.json()["current_version"] == 1


@pytest.mark.parametrize("urn", [ORDERS, ORDERS.replace(":", "%3A"), ORDERS.replace(":", "%3a")])
def test_colons_in_the_path_may_be_encoded(api: Api, urn: str) -> None:
    api.registered()
    assert api.get(f"/api/v1/datasets/{urn}").json()["dataset_urn"] == ORDERS


def test_an_unknown_dataset(api: Api) -> None:
    answer = api.get("/api/v1/datasets/urn:dp:orders:unheard_of:v1")
    assert answer.status_code == 404
    assert answer.json()["code"] == "NOT_FOUND"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", ""),
        ("DELETE", ""),
        ("POST", "/restore"),
        ("GET", "/versions"),
        ("GET", "/resolution-rules"),
        ("GET", "/signals"),
        ("GET", "/signals/VOLUME"),
        ("GET", "/signals/VOLUME/history"),
        ("GET", "/health"),
        ("DELETE", "/resolution-rules/default"),
    ],
)
def test_a_malformed_urn_in_the_path(api: Api, method: str, path: str) -> None:
    answer = api.ask(method, f"/api/v1/datasets/urn:nonsense{path}")
    assert fields(answer) == {"dataset_urn": "MALFORMED"}


# Changing.


def test_what_was_read_can_be_sent_back(api: Api) -> None:
    path = api.registered()
    read = api.get(path).json()
    same = api.put(path, read)
    assert same.status_code == 200
    assert same.json() == read

    edited = api.put(path, {**read, "tier": "TIER_2"})
    assert edited.status_code == 200
    assert edited.json()["config_version"] == 2
    assert edited.json() == {**read, "tier": "TIER_2", "config_version": 2}
    assert edited.headers["etag"] == '"2"'


def test_what_is_left_out_stays_and_null_clears(api: Api) -> None:
    path = api.registered()
    answer = api.put(path, {"description": None, "retention_days": 30, "expected_version": 1})
    assert answer.status_code == 200
    changed = {
        name: value
        for name, value in answer.json().items()
        if ORDERS_DATASET.get(name, value) != value
    }
    assert changed == {"description": None, "retention_days": 30}


def test_what_must_be_there_cannot_be_cleared(api: Api) -> None:
    path = api.registered()
    cleared = {"display_name": None, "tier": None, "owner_team": None, "expected_version": 1}
    required = {"display_name": "REQUIRED", "tier": "REQUIRED", "owner_team": "REQUIRED"}
    assert fields(api.put(path, cleared)) == required


def test_a_change_needs_the_version_it_was_decided_on(api: Api) -> None:
    path = api.registered()
    assert fields(api.put(path, {"tier": "TIER_2"})) == {"expected_version": "REQUIRED"}
    assert api.put(path, {"tier": "TIER_2", "expected_version": -1}).status_code == 200


@pytest.mark.parametrize("stale", ["expected_version", "config_version"])
def test_a_stale_version_in_the_body_conflicts(api: Api, stale: str) -> None:
    path = api.registered()
    api.put(path, {"tier": "TIER_2", "expected_version": 1})
    answer = api.put(path, {"tier": "TIER_3", stale: 1})
    assert answer.status_code == 409
    assert answer.json()["code"] == "VERSION_CONFLICT"
    assert answer.json()["current_version"] == 2
    assert api.get(path).json()["tier"] == "TIER_2"


def test_a_stale_if_match_fails_the_precondition(api: Api) -> None:
    path = api.registered()
    assert api.put(path, {"tier": "TIER_2"}, headers={"If-Match": '"1"'}).status_code == 200
    for stale in ('"1"', '"1-archived"', '"foreign"', 'W/"2"'):
        answer = api.put(path, {"tier": "TIER_3"}, headers={"If-Match": stale})
        assert answer.status_code == 412
        assert answer.json()["code"] == "PRECONDITION_FAILED"
        assert answer.json()["current_version"] == 2
    assert api.put(path, {"tier": "TIER_3"}, headers={"If-Match": "*"}).status_code == 200


def test_if_match_and_the_body_must_agree(api: Api) -> None:
    path = api.registered()
    sent = {"tier": "TIER_2", "expected_version": 2}
    contradiction = api.put(path, sent, headers={"If-Match": '"1"'})
    assert fields(contradiction) == {"expected_version": "INCONSISTENT"}
    malformed = api.put(path, {"tier": "TIER_2"}, headers={"If-Match": "1"})
    assert fields(malformed) == {"If-Match": "MALFORMED", "expected_version": "REQUIRED"}


def test_the_body_must_not_name_another_dataset(api: Api) -> None:
    path = api.registered()
    other = {"dataset_urn": "urn:dp:a:b:v1", "expected_version": 1}
    assert fields(api.put(path, other)) == {"dataset_urn": "INCONSISTENT"}


def test_changing_an_unknown_dataset(api: Api) -> None:
    answer = api.put("/api/v1/datasets/urn:dp:a:b:v1", {"tier": "TIER_1", "expected_version": 1})
    assert answer.status_code == 404


# Versions.


def test_old_versions_stay_readable(api: Api) -> None:
    path = api.registered()
    first = api.get(path).json()
    api.put(path, {"tier": "TIER_2", "expected_version": 1})
    old = api.get(path, params={"version": "1"})
    assert old.json() == {**first, "archived_at": "2026-01-16T12:00:00.000Z"}
    assert old.headers["etag"] == '"1-archived"'
    assert api.get(path, params={"version": "2"}).json() == api.get(path).json()
    assert api.get(path, params={"version": "LATEST"}).json() == api.get(path).json()
    assert api.get(path, params={"version": "3"}).status_code == 404
    assert fields(api.get(path, params={"version": "newest"})) == {"version": "MALFORMED"}


def test_versions_are_listed_latest_first(api: Api) -> None:
    path = api.registered()
    for version in range(1, 6):
        api.put(path, {"retention_days": version, "expected_version": version})
    seen, token = [], None
    for _ in range(3):
        page = api.get(
            f"{path}/versions", params={"page_size": 2, **({"page_token": token} if token else {})}
        ).json()
        seen += [one["config_version"] for one in page["versions"]]
        token = page["next_page_token"]
    assert seen == [6, 5, 4, 3, 2, 1]
    assert token is None


# Caching.


def test_what_is_known_already_is_not_sent_again(api: Api) -> None:
    path = api.registered()
    tag = api.get(path).headers["etag"]
    for known in (tag, f'W/{tag}, "other"', "*"):
        answer = api.get(path, headers={"If-None-Match": known})
        assert answer.status_code == 304
        assert answer.headers["etag"] == tag
        assert answer.content == b""
    api.put(path, {"tier": "TIER_2", "expected_version": 1})
    assert api.get(path, headers={"If-None-Match": tag}).status_code == 200


# Retiring.


def test_retiring_and_restoring(api: Api) -> None:
    path = api.registered()
    tag = api.get(path).headers["etag"]
    retired = api.delete(path, headers={"If-Match": tag})
    assert retired.status_code == 200
    assert retired.json()["status"] == "RETIRED"
    assert retired.json()["retired_at"] == "2026-01-16T12:00:00.000Z"
    assert retired.headers["etag"] != tag
    assert api.delete(path).json() == retired.json()

    refused = api.put(path, {"tier": "TIER_3", "expected_version": 1})
    assert refused.status_code == 409
    assert refused.json()["code"] == "INVALID_STATE"
    assert refused.json()["current_status"] == "RETIRED"

    restored = api.post(f"{path}/restore", headers={"If-Match": retired.headers["etag"]})
    assert restored.status_code == 200
    assert restored.json()["status"] == "ACTIVE"
    assert api.get(path).headers["etag"] == tag


def test_retiring_honours_if_match(api: Api) -> None:
    path = api.registered()
    for answer in (
        api.delete(path, headers={"If-Match": '"7"'}),
        api.post(f"{path}/restore", headers={"If-Match": '"7"'}),
    ):
        assert answer.status_code == 412
    assert api.get(path).json()["status"] == "ACTIVE"


# Listing.


def test_listing_with_filters(api: Api) -> None:
    names = {"a": ("TIER_2", "x"), "b": ("TIER_1", "x"), "c": ("TIER_1", "y"), "d": ("TIER_1", "y")}
    for name, (tier, team) in names.items():
        api.registered(dataset_urn=f"urn:dp:o:{name}:v1", tier=tier, owner_team=team)
    api.delete("/api/v1/datasets/urn:dp:o:d:v1")

    def listed(**params: str) -> list[str]:
        page = api.get("/api/v1/datasets", params=params).json()
        return [one["dataset_urn"].split(":")[3] for one in page["datasets"]]

    assert listed() == ["b", "c", "a"]
    assert listed(tier="TIER_1") == ["b", "c"]
    assert listed(owner_team="x") == ["a", "b"]
    assert listed(tier="TIER_1", owner_team="x") == ["b"]
    assert listed(owner_team="nobody") == []
    assert listed(retired="true") == ["d"]


def test_a_walk_through_the_pages_meets_everyone_once(api: Api) -> None:
    for number in range(7):
        api.registered(dataset_urn=f"urn:dp:o:n{number}:v1", tier=f"TIER_{number % 3 + 1}")
    seen, params = [], {"page_size": "2"}
    while True:
        page = api.get("/api/v1/datasets", params=params).json()
        seen += [one["dataset_urn"] for one in page["datasets"]]
        if page["next_page_token"] is None:
            break
        params["page_token"] = page["next_page_token"]
    assert sorted(seen) == [f"urn:dp:o:n{number}:v1" for number in range(7)]


@pytest.mark.parametrize("size", ["0", "101", "many"])
def test_page_sizes_have_limits(api: Api, size: str) -> None:
    assert set(fields(api.get("/api/v1/datasets", params={"page_size": size}))) == {"page_size"}
    assert api.get("/api/v1/datasets", params={"page_size": "100"}).status_code == 200


def test_an_unknown_tier(api: Api) -> None:
    answer = api.get("/api/v1/datasets", params={"tier": "TIER_4", "page_size": "0"})
    assert fields(answer) == {"tier": "UNKNOWN_VALUE", "page_size": "OUT_OF_RANGE"}


# Everything that is wrong.


def test_all_that_is_wrong_with_a_registration(api: Api) -> None:
    answer = api.post(
        "/api/v1/datasets",
        {
            "dataset_urn": "urn:dp:nonsense",
            "display_name": 7,
            "tier": "GOLD",
            "owner_team": "two words",
            "owner_email": "nowhere",
            "colour": "red",
            "source": {"topic": True},
            "schema_binding": {"registry": "glue", "schema_name": "s", "compatibility": "MAYBE"},
            "contract_binding": {
                "required_fields": ["a", 2, "a"],
                "field_constraints": {"x": {"min": "0"}, "y": {"type": "string", "pattern": "("}},
            },
            "slos": {"freshness": {"evaluation_window": "five minutes"}, "volume": 3},
            "pii_policy": {"scan_enabled": "yes"},
            "incident_policy": {"auto_resolve_windows": 0},
            "retention_days": 0,
        },
    )
    assert fields(answer) == {
        "dataset_urn": "MALFORMED",
        "display_name": "WRONG_TYPE",
        "tier": "UNKNOWN_VALUE",
        "owner_team": "MALFORMED",
        "owner_email": "MALFORMED",
        "colour": "UNKNOWN_FIELD",
        "source.type": "REQUIRED",
        "source.topic": "WRONG_TYPE",
        "schema_binding.registry": "MALFORMED",
        "schema_binding.compatibility": "UNKNOWN_VALUE",
        "contract_binding.contract_id": "REQUIRED",
        "contract_binding.required_fields[1]": "WRONG_TYPE",
        "contract_binding.required_fields[2]": "DUPLICATE",
        "contract_binding.field_constraints.x.min": "WRONG_TYPE",
        "contract_binding.field_constraints.y.pattern": "MALFORMED",
        "slos.freshness.max_delay_seconds": "REQUIRED",
        "slos.freshness.evaluation_window": "MALFORMED",
        "slos.volume": "WRONG_TYPE",
        "pii_policy.scan_enabled": "WRONG_TYPE",
        "incident_policy.auto_resolve_windows": "OUT_OF_RANGE",
        "retention_days": "OUT_OF_RANGE",
    }
    assert api.head() == 0


def test_a_tag_from_before_a_retirement_is_stale(api: Api) -> None:
    path = api.registered()
    active = {"If-Match": api.get(path).headers["etag"]}
    assert api.delete(path, headers=active).status_code == 200
    retired = {"If-Match": api.get(path).headers["etag"]}
    assert api.post(f"{path}/restore", headers=active).status_code == 412
    assert api.put(path, {"retention_days": 7}, headers=active).status_code == 412
    assert api.post(f"{path}/restore", headers=retired).status_code == 200
    assert api.delete(path, headers=retired).status_code == 412


def test_what_is_not_said_of_incidents_is_as_usual(api: Api) -> None:
    path = api.registered(incident_policy={"auto_resolve": False, "end_snoozes": None})
    assert api.get(path).json()["incident_policy"] == {
        "auto_resolve": False,
        "auto_resolve_windows": 3,
        "reopen_on_relapse": True,
        "end_snoozes": True,
    }
