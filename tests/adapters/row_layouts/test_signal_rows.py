"""Signals as rows (S0-026..S0-041)."""

from datetime import timedelta
from typing import Any

import orjson
import pytest
from attrs import evolve
from hypothesis import given

from adapters.row_layouts.catalogue import STATE_TIER_INDEX
from adapters.row_layouts.signal_rows import from_row, key_of, row_key, to_row
from application.signals.read_model import SignalKey, SignalView
from domain.dataset.tier import Tier
from domain.ids import EvidenceId, FailureSignature, SignalType
from domain.signal.evaluation import Confidence, Evaluation, Metrics, Producer, SignalStateEnum
from domain.timestamps import moment
from tests.adapters.row_layouts.sample_views import NOON, ORDERS, signal_card, signal_cards

SEED_ITEM: dict[str, Any] = {
    "PK": "urn:dp:orders:order_created:v1",
    "SK": "CONTRACT_COMPLIANCE",
    "state": "CRITICAL",
    "previous_state": "OK",
    "state_changed_at": "2026-01-15T10:00:00.000Z",
    "score": 0.102,
    "slo_threshold": 0.95,
    "breach_start": "2026-01-15T09:58:02.312Z",
    "window_start": "2026-01-15T09:55:00.000Z",
    "window_end": "2026-01-15T10:00:00.000Z",
    "window_type": "TUMBLING_5MIN",
    "metrics": {"evidence_count": 1247, "pass_count": 127, "fail_count": 1120},
    "failure_signature": "MISSING_FIELD:customer_id",
    "top_producer": "orders-svc",
    "top_producer_version": "v3.17",
    "top_producer_confidence": "HIGH",
    "evidence_sample": ["evd-01HQXY8MNP4QR7ST9VW2XYZ456", "evd-01HQXY8MNP4QR7ST9VW2XYZ457"],
    "incident_id": "INC-7721",
    "tier": "TIER_1",
    "owner_team": "orders-platform",
    "last_updated": "2026-01-15T10:00:00.500Z",
    "version": 47,
}

SEED_CARD = SignalView(
    dataset=ORDERS,
    signal_type=SignalType("CONTRACT_COMPLIANCE"),
    evaluation=Evaluation(
        state=SignalStateEnum.CRITICAL,
        score=0.102,
        window_start=moment("2026-01-15T09:55:00.000Z"),
        window_end=moment("2026-01-15T10:00:00.000Z"),
        metrics=Metrics(1247, 127, 1120),
        evaluated_at=moment("2026-01-15T10:00:00.400Z"),
        window_type="TUMBLING_5MIN",
        slo_threshold=0.95,
        failure_signature=FailureSignature("MISSING_FIELD:customer_id"),
        top_producer=Producer("orders-svc", "v3.17", Confidence.HIGH),
        evidence_sample=(
            EvidenceId("evd-01HQXY8MNP4QR7ST9VW2XYZ456"),
            EvidenceId("evd-01HQXY8MNP4QR7ST9VW2XYZ457"),
        ),
    ),
    state=SignalStateEnum.CRITICAL,
    previous_state=SignalStateEnum.OK,
    state_changed_at=moment("2026-01-15T10:00:00.000Z"),
    breach_start=moment("2026-01-15T09:58:02.312Z"),
    tier=Tier.TIER_1,
    owner_team="orders-platform",
    last_updated=moment("2026-01-15T10:00:00.500Z"),
    version=47,
    incident_id="INC-7721",
)


def test_the_seeds_item_has_the_seeds_attributes() -> None:
    """S0-030..S0-039, each by name and value; ttl is computed from policy (T2)."""
    ours = {
        "evaluated_at": "2026-01-15T10:00:00.400Z",
        "breach_state": "CRITICAL",
        "breach_rank": "TIER_1#urn:dp:orders:order_created:v1#CONTRACT_COMPLIANCE",
        "position": 12,
    }
    assert to_row(SEED_CARD, 12) == SEED_ITEM | ours


@given(signal_cards)
def test_a_card_comes_back_from_its_row(card: SignalView) -> None:
    assert from_row(orjson.loads(orjson.dumps(to_row(card, 1)))) == card


@given(signal_cards)
def test_a_row_tells_its_key_and_holds_no_null(card: SignalView) -> None:
    row = to_row(card, 1)
    key = SignalKey(card.dataset, card.signal_type)
    assert key_of(row) == key
    assert (row["PK"], row["SK"]) == (row_key(key).pk, row_key(key).sk)
    assert None not in row.values()


@pytest.mark.parametrize("state", list(SignalStateEnum))
def test_only_what_is_not_ok_is_in_the_index_and_every_row_has_its_state(
    state: SignalStateEnum,
) -> None:
    """T4, S0-027"""
    row = to_row(signal_card(state=state), 1)
    assert STATE_TIER_INDEX.holds(row) is (state is not SignalStateEnum.OK)
    assert (row["state"], row["tier"]) == (state.value, "TIER_1")


def test_a_row_without_an_end_has_no_ttl() -> None:
    assert "ttl" not in to_row(signal_card(), 1)


def test_the_ttl_is_the_first_full_second_after_the_end() -> None:
    """S0-029, T2"""
    ends_at = NOON + timedelta(milliseconds=1)
    row = to_row(evolve(signal_card(), ends_at=ends_at), 1)
    assert row["ttl"] == NOON.timestamp() + 1
