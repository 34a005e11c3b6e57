"""Incidents as rows (S0-047..S0-063)."""

from datetime import timedelta
from typing import Any

import orjson
import pytest
from attrs import evolve
from hypothesis import given

from adapters.eventstore.sealing.seals import Seals
from adapters.memory.keys import MemoryKeys
from adapters.row_layouts.incident_rows import from_row, key_of, row_key, to_row
from application.incidents.read_model import IncidentKey, IncidentView
from application.recorded import ERASED
from domain.ids import EvidenceId, FailureSignature, IncidentId, SignalType
from domain.incident.severity import Severity
from domain.incident.values import (
    Implicated,
    IncidentStatus,
    Notifications,
    Resolution,
    ResolutionReason,
)
from domain.lineage.blast_radius import BlastRadius, EstimatedImpact
from domain.signal.evaluation import Confidence, Producer
from domain.timestamps import moment
from tests.adapters.row_layouts.sample_views import NOON, ORDERS, incident_card, incident_cards

JOHN = "john.doe@company.com"

SEED_ITEM: dict[str, Any] = {
    "PK": "INC#INC-7721",
    "SK": "META",
    "incident_id": "INC-7721",
    "status": "OPEN",
    "severity": "SEV_1",
    "title": "Contract breach on orders:order_created - MISSING_FIELD:customer_id",
    "created_at": "2026-01-15T10:00:15.000Z",
    "updated_at": "2026-01-15T10:05:30.000Z",
    "primary_dataset_urn": "urn:dp:orders:order_created:v1",
    "signal_types": ["CONTRACT_COMPLIANCE", "FRESHNESS"],
    "failure_signatures": ["MISSING_FIELD:customer_id"],
    "implicated_producer": {
        "producer_id": "orders-svc",
        "version": "v3.17",
        "confidence": "HIGH",
        "deployed_at": "2026-01-15T09:57:45.000Z",
    },
    "blast_radius": {
        "downstream_count": 3,
        "downstream_services": ["finance-pipeline", "analytics-dashboard", "audit-export"],
        "estimated_impact": "HIGH",
    },
    "notification_state": {
        "pagerduty_incident_id": "PD-12345",
        "slack_thread_ts": "1705315215.123456",
        "jira_ticket": "DATA-4521",
    },
    "primary_evidence_id": "evd-01HQXY8MNP4QR7ST9VW2XYZ456",
    "evidence_sample": ["evd-01HQXY8MNP4QR7ST9VW2XYZ456", "evd-01HQXY8MNP4QR7ST9VW2XYZ457"],
    "owner_team": "orders-platform",
    "GSI1PK": "DS#urn:dp:orders:order_created:v1",
    "GSI1SK": "2026-01-15T10:00:15.000Z#INC-7721",
    "GSI2PK": "STATUS#OPEN",
    "GSI2SK": "SEV_1#2026-01-15T10:00:15.000Z#INC-7721",
    "version": 3,
}
"""Nulls are left out, sort keys end with the id (T13), there is no ttl yet (T2)."""

SEED_CARD = IncidentView(
    incident=IncidentId("INC-7721"),
    status=IncidentStatus.OPEN,
    severity=Severity.SEV_1,
    title="Contract breach on orders:order_created - MISSING_FIELD:customer_id",
    created_at=moment("2026-01-15T10:00:15.000Z"),
    updated_at=moment("2026-01-15T10:05:30.000Z"),
    dataset=ORDERS,
    signals=(SignalType("CONTRACT_COMPLIANCE"), SignalType("FRESHNESS")),
    signatures=(FailureSignature("MISSING_FIELD:customer_id"),),
    owner_team="orders-platform",
    version=3,
    implicated=Implicated(
        Producer("orders-svc", "v3.17", Confidence.HIGH), moment("2026-01-15T09:57:45.000Z")
    ),
    blast_radius=BlastRadius(
        3,
        ("finance-pipeline", "analytics-dashboard", "audit-export"),
        EstimatedImpact.HIGH,
    ),
    notifications=Notifications("PD-12345", "1705315215.123456", "DATA-4521"),
    primary_evidence=EvidenceId("evd-01HQXY8MNP4QR7ST9VW2XYZ456"),
    evidence=(
        EvidenceId("evd-01HQXY8MNP4QR7ST9VW2XYZ456"),
        EvidenceId("evd-01HQXY8MNP4QR7ST9VW2XYZ457"),
    ),
    oncall_user=JOHN,
)

