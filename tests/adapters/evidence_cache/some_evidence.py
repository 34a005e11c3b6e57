"""Evidence for tests."""

from datetime import UTC, datetime, timedelta
from typing import Any

from attrs import evolve

from application.evidence.archive import EvidenceAsked
from domain.evidence.evidence import Evidence, Source, Verdict
from domain.ids import DatasetUrn, EvidenceId
from domain.signal.evaluation import Confidence, Producer

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)
ORDERS = DatasetUrn("urn:dp:orders:order_created:v1")
PAYMENTS = DatasetUrn("urn:dp:payments:payment_made:v1")
WHOLE_DAY = EvidenceAsked(ORDERS, NOON - timedelta(days=1), NOON + timedelta(days=1))

FULL = Evidence(
    evidence_id=EvidenceId("evd-01HQXY8MNP4QR7ST9VW2XYZ456"),
    dataset=ORDERS,
    created_at=NOON - timedelta(seconds=1.688),
    recorded_at=NOON,
    verdict=Verdict.FAIL,
    failed_gates=("G4_CONTRACT",),
    reason_codes=("MISSING_FIELD:customer_id",),
    producer=Producer("orders-svc", "v3.17", Confidence.HIGH),
    source=Source("raw.orders.events", 12, 847293847),
    schema_fingerprint="sha256:" + "9f2c" * 16,
    payload_hash="sha256:" + "ab12" * 16,
    trace_id="abc1" * 8,
    span_id="7890" * 4,
    payload_ref="s3://evidence-bucket/2026/01/15/evd-01HQXY8MNP4QR7ST9VW2XYZ456.json.gz",
    payload_size_bytes=2048,
)
BARE = Evidence(EvidenceId("evd-01HQXY8MNP4QR7ST9VW2XYZ000"), ORDERS, NOON, NOON, Verdict.PASS)


def name_of(number: int) -> EvidenceId:
    return EvidenceId(f"evd-01HQXY8MNP{number:016}")


def some(number: int, **more: Any) -> Evidence:
    """Full evidence with an id of its own."""
    return evolve(FULL, evidence_id=name_of(number), **more)
