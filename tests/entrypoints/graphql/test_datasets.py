"""Datasets and lineage over GraphQL (S0-177..S0-180, S0-185, S0-187)."""

from typing import Any

from tests.entrypoints.graphql import as_http
from tests.entrypoints.graphql.schema_client import Schema, codes
from tests.entrypoints.http.api import ORDERS, Api
from tests.entrypoints.http.lineage.test_lineage import INVOICES, PATH, column, spec
from tests.entrypoints.http.validation.test_models import DATASET, done

ONE = f"query($urn: String!) {{ dataset(urn: $urn) {as_http.DATASET} }}"
LIST = f"""query($filter: DatasetFilter!) {{
  datasets(filter: $filter) {{ edges {{ node {as_http.DATASET} }} }}
}}"""
LINEAGE = {
    "datasetWriters": ("datasetUrn", INVOICES, f"/api/v1/datasets/{INVOICES}/writers"),
    "datasetReaders": ("datasetUrn", ORDERS, f"{DATASET}/readers"),
    "columnWriters": (
        "columnUrn",
        column(INVOICES, "customer"),
        f"/api/v1/columns/{column(INVOICES, 'customer')}/writers",
    ),
    "columnReaders": (
        "columnUrn",
        column(ORDERS, "customer_id"),
        f"/api/v1/columns/{column(ORDERS, 'customer_id')}/readers",
    ),
}


def test_a_dataset_is_what_http_tells(api: Api, asked: Schema) -> None:
    """S0-177"""
    api.registered()
    told = asked.told(ONE, urn=ORDERS)
    assert told == as_http.dataset(done(api.get(DATASET)).json())
    constraints = told["contractBinding"]["fieldConstraints"]
    assert [one["field"] for one in constraints] == ["customer_id", "total_amount"]


def test_a_dataset_of_which_little_is_known(api: Api, asked: Schema) -> None:
    little = {"dataset_urn": ORDERS, "display_name": "Orders", "tier": "TIER_3"}
    done(api.post("/api/v1/datasets", {**little, "owner_team": "me"}))
    told = asked.told(ONE, urn=ORDERS)
    assert told == as_http.dataset(done(api.get(DATASET)).json())
    assert told["slos"] is told["source"] is told["retentionDays"] is None


def test_numbers_beyond_an_int(api: Api, asked: Schema) -> None:
    most = 2**53 - 1
    slos = {
        "freshness": {"max_delay_seconds": most},
        "volume": {"min_events_per_window": most, "baseline_window_days": 3650},
    }
    api.registered(slos=slos, retention_days=36500)
    told = asked.told(ONE, urn=ORDERS)
    assert told["slos"]["freshness"]["maxDelaySeconds"] == most
    assert told["slos"]["volume"]["minEventsPerWindow"] == most


def test_no_such_dataset_is_null(asked: Schema) -> None:
    assert asked.told(ONE, urn=ORDERS) is None
    assert codes(asked.refused(ONE, urn="x")) == {"urn": "MALFORMED"}


FILTERS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {}),
    ({"tier": "TIER_2"}, {"tier": "TIER_2"}),
    ({"ownerTeam": "a"}, {"owner_team": "a"}),
    ({"ownerTeam": "a", "tier": "TIER_1"}, {"owner_team": "a", "tier": "TIER_1"}),
    ({"retired": True}, {"retired": "true"}),
    ({"retired": None, "tier": None, "ownerTeam": None}, {}),
]


def test_those_that_fit_are_what_http_tells(api: Api, asked: Schema) -> None:
    """S0-178, S0-187"""
    for number, (tier, team) in enumerate((t, o) for t in (1, 2, 3) for o in "ab"):
        urn = f"urn:dp:orders:table_{number}:v1"
        api.registered(dataset_urn=urn, tier=f"TIER_{tier}", owner_team=team)
    done(api.delete("/api/v1/datasets/urn:dp:orders:table_2:v1"))
    for wanted, over in FILTERS:
        told = done(api.get("/api/v1/datasets", params=over)).json()["datasets"]
        assert told
        edges = asked.told(LIST, filter=wanted)["edges"]
        assert [edge["node"] for edge in edges] == list(map(as_http.dataset, told))


def test_lineage_is_what_http_tells(api: Api, asked: Schema) -> None:
    """S0-179, S0-180, S0-185"""
    done(api.put(PATH, spec()))
    for query, (argument, urn, path) in LINEAGE.items():
        question = f"query($urn: String!) {{ {query}({argument}: $urn) {as_http.ENTRY} }}"
        body = done(api.get(path)).json()
        told = asked.told(question, urn=urn)
        assert told == as_http.renamed(body["writers" if "Writers" in query else "readers"])
        assert told
        assert asked.told(question, urn=urn.replace("v1", "v2")) == []
        assert codes(asked.refused(question, urn="x")) == {argument: "MALFORMED"}
