"""Lists that are not paged end somewhere, and say so (S0-172, S0-176, S0-179)."""

import asyncio
from typing import Any

import pytest
from attrs import define, field

from application.reads.demand import Answer
from application.reads.paging import Page, PageRequest
from entrypoints.graphql.limits.list_limits import MOST, gathered
from tests.entrypoints.graphql.schema_client import Schema, codes
from tests.entrypoints.http.api import Api, update
from tests.entrypoints.http.validation.test_models import done

LIMITED = "query($limit: Int) { three: criticalSignals(limit: $limit) { datasetUrn } }"


@define
class Noting:
    """Stands for what resolvers know of their request."""

    cut: list[tuple[list[str], int]] = field(factory=list)

    @property
    def context(self) -> "Noting":
        return self

    @property
    def path(self) -> "Noting":
        return self

    def as_list(self) -> list[str]:
        return ["here"]

    def note_cut(self, path: list[str], told: int) -> None:
        self.cut.append((path, told))


@define
class Numbers:
    """So many numbers; pages have so many at most, whatever is asked for."""

    many: int
    at_once: int = 10_000
    pages: int = 0

    async def __call__(self, request: PageRequest) -> Answer[Page[int]]:
        self.pages += 1
        start = int(request.after[0]) if request.after else 0
        end = min(start + min(request.size, self.at_once), self.many)
        page = Page(list(range(start, end)), (str(end),) if end < self.many else None)
        return Answer(page, 0, None)


@pytest.mark.parametrize(
    ("many", "at_once", "told", "pages"),
    [
        (0, MOST, 0, 1),
        (MOST, MOST, MOST, 1),
        (MOST + 1, MOST, MOST, 1),
        (MOST, 300, MOST, 4),
        (5_000, 300, MOST, 4),
        (5_000, 3, 30, 10),
        (30, 3, 30, 10),
    ],
)
def test_as_many_as_there_are_but_not_for_ever(
    many: int, at_once: int, told: int, pages: int
) -> None:
    info: Any = Noting()
    numbers = Numbers(many, at_once)
    nobody: Any = None
    found = asyncio.run(gathered(info, nobody, numbers))
    assert [one.what for one in found] == list(range(told))
    assert numbers.pages == pages
    assert info.cut == ([(["here"], told)] if many > told else [])


def test_a_list_that_is_cut_says_so(api: Api, asked: Schema) -> None:
    """S0-172"""
    for number in range(3):
        path = api.registered(dataset_urn=f"urn:dp:orders:table_{number}:v1")
        done(api.put(f"{path}/signals/VOLUME", update(0, "CRITICAL")))
    cut = asked.ask(LIMITED, limit=2)
    assert cut.errors is None
    assert len((cut.data or {})["three"]) == 2
    assert cut.extensions == {"truncated": [{"path": ["three"], "told": 2}]}
    for limit in (3, 1_000, None):
        whole = asked.ask(LIMITED, limit=limit)
        assert len((whole.data or {})["three"]) == 3
        assert not whole.extensions


def test_only_critical_ones_of_a_tier(api: Api, asked: Schema) -> None:
    """S0-172"""
    for tier, state in ((3, "CRITICAL"), (1, "CRITICAL"), (2, "WARNING"), (2, "UNKNOWN")):
        urn = f"urn:dp:orders:{state.lower()}_{tier}:v1"
        path = api.registered(dataset_urn=urn, tier=f"TIER_{tier}")
        done(api.put(f"{path}/signals/VOLUME", update(0, state)))
    query = "query($tier: Tier) { criticalSignals(tier: $tier) { tier state } }"
    first, third = ({"tier": f"TIER_{tier}", "state": "CRITICAL"} for tier in (1, 3))
    assert asked.told(query) == [first, third]
    assert asked.told(query, tier="TIER_3") == [third]
    assert asked.told(query, tier="TIER_2") == []


@pytest.mark.parametrize("limit", [0, -1, 1_001, 2**31 - 1])
def test_limits_that_cannot_be(asked: Schema, limit: int) -> None:
    assert codes(asked.refused(LIMITED, limit=limit)) == {"limit": "OUT_OF_RANGE"}
