"""What is said in the stories, in the words of HTTP."""

from datetime import timedelta
from typing import Any

from domain.timestamps import stamp
from tests.entrypoints.http.api import EVIDENCE, NOW, ORDERS
from tests.scenarios.questions import CUSTOMER, PAYMENTS, SIGNAL

MISSING = "MISSING_FIELD:customer_id"
LATE = "LATE_DATA:processed_at"
OTHER_EVIDENCE = "evd-01HQXY8MNP4QR7ST9VW2XYZ457"
SPEC = "lspec:orders-svc:git:9f31c2d"

PLAIN_DATASET: dict[str, Any] = {
    "dataset_urn": PAYMENTS,
    "display_name": "Payments",
    "owner_team": "payments",
}
PRODUCER = {
    "producer_id": "orders-svc",
    "version": "v3.17",
    "confidence": "HIGH",
    "deployed_at": "2026-01-15T09:58:00.000Z",
}
RESOLUTION = {
    "root_cause": "a deploy without the field",
    "mitigation": "rolled back",
    "resolved_by": "joe@company.example",
    "reason": "ROLLED_BACK",
}


def fault(name: str, dataset: str = ORDERS, signature: str = MISSING, **more: Any) -> Any:
    """An incident to be opened."""
    return {
        "incident_id": name,
        "primary_dataset_urn": dataset,
        "signal_types": [SIGNAL],
        "severity": "SEV_1",
        "failure_signatures": [signature],
        "implicated_producer": PRODUCER,
        "evidence_sample": [EVIDENCE],
        **more,
    }


def spec(commit: str, minutes: int, **more: Any) -> dict[str, Any]:
    """All that the orders service declares: it writes orders, of which payments are made."""
    return {
        "spec_id": f"lspec:orders-svc:git:{commit}",
        "confidence": "HIGH",
        "commit": commit,
        "updated_at": stamp(NOW + timedelta(minutes=minutes - 60)),
        "dataset_writes": [_entry(ORDERS, "svc:orders"), _entry(PAYMENTS, "job:payments")],
        "dataset_reads": [_entry(ORDERS, "job:payments"), _entry(PAYMENTS, "svc:ledger")],
        "column_writes": [_entry(CUSTOMER, "svc:orders")],
        "column_reads": [_entry(CUSTOMER, "job:payments")],
        **more,
    }


def _entry(urn: str, entity: str) -> dict[str, str]:
    kind, name = entity.split(":")
    place = "column_urn" if urn.startswith("urn:col:") else "dataset_urn"
    return {
        place: urn,
        "entity_id": entity,
        "entity_name": name,
        "entity_type": {"svc": "SERVICE", "job": "JOB"}[kind],
    }
