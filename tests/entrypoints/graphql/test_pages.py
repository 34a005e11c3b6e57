"""Pages of a list, one after the other, are the list (S0-175, S0-178, S0-187)."""

import base64
from collections.abc import Iterator
from typing import Any

import pytest

from tests.entrypoints.graphql.schema_client import Schema, codes
from tests.entrypoints.http.api import Api, serving
from tests.entrypoints.http.validation.test_models import HOUR, done

MANY = 23
SIZES = (1, 2, 7, MANY - 1, MANY, 100)
DATASETS = """query($filter: DatasetFilter!, $pagination: Pagination, $asOf: DateTime) {
  datasets(filter: $filter, pagination: $pagination, asOf: $asOf) {
    edges { cursor node { datasetUrn } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}"""
INCIDENTS = """query($filter: IncidentFilter!, $pagination: Pagination, $asOf: DateTime) {
  incidents(filter: $filter, pagination: $pagination, asOf: $asOf) {
    edges { cursor node { incidentId } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}"""
TIMELINE = """query($filter: ID!, $pagination: Pagination, $asOf: DateTime) {
  incidentTimeline(incidentId: $filter, pagination: $pagination, asOf: $asOf) {
    edges { cursor node { version } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}"""
LISTS: list[tuple[str, Any, int]] = [
    (DATASETS, {}, MANY),
    (DATASETS, {"tier": "TIER_2"}, 8),
    (DATASETS, {"ownerTeam": "team-1", "tier": "TIER_1"}, 4),
    (DATASETS, {"ownerTeam": "nobody"}, 0),
    (INCIDENTS, {}, MANY),
    (INCIDENTS, {"severity": ["SEV_1", "SEV_3"]}, 15),
    (INCIDENTS, {"status": ["OPEN"], "ownerTeam": "team-0"}, 12),
    (INCIDENTS, {"datasetUrn": "urn:dp:orders:table_05:v1"}, 1),
    (TIMELINE, "INC-0", MANY + 1),
]


def fill(api: Api) -> None:
    for number in range(MANY):
        urn = f"urn:dp:orders:table_{number:02}:v1"
        team, tier = f"team-{number % 2}", f"TIER_{number % 3 + 1}"
        api.registered(dataset_urn=urn, owner_team=team, tier=tier)
        said = {
            "incident_id": f"INC-{number}",
            "primary_dataset_urn": urn,
            "severity": f"SEV_{number % 3 + 1}",
            "signal_types": ["VOLUME"],
            "failure_signatures": ["LOW_VOLUME:*"],
        }
        done(api.post("/api/v1/incidents", said))
        done(api.patch("/api/v1/incidents/INC-0", {"note": f"looked at {number}"}))


@pytest.fixture(scope="module")
def asked() -> Iterator[Schema]:
    with serving() as api:
        fill(api)
        yield Schema(api)


def page(asked: Schema, query: str, wanted: Any, **pagination: Any) -> Any:
    return asked.told(query, filter=wanted, pagination=pagination)


def whole(asked: Schema, query: str, wanted: Any, size: int, **more: Any) -> list[Any]:
    """The edges of a list, page by page."""
    edges: list[Any] = []
    after = None
    while True:
        told = asked.told(query, filter=wanted, pagination={"first": size, "after": after}, **more)
        info = told["pageInfo"]
        assert len(told["edges"]) <= size
        assert info["hasPreviousPage"] == (after is not None)
        assert (info["startCursor"] is None) == (not told["edges"])
        edges += told["edges"]
        if not info["hasNextPage"]:
            return edges
        after = info["endCursor"]


@pytest.mark.parametrize(("query", "wanted", "many"), LISTS)
def test_pages_of_any_size_are_the_list(asked: Schema, query: str, wanted: Any, many: int) -> None:
    once = whole(asked, query, wanted, 100)
    assert len(once) == many
    assert len({str(edge["node"]) for edge in once}) == many
    for size in SIZES:
        assert [edge["node"] for edge in whole(asked, query, wanted, size)] == [
            edge["node"] for edge in once
        ]


