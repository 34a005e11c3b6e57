"""The register of datasets over every engine (S0-086..S0-088)."""

import asyncio
from typing import cast

import pytest
from attrs import evolve

from adapters.eventstore.sealing.seals import Seals
from adapters.memory.keys import MemoryKeys
from adapters.read_models.datasets import TableDatasets
from adapters.read_models.view_store import TableCards
from adapters.row_layouts.engine import RowStore, TableEngine
from application.datasets.read_model import DatasetFilter, DatasetKey, DatasetView, Edition
from application.reads.paging import PageRequest
from application.recorded import ERASED
from domain.dataset.config import DatasetStatus
from domain.dataset.tier import Tier
from domain.errors import Invalid
from domain.ids import DatasetUrn
from tests.adapters.row_layouts.sample_views import NOON, ORDERS, dataset_card, urn


@pytest.fixture
def registry(engine: TableEngine) -> TableDatasets:
    return TableDatasets(engine, Seals(MemoryKeys()))


def file(registry: TableDatasets, *cards: DatasetView, at: int = 1) -> None:
    cabinet = TableCards(cast(RowStore, registry.engine), registry.seals)
    changes = {key_of(card): (card, at) for card in cards}
    asyncio.run(cabinet.file("dataset-registry", changes, upto=at))


def key_of(card: DatasetView) -> DatasetKey:
    return DatasetKey(card.dataset, card.config_version if card.archived_at else None)


def with_history(latest: int, dataset: DatasetUrn = ORDERS) -> list[DatasetView]:
    old = [dataset_card(dataset, version=n, archived_at=NOON) for n in range(1, latest)]
    return [*old, dataset_card(dataset, version=latest)]


def datasets(
    registry: TableDatasets, wanted: DatasetFilter | None = None, size: int = 50
) -> list[DatasetUrn]:
    """The names of all, page by page."""
    wanted = wanted or DatasetFilter()
    page = asyncio.run(registry.matching(wanted, PageRequest(size)))
    found = list(page.items)
    while page.next is not None:
        assert len(page.items) == size
        page = asyncio.run(registry.matching(wanted, PageRequest(size, page.next)))
        assert page.items
        found += page.items
    return [card.dataset for card in found]


# One dataset and its versions.


def test_the_present_configuration(registry: TableDatasets) -> None:
    file(registry, *with_history(12))
    assert asyncio.run(registry.find(ORDERS)) == dataset_card(version=12)
    assert asyncio.run(registry.find(urn(1))) is None


def test_many_configurations_in_one_read(registry: TableDatasets) -> None:
    """S0-216. The present ones, more than DynamoDB reads at once, retired ones included."""
    latest = [
        dataset_card(
            urn(n), version=2, status=DatasetStatus.RETIRED if n % 7 else DatasetStatus.ACTIVE
        )
        for n in range(130)
    ]
    file(registry, *(dataset_card(urn(n), archived_at=NOON) for n in range(130)), at=1)
    file(registry, *latest[:65], at=2)
    file(registry, *latest[65:], at=3)
    wanted = [*(card.dataset for card in latest), urn(999), urn(0)]
    assert asyncio.run(registry.find_many(wanted)) == {card.dataset: card for card in latest}
    assert asyncio.run(registry.editions(wanted)) == {
        card.dataset: Edition(2, card.status) for card in latest
    }
    assert asyncio.run(registry.find_many([])) == {}
    assert asyncio.run(registry.editions([])) == {}


@pytest.mark.parametrize("version", [1, 2, 11, 12])
def test_any_version_can_be_read(registry: TableDatasets, version: int) -> None:
    """S0-087"""
    file(registry, *with_history(12))
    found = asyncio.run(registry.find(ORDERS, version))
    assert found is not None
    assert found.config_version == version


@pytest.mark.parametrize("version", [-1, 0, 13])
def test_a_version_that_never_was(registry: TableDatasets, version: int) -> None:
    file(registry, *with_history(12))
    assert asyncio.run(registry.find(ORDERS, version)) is None


@pytest.mark.parametrize("size", [1, 2, 5, 12, 50])
def test_versions_come_latest_first_by_number(registry: TableDatasets, size: int) -> None:
    """S0-086: v10 before v9, which strings would sort the other way."""
    file(registry, *with_history(12))
    page = asyncio.run(registry.versions(ORDERS, PageRequest(size)))
    found = list(page.items)
    while page.next is not None:
        assert len(page.items) == size
        page = asyncio.run(registry.versions(ORDERS, PageRequest(size, page.next)))
        found += page.items
    assert [card.config_version for card in found] == list(range(12, 0, -1))


def test_a_version_that_comes_between_two_pages_disturbs_neither(registry: TableDatasets) -> None:
    file(registry, *with_history(5), at=1)
    first = asyncio.run(registry.versions(ORDERS, PageRequest(2)))
    file(registry, *with_history(6)[-2:], at=2)
    rest = asyncio.run(registry.versions(ORDERS, PageRequest(9, first.next)))
    versions = [card.config_version for card in [*first.items, *rest.items]]
    assert versions == [5, 4, 3, 2, 1]


