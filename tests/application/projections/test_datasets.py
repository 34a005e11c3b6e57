"""The register: the present configuration and every earlier one (S0-085, S0-086)."""

import pytest
from attrs import evolve

from application.datasets.read_model import DatasetKey, DatasetView
from application.projections.datasets import DatasetCards
from domain.dataset.config import DatasetStatus
from domain.dataset.settings import Settings
from domain.dataset.tier import Tier
from tests.application.projections.story import ORDERS, Story, registered, run

BATCHES = pytest.mark.parametrize("most", [1, 1000], ids="{}_a_batch".format)


def versions(story: Story, most: int = 1000) -> dict[int | None, DatasetView]:
    filed = run(DatasetCards(), story, most=most).now()
    return {key.version: each.card for key, each in filed.items()}


def test_a_registration() -> None:
    story = registered()
    assert versions(story) == {
        None: DatasetView(
            dataset=ORDERS,
            status=DatasetStatus.ACTIVE,
            settings=Settings(tier=Tier.TIER_2, owner_team="first"),
            config_version=1,
            created_at=story.now,
            updated_at=story.now,
            updated_by="jane",
        )
    }


@BATCHES
def test_a_change_archives_what_was_before(most: int) -> None:
    story = registered()
    first = versions(story)[None]
    story.by = "john"
    story.reconfigure(owner_team="second")
    assert versions(story, most) == {
        1: evolve(first, archived_at=story.now),
        None: evolve(
            first,
            settings=evolve(first.settings, owner_team="second"),
            config_version=2,
            updated_at=story.now,
            updated_by="john",
        ),
    }


@BATCHES
def test_every_version_is_kept(most: int) -> None:
    """S0-086"""
    story = registered()
    for number in range(11):
        story.reconfigure(description=f"version {number + 2}")
    found = versions(story, most)
    latest = found.pop(None)
    assert (latest.config_version, latest.archived_at) == (12, None)
    assert sorted(map(str, found)) == sorted(map(str, range(1, 12)))
    assert all(card.config_version == number for number, card in found.items())
    assert found[11].settings.description == "version 11"


@BATCHES
def test_retired_and_restored(most: int) -> None:
    story = registered().retire()
    retired = versions(story, most)[None]
    assert (retired.status, retired.retired_at) == (DatasetStatus.RETIRED, story.now)
    restored = versions(story.restore(), most)[None]
    assert (restored.status, restored.retired_at) == (DatasetStatus.ACTIVE, None)


def test_a_version_is_archived_as_it_was_when_it_was_replaced() -> None:
    story = registered().retire().restore().reconfigure(owner_team="second")
    assert versions(story)[1].status is DatasetStatus.ACTIVE


def test_an_old_version_is_keyed_by_its_number() -> None:
    filed = run(DatasetCards(), registered().reconfigure(owner_team="second")).now()
    assert set(filed) == {DatasetKey(ORDERS), DatasetKey(ORDERS, 1)}