RESOLVED = evolve(
    SEED_CARD,
    status=IncidentStatus.RESOLVED,
    acknowledged_at=SEED_CARD.created_at + timedelta(minutes=2),
    resolved_at=SEED_CARD.created_at + timedelta(hours=1),
    ends_at=SEED_CARD.created_at + timedelta(days=365, hours=1),
    resolution=Resolution("v3.17", "rolled back", JOHN, reason=ResolutionReason.ROLLED_BACK),
)


@pytest.fixture
def seals() -> Seals:
    return Seals(MemoryKeys())


def test_the_seeds_item_has_the_seeds_attributes(seals: Seals) -> None:
    """S0-051..S0-063, each by name and value."""
    row = dict(to_row(SEED_CARD, 12, seals))
    assert seals.open(row.pop("oncall_user")) == JOHN
    sealed = row["notification_state"]
    row["notification_state"] = {name: seals.open(token) for name, token in sealed.items()}
    assert row == SEED_ITEM | {"position": 12}


def test_a_resolved_incident(seals: Seals) -> None:
    """S0-050, S0-053, S0-062, T2: 365 days from the resolution."""
    row = dict(to_row(RESOLVED, 12, seals))
    assert (row["GSI2PK"], row["GSI2SK"]) == ("STATUS#RESOLVED", SEED_ITEM["GSI2SK"])
    assert row["resolved_at"] == "2026-01-15T11:00:15.000Z"
    assert row["ttl"] == int((SEED_CARD.created_at + timedelta(days=365, hours=1)).timestamp())
    assert (row["mtta_seconds"], row["mttr_seconds"]) == (120.0, 3600.0)
    resolution = dict(row["resolution"])
    assert seals.open(resolution.pop("resolved_by")) == JOHN
    assert resolution == {
        "root_cause": "v3.17",
        "mitigation": "rolled back",
        "false_positive": False,
        "reason": "ROLLED_BACK",
    }


def test_people_are_not_in_clear_and_can_be_erased(seals: Seals) -> None:
    row = to_row(RESOLVED, 12, seals)
    assert JOHN.encode() not in orjson.dumps(row)
    assert b"DATA-4521" not in orjson.dumps(row)
    seals.forget(JOHN)
    card = from_row(row, seals)
    assert card.resolution is not None
    assert (card.oncall_user, card.resolution.resolved_by) == (ERASED, ERASED)


def test_a_row_of_the_first_release_is_still_read(seals: Seals) -> None:
    """It holds ids in other systems in clear, and nothing of snoozes and merges."""
    row = SEED_ITEM | {"oncall_user": seals.seal_name(JOHN), "position": 12}
    assert from_row(row, seals) == SEED_CARD


@given(incident_cards)
def test_a_card_comes_back_from_its_row(card: IncidentView) -> None:
    seals = Seals(MemoryKeys())
    row = orjson.loads(orjson.dumps(to_row(card, 1, seals)))
    assert from_row(row, seals) == card


@given(incident_cards)
def test_a_row_tells_its_key_and_holds_no_null(card: IncidentView) -> None:
    row = to_row(card, 1, Seals(MemoryKeys()))
    key = IncidentKey(card.incident)
    assert key_of(row) == key
    assert (row["PK"], row["SK"]) == (row_key(key).pk, row_key(key).sk)
    assert None not in row.values()


def test_two_incidents_of_one_moment_have_places_of_their_own(seals: Seals) -> None:
    """T13"""
    rows = [to_row(incident_card(name, created_at=NOON), 1, seals) for name in ("INC-1", "INC-2")]
    for attribute in ("GSI1SK", "GSI2SK"):
        assert len({row[attribute] for row in rows}) == 2