def test_no_versions_of_nobody(registry: TableDatasets) -> None:
    page = asyncio.run(registry.versions(ORDERS, PageRequest(2)))
    assert (list(page.items), page.next) == ([], None)


@pytest.mark.parametrize("after", [(), ("x",), ("²",), ("1", "2")])
def test_a_cursor_of_another_list_is_refused(
    registry: TableDatasets, after: tuple[str, ...]
) -> None:
    with pytest.raises(Invalid):
        asyncio.run(registry.versions(ORDERS, PageRequest(2, after)))
    with pytest.raises(Invalid):
        asyncio.run(registry.matching(DatasetFilter(), PageRequest(2, after)))


# Listings.


@pytest.mark.parametrize("size", [1, 3, 4, 12, 13])
def test_all_datasets_by_tier_and_name(registry: TableDatasets, size: int) -> None:
    tiers = [list(Tier)[n % 3] for n in range(12)]
    file(registry, *(dataset_card(urn(n), tier=tier) for n, tier in enumerate(tiers)))
    expected = sorted(range(12), key=lambda n: (tiers[n], n))
    assert datasets(registry, size=size) == [urn(n) for n in expected]


def test_tiers_without_datasets_make_no_empty_pages(registry: TableDatasets) -> None:
    file(registry, *(dataset_card(urn(n), tier=Tier.TIER_2) for n in range(4)))
    first = asyncio.run(registry.matching(DatasetFilter(), PageRequest(4)))
    assert (len(first.items), first.next) == (4, None)


def test_old_versions_are_not_listed(registry: TableDatasets) -> None:
    """S0-088"""
    file(registry, *with_history(5))
    assert datasets(registry) == [ORDERS]
    assert datasets(registry, DatasetFilter(owner_team="")) == [ORDERS]


def test_one_tier(registry: TableDatasets) -> None:
    """S0-070"""
    tiers = [list(Tier)[n % 3] for n in range(9)]
    file(registry, *(dataset_card(urn(n), tier=tier) for n, tier in enumerate(tiers)))
    wanted = DatasetFilter(tier=Tier.TIER_2)
    assert datasets(registry, wanted, size=2) == [urn(n) for n in (1, 4, 7)]


@pytest.mark.parametrize("size", [1, 2, 50])
def test_one_owner_perhaps_in_one_tier(registry: TableDatasets, size: int) -> None:
    """S0-071"""
    cards = [
        dataset_card(urn(n), tier=list(Tier)[n % 3], owner_team="odd" if n % 2 else "even")
        for n in range(12)
    ]
    file(registry, *cards)
    odd = DatasetFilter(owner_team="odd")
    assert datasets(registry, odd, size) == [urn(n) for n in range(1, 12, 2)]
    assert datasets(registry, evolve(odd, tier=Tier.TIER_1), size) == [urn(3), urn(9)]


def test_retired_datasets_are_listed_apart(registry: TableDatasets) -> None:
    file(
        registry,
        dataset_card(urn(1), owner_team="team"),
        dataset_card(urn(2), owner_team="team", status=DatasetStatus.RETIRED),
    )
    for wanted in (DatasetFilter(), DatasetFilter(owner_team="team")):
        assert datasets(registry, wanted) == [urn(1)]
        assert datasets(registry, evolve(wanted, retired=True)) == [urn(2)]


def test_a_dataset_that_is_restored_moves_back(registry: TableDatasets) -> None:
    file(registry, dataset_card(status=DatasetStatus.RETIRED), at=1)
    file(registry, dataset_card(), at=2)
    assert datasets(registry) == [ORDERS]
    assert datasets(registry, DatasetFilter(retired=True)) == []


def test_pages_are_stable_while_datasets_come(registry: TableDatasets) -> None:
    file(registry, *(dataset_card(urn(n)) for n in range(0, 10, 2)), at=1)
    first = asyncio.run(registry.matching(DatasetFilter(), PageRequest(3)))
    file(registry, *(dataset_card(urn(n)) for n in (1, 5)), at=2)
    rest = asyncio.run(registry.matching(DatasetFilter(), PageRequest(9, first.next)))
    seen = [card.dataset for card in [*first.items, *rest.items]]
    assert seen == [urn(n) for n in (0, 2, 4, 5, 6, 8)]


def test_who_was_shown_is_not_shown_once_erased(registry: TableDatasets) -> None:
    """Settings are kept as they lie in the row: sealed."""
    file(registry, dataset_card(ORDERS, owner_email="jane@example.com"))
    assert _owner(registry) == "jane@example.com"
    registry.seals.forget("jane@example.com")
    assert _owner(registry) == ERASED


def _owner(registry: TableDatasets) -> str | None:
    shown = asyncio.run(registry.find(ORDERS))
    assert shown is not None
    return shown.settings.owner_email
