"""Datasets as rows (S0-069..S0-088)."""

from typing import Any

import orjson
from attrs import evolve
from hypothesis import given

from adapters.eventstore.sealing.seals import Seals
from adapters.memory.keys import MemoryKeys
from adapters.row_layouts.catalogue import OWNER_INDEX, TIER_INDEX
from adapters.row_layouts.dataset_rows import from_row, key_of, row_key, to_row
from adapters.row_layouts.engine import Row
from application.datasets.read_model import DatasetKey, DatasetView
from application.recorded import ERASED
from domain.dataset.config import DatasetStatus
from domain.dataset.settings import (
    Compatibility,
    ComplianceSlo,
    ContractBinding,
    FieldConstraint,
    FieldType,
    FreshnessSlo,
    PiiAction,
    PiiPolicy,
    SchemaBinding,
    Settings,
    Slos,
    Source,
    VersionPolicy,
    VolumeSlo,
)
from domain.dataset.tier import Tier
from domain.timestamps import moment
from tests.adapters.row_layouts.sample_views import NOON, ORDERS, dataset_card, dataset_cards

SEED_ITEM: dict[str, Any] = {
    "PK": "urn:dp:orders:order_created:v1",
    "SK": "CONFIG#LATEST",
    "dataset_urn": "urn:dp:orders:order_created:v1",
    "display_name": "Orders - Order Created Events",
    "description": "Domain events for new order creation",
    "tier": "TIER_1",
    "owner_team": "orders-platform",
    "owner_email": "orders-platform@company.com",
    "oncall_rotation": "orders-oncall",
    "source": {"type": "KAFKA", "topic": "raw.orders.events", "cluster": "main-msk-cluster"},
    "schema_binding": {
        "registry": "GLUE",
        "schema_name": "orders.order_created",
        "schema_id": "glue:orders.order_created:17",
        "version_policy": "LATEST",
        "compatibility": "BACKWARD",
    },
    "contract_binding": {
        "contract_id": "dc:orders.order_created:3",
        "required_fields": ["order_id", "customer_id", "total_amount", "created_at"],
        "field_constraints": {
            "total_amount": {"type": "number", "min": 0},
            "customer_id": {"type": "string", "pattern": "^cust-[a-z0-9]+$"},
        },
    },
    "slos": {
        "freshness": {"max_delay_seconds": 300, "evaluation_window": "TUMBLING_5MIN"},
        "volume": {
            "min_events_per_window": 100,
            "max_deviation_percent": 50,
            "baseline_window_days": 7,
        },
        "contract_compliance": {"min_compliance_rate": 0.95},
    },
    "pii_policy": {
        "scan_enabled": True,
        "fields_to_scan": ["customer_email", "shipping_address"],
        "action_on_detection": "WARN",
    },
    "retention_days": 90,
    "created_at": "2025-06-15T08:30:00.000Z",
    "updated_at": "2026-01-10T14:22:00.000Z",
    "updated_by": "jane.smith@company.com",
    "config_version": 12,
    "previous_version_sk": "CONFIG#v11",
}

SEED_CARD = DatasetView(
    dataset=ORDERS,
    status=DatasetStatus.ACTIVE,
    settings=Settings(
        display_name="Orders - Order Created Events",
        description="Domain events for new order creation",
        tier=Tier.TIER_1,
        owner_team="orders-platform",
        owner_email="orders-platform@company.com",
        oncall_rotation="orders-oncall",
        source=Source("KAFKA", "raw.orders.events", "main-msk-cluster"),
        schema_binding=SchemaBinding(
            "GLUE",
            "orders.order_created",
            "glue:orders.order_created:17",
            VersionPolicy.LATEST,
            Compatibility.BACKWARD,
        ),
        contract_binding=ContractBinding(
            "dc:orders.order_created:3",
            ("order_id", "customer_id", "total_amount", "created_at"),
            {
                "total_amount": FieldConstraint(FieldType.NUMBER, min=0),
                "customer_id": FieldConstraint(FieldType.STRING, pattern="^cust-[a-z0-9]+$"),
            },
        ),
        slos=Slos(FreshnessSlo(300, "TUMBLING_5MIN"), VolumeSlo(100, 50, 7), ComplianceSlo(0.95)),
        pii_policy=PiiPolicy(True, ("customer_email", "shipping_address"), PiiAction.WARN),
        retention_days=90,
    ),
    config_version=12,
    created_at=moment("2025-06-15T08:30:00.000Z"),
    updated_at=moment("2026-01-10T14:22:00.000Z"),
    updated_by="jane.smith@company.com",
)


def opened(row: Row, seals: Seals) -> dict[str, Any]:
    personal = {name: seals.open(row[name]) for name in ("owner_email", "updated_by")}
    return {**row, **personal}


def test_the_seeds_item_has_the_seeds_attributes() -> None:
    """S0-073..S0-085, each by name and value."""
    seals = Seals(MemoryKeys())
    row = to_row(SEED_CARD, 12, seals)
    ours = {
        "status": "ACTIVE",
        "listed_tier": "ACTIVE#TIER_1",
        "listed_owner": "ACTIVE#orders-platform",
        "position": 12,
    }
    assert opened(row, seals) == SEED_ITEM | ours


def test_an_archived_version_has_its_own_key_and_is_in_no_index() -> None:
    """S0-086, S0-088"""
    row = to_row(evolve(SEED_CARD, config_version=11, archived_at=NOON), 12, Seals(MemoryKeys()))
    assert (row["SK"], row["archived_at"]) == ("CONFIG#v11", "2026-01-15T12:00:00.000Z")
    assert not TIER_INDEX.holds(row)
    assert not OWNER_INDEX.holds(row)


def test_the_first_version_has_none_before_it() -> None:
    assert "previous_version_sk" not in to_row(dataset_card(), 1, Seals(MemoryKeys()))


@given(dataset_cards)
def test_a_card_comes_back_from_its_row(card: DatasetView) -> None:
    seals = Seals(MemoryKeys())
    assert from_row(orjson.loads(orjson.dumps(to_row(card, 1, seals))), seals) == card


@given(dataset_cards)
def test_a_row_tells_its_key_and_holds_no_null(card: DatasetView) -> None:
    row = to_row(card, 1, Seals(MemoryKeys()))
    key = DatasetKey(card.dataset, card.config_version if card.archived_at else None)
    assert key_of(row) == key
    assert (row["PK"], row["SK"]) == (row_key(key).pk, row_key(key).sk)
    assert None not in row.values()


def test_personal_values_are_not_readable_in_a_row() -> None:
    written = orjson.dumps(to_row(SEED_CARD, 1, Seals(MemoryKeys()))).decode()
    assert "jane.smith" not in written
    assert "@company.com" not in written


def test_what_is_erased_stays_erased() -> None:
    """A row read after the erasure can be written again, and brings nobody back."""
    seals = Seals(MemoryKeys())
    row = to_row(SEED_CARD, 1, seals)
    seals.forget("jane.smith@company.com")
    card = from_row(row, seals)
    assert (card.updated_by, card.settings.owner_email) == (ERASED, "orders-platform@company.com")
    again = to_row(card, 2, seals)
    assert again["updated_by"] == ERASED
    assert from_row(again, seals) == card
