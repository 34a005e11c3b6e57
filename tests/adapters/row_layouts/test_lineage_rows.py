"""Lineage as rows (S0-112..S0-117)."""

from datetime import UTC, datetime
from typing import Any

import orjson
import pytest
from attrs import evolve
from hypothesis import given

from adapters.row_layouts.lineage_rows import (
    beyond,
    tie_from_row,
    tie_key,
    tie_key_of,
    tie_to_row,
    written_from_row,
    written_key,
    written_key_of,
    written_to_row,
)
from application.lineage.read_model import TieView, WrittenView
from domain.ids import EntityId, Place, SpecId
from domain.lineage.lineage import TTL_SECONDS, Entity, EntityType, Role
from domain.signal.evaluation import Confidence
from tests.adapters.row_layouts.sample_views import ORDERS, tie_card, tie_cards, written_cards

UPDATED_AT = datetime(2026, 1, 16, 12, 30, tzinfo=UTC)
COLUMN = f"urn:col:{ORDERS}:customer_id"

WRITER_ITEM: dict[str, Any] = {
    "PK": "urn:dp:orders:order_created:v1",
    "SK": "producer#job:orders-delta-landing#orders-delta-landing",
    "producer_id": "job:orders-delta-landing",
    "producer_name": "orders-delta-landing",
    "producer_type": "JOB",
    "confidence": "HIGH",
    "spec_id": "lspec:orders-delta-landing:git:9f31c2d",
    "commit": "9f31c2d",
    "updated_at": "2026-01-16T12:30:00.000Z",
    "ttl": 1776342600,
}
READER_ITEM: dict[str, Any] = {
    "PK": "urn:dp:orders:order_created:v1",
    "SK": "consumer#job:finance-pipeline#finance-pipeline",
    "consumer_id": "job:finance-pipeline",
    "consumer_name": "finance-pipeline",
    "consumer_type": "JOB",
    "confidence": "HIGH",
    "spec_id": "lspec:finance-pipeline:git:a2b4c6d",
    "commit": "a2b4c6d",
    "updated_at": "2026-01-16T12:30:00.000Z",
    "ttl": 1776342600,
}
"""The seed's, with milliseconds, a ttl of 90 days (T2) and a unique sort key (T13)."""


def declared(role: Role, name: str, commit: str) -> TieView:
    return TieView(
        role=role,
        place=Place(ORDERS),
        entity=Entity(EntityId(f"job:{name}"), name, EntityType.JOB),
        confidence=Confidence.HIGH,
        spec_id=SpecId(f"lspec:{name}:git:{commit}"),
        commit=commit,
        updated_at=UPDATED_AT,
        ttl_seconds=TTL_SECONDS,
    )


WRITER = declared(Role.WRITER, "orders-delta-landing", "9f31c2d")
READER = declared(Role.READER, "finance-pipeline", "a2b4c6d")


@pytest.mark.parametrize(("card", "item"), [(WRITER, WRITER_ITEM), (READER, READER_ITEM)])
def test_the_seeds_items(card: TieView, item: dict[str, Any]) -> None:
    """S0-113, S0-114"""
    assert tie_to_row(card, 3) == {**item, "position": 3}
    assert item["ttl"] == int(UPDATED_AT.timestamp()) + TTL_SECONDS


@pytest.mark.parametrize(
    ("role", "place", "table"),
    [
        (Role.WRITER, ORDERS, "observability-dataset-writers"),
        (Role.READER, ORDERS, "observability-dataset-readers"),
        (Role.WRITER, COLUMN, "observability-column-writers"),
        (Role.READER, COLUMN, "observability-column-readers"),
    ],
)
def test_each_question_has_its_table(role: Role, place: str, table: str) -> None:
    """S0-112, S0-114..S0-116"""
    key = tie_key(tie_card(role=role, place=place).key)
    assert (key.table, key.pk) == (table, place)


@given(tie_cards)
def test_a_tie_comes_back_from_its_row(card: TieView) -> None:
    row = orjson.loads(orjson.dumps(tie_to_row(card, 1)))
    assert tie_from_row(row) == card
    assert tie_key_of(row) == card.key
    place = tie_key(card.key)
    assert (row["PK"], row["SK"]) == (place.pk, place.sk)


@given(written_cards)
def test_what_is_written_comes_back_from_its_row(card: WrittenView) -> None:
    row = orjson.loads(orjson.dumps(written_to_row(card, 1)))
    assert written_from_row(row) == card
    assert written_key_of(row) == card.key
    place = written_key(card.key)
    assert (row["PK"], row["SK"]) == (place.pk, place.sk)


def test_a_part_of_a_second_is_rounded_up() -> None:
    late = evolve(WRITER, updated_at=UPDATED_AT.replace(microsecond=1000))
    assert tie_to_row(late, 1)["ttl"] == WRITER_ITEM["ttl"] + 1
    assert tie_from_row(tie_to_row(late, 1)) == late


def test_two_producers_that_declare_the_same_have_two_rows() -> None:
    """T13"""
    keys = {tie_key(tie_card(producer=producer).key) for producer in ("a", "b")}
    assert len(keys) == 2


def test_rows_of_one_entity_lie_together_before_those_of_the_next() -> None:
    names = ("a", "a-b", "a.b", "a:b", "a_b", "ab")
    for name in names:
        past = beyond(Role.READER, EntityId(name))
        mine = [tie_key(tie_card(name, producer=p).key).sk for p in ("0", "x", "x:y", "zz")]
        others = [tie_key(tie_card(other).key).sk for other in names if other != name]
        assert max(mine) < past
        assert not [sk for sk in others if min(mine) < sk <= past]
