"""The examples in the API's description: the ones of the design, ready to be sent."""

from typing import Any

DATASET = "urn:dp:payments:payment_processed:v1"
COLUMN = f"urn:col:{DATASET}:customer_id"
SPEC = "lspec:job:payments-landing:git:9f31c2d"

CREATE_DATASET: dict[str, Any] = {
    "dataset_urn": DATASET,
    "display_name": "Payments - Payment Processed",
    "tier": "TIER_1",
    "owner_team": "payments-platform",
    "source": {"type": "KAFKA", "topic": "raw.payments.events"},
    "schema_binding": {"registry": "GLUE", "schema_name": "payments.payment_processed"},
    "slos": {
        "freshness": {"max_delay_seconds": 120},
        "volume": {"min_events_per_window": 1000},
        "contract_compliance": {"min_compliance_rate": 0.99},
    },
}

UPDATE_DATASET: dict[str, Any] = {
    "tier": "TIER_2",
    "description": None,
    "contract_binding": {
        "contract_id": "dc:payments.payment_processed:1",
        "required_fields": ["payment_id", "amount"],
        "field_constraints": {"amount": {"type": "number", "min": 0}},
    },
    "expected_version": 1,
}

RULE: dict[str, Any] = {"topic_pattern": "raw.payments.events", "resolution_type": "EXACT"}

CONDITIONAL_RULE: dict[str, Any] = {
    "name": "by-event-type",
    "topic_pattern": "raw.payments.*",
    "resolution_type": "CONDITIONAL",
    "priority": 50,
    "conditions": [
        {
            "field": "$.event_type",
            "operator": "EQUALS",
            "value": "payment_processed",
            "dataset_urn": DATASET,
        }
    ],
    "default_dataset_urn": DATASET,
}

RESOLVE: dict[str, Any] = {
    "topic": "raw.payments.events",
    "payload": {"event_type": "payment_processed", "amount": 12.5},
}

SIGNAL_UPDATE: dict[str, Any] = {
    "state": "CRITICAL",
    "score": 0.102,
    "slo_threshold": 0.95,
    "window_start": "2026-01-15T09:55:00.000Z",
    "window_end": "2026-01-15T10:00:00.000Z",
    "window_type": "TUMBLING_5MIN",
    "metrics": {"evidence_count": 1247, "pass_count": 127, "fail_count": 1120},
    "failure_signature": "MISSING_FIELD:customer_id",
    "top_producer": {"producer_id": "orders-svc", "version": "v3.17", "confidence": "HIGH"},
    "evidence_sample": ["evd-01HQXY8MNP4QR7ST9VW2XYZ456"],
    "expected_version": -1,
}

SIGNAL_BATCH: dict[str, Any] = {
    "updates": [{"dataset_urn": DATASET, "signal_type": "CONTRACT_COMPLIANCE", **SIGNAL_UPDATE}]
}

SIGNAL_LOOKUP: dict[str, Any] = {
    "signals": [
        {"dataset_urn": DATASET, "signal_type": "CONTRACT_COMPLIANCE"},
        {"dataset_urn": DATASET, "signal_type": "FRESHNESS"},
    ]
}

POLICY_LOOKUP: dict[str, Any] = {
    "policies": [
        {"dataset_urn": DATASET, "known_etag": "12-300-warn"},
        {"dataset_urn": "urn:dp:orders:order_created:v1"},
    ],
    "fallback_on_miss": "FAIL",
}

ERASURE: dict[str, Any] = {"person": "jane.smith@example.org"}

_LANDING = {
    "entity_id": "job:payments-landing",
    "entity_name": "payments-landing",
    "entity_type": "JOB",
}

LINEAGE_SPEC: dict[str, Any] = {
    "dataset_reads": [{"dataset_urn": "urn:dp:orders:order_created:v1", **_LANDING}],
    "dataset_writes": [{"dataset_urn": DATASET, **_LANDING}],
    "column_reads": [
        {"column_urn": "urn:col:urn:dp:orders:order_created:v1:customer_id", **_LANDING}
    ],
    "column_writes": [{"column_urn": COLUMN, **_LANDING}],
    "confidence": "HIGH",
    "commit": "9f31c2d",
    "updated_at": "2026-01-16T11:30:00.000Z",
    "ttl_seconds": 7776000,
}


OPEN_INCIDENT: dict[str, Any] = {
    "incident_id": "INC-7721",
    "primary_dataset_urn": DATASET,
    "signal_types": ["CONTRACT_COMPLIANCE", "FRESHNESS"],
    "severity": "SEV_1",
    "failure_signatures": ["MISSING_FIELD:customer_id"],
    "implicated_producer": {
        "producer_id": "orders-svc",
        "version": "v3.17",
        "confidence": "HIGH",
        "deployed_at": "2026-01-15T09:57:45.000Z",
    },
    "evidence_sample": ["evd-01HQXY8MNP4QR7ST9VW2XYZ456", "evd-01HQXY8MNP4QR7ST9VW2XYZ457"],
}

CHANGE_INCIDENT: dict[str, Any] = {
    "status": "RESOLVED",
    "notification_state": {"jira_ticket": "DATA-4521"},
    "resolution": {
        "root_cause": "Deployment v3.17 removed required field",
        "mitigation": "Rolled back to v3.16",
        "resolved_by": "john.doe@company.com",
        "false_positive": False,
        "reason": "ROLLED_BACK",
    },
}

REOPEN_INCIDENT: dict[str, Any] = {"reason": "The field is missing again"}

SNOOZE_INCIDENT: dict[str, Any] = {
    "until": "2026-01-15T18:00:00.000Z",
    "reason": "The fix is deployed: look again when it has run",
}

MERGE_INCIDENT: dict[str, Any] = {"into": "INC-7721", "reason": "The same deployment broke both"}

SPLIT_INCIDENT: dict[str, Any] = {"reason": "It has a cause of its own"}

EVIDENCE: dict[str, Any] = {
    "evidence_id": "evd-01HQXY8MNP4QR7ST9VW2XYZ456",
    "dataset_urn": DATASET,
    "created_at": "2026-01-15T09:58:02.125Z",
    "validation": {
        "result": "FAIL",
        "failed_gates": ["G4_CONTRACT"],
        "reason_codes": ["MISSING_FIELD:customer_id"],
    },
    "producer": {"producer_id": "payments-svc", "version": "v3.17", "confidence": "HIGH"},
    "source": {"topic": "raw.payments.events", "partition": 7, "offset": 918273},
    "payload_ref": "s3://payloads/2026/01/15/918273",
    "payload_size_bytes": 812,
}