@pytest.mark.parametrize(("query", "wanted", "many"), LISTS)
def test_after_any_cursor_comes_the_rest(asked: Schema, query: str, wanted: Any, many: int) -> None:
    edges = whole(asked, query, wanted, 7)
    for number, edge in enumerate(edges, start=1):
        rest = page(asked, query, wanted, first=100, after=edge["cursor"])["edges"]
        assert [one["node"] for one in rest] == [one["node"] for one in edges[number:]]


def test_fifty_unless_more_are_wanted(asked: Schema) -> None:
    told = [asked.told(DATASETS, filter={}, pagination=said) for said in (None, {}, {"first": 50})]
    assert told[0] == told[1] == told[2]
    assert asked.told(DATASETS, filter={}, pagination={"first": None}) == told[0]


@pytest.mark.parametrize("first", [0, -1, 101, 2**31 - 1, -(2**31)])
def test_sizes_that_cannot_be(asked: Schema, first: int) -> None:
    refused = asked.refused(DATASETS, filter={}, pagination={"first": first})
    assert codes(refused) == {"pagination.first": "OUT_OF_RANGE"}


def foreign(asked: Schema, query: str, wanted: Any, after: str, **more: Any) -> None:
    refused = asked.refused(query, filter=wanted, pagination={"after": after}, **more)
    assert codes(refused) == {"pagination.after": "MALFORMED"}


def test_a_cursor_is_good_only_for_its_list(asked: Schema) -> None:
    cursor = page(asked, INCIDENTS, {}, first=1)["pageInfo"]["endCursor"]
    foreign(asked, INCIDENTS, {"severity": ["SEV_1"]}, cursor)
    foreign(asked, DATASETS, {}, cursor)
    foreign(asked, TIMELINE, "INC-0", cursor)
    foreign(asked, INCIDENTS, {}, cursor, asOf="2026-01-15T00:00:00Z")


def test_a_cursor_refuses_tampering(asked: Schema) -> None:
    cursor = page(asked, INCIDENTS, {}, first=1)["pageInfo"]["endCursor"]
    signed = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    for place in range(len(signed)):
        changed = bytearray(signed)
        changed[place] ^= 1
        foreign(asked, INCIDENTS, {}, base64.urlsafe_b64encode(changed).decode().rstrip("="))


@pytest.mark.parametrize("after", ["", "x", "=", "é", "\u2028", "\ud800", "A" * 10_000, "Z29uZQ"])
def test_a_cursor_that_is_none(asked: Schema, after: str) -> None:
    foreign(asked, INCIDENTS, {}, after)


def test_what_appears_and_vanishes_meanwhile_moves_nothing_else(api: Api, asked: Schema) -> None:
    fill(api)
    here = Schema(api)
    first = page(here, DATASETS, {}, first=10)
    gone, stays = (edge["node"]["datasetUrn"] for edge in first["edges"][-2:])
    done(api.delete(f"/api/v1/datasets/{gone}"))
    api.registered(dataset_urn="urn:dp:aaa:first:v1", tier="TIER_1")
    rest = page(here, DATASETS, {}, first=100, after=first["pageInfo"]["endCursor"])
    told = [edge["node"] for edge in (*first["edges"], *rest["edges"])]
    assert told == [edge["node"] for edge in whole(asked, DATASETS, {}, 100)]
    assert stays in {node["datasetUrn"] for node in told}


def test_pages_of_the_past_are_the_past(api: Api) -> None:
    fill(api)
    here, then = Schema(api), api.clock.at.isoformat()
    before = whole(here, INCIDENTS, {}, 100)
    api.clock.at += HOUR
    for number in range(0, MANY, 2):
        done(api.patch(f"/api/v1/incidents/INC-{number}", {"severity": "SEV_2"}))
    later = whole(here, INCIDENTS, {}, 5, asOf=then)
    assert [edge["node"] for edge in later] == [edge["node"] for edge in before]
    assert [edge["node"] for edge in whole(here, INCIDENTS, {}, 5)] != [
        edge["node"] for edge in before
    ]
