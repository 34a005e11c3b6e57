"""Evidence as callers send it, over HTTP and gRPC."""

from datetime import timedelta
from typing import Any

from google.protobuf.json_format import ParseDict

from domain.evidence.evidence import is_kept
from domain.timestamps import stamp
from entrypoints.grpc.messages.evidence_pb2 import Evidence
from tests.entrypoints.http.api import NOW, ORDERS

DIGEST = "sha256:" + "0123456789abcdef" * 4


def named(number: int) -> str:
    return f"evd-01HQXY8MNP{number:016}"


PASSING = [named(number) for number in range(2_000)]
KEPT_PASS = next(name for name in PASSING if is_kept(name, "PASS", 0.01))
LEFT_OUT = next(name for name in PASSING if not is_kept(name, "PASS", 0.01))


def evidence(number: int = 0, **other: Any) -> dict[str, Any]:
    """What failed, so many minutes ago."""
    return {
        "evidence_id": named(number),
        "dataset_urn": ORDERS,
        "created_at": stamp(NOW - timedelta(minutes=number)),
        "validation": {
            "result": "FAIL",
            "failed_gates": ["G4_CONTRACT"],
            "reason_codes": ["MISSING_FIELD:customer_id"],
        },
        "producer": {"producer_id": "orders-svc", "version": "v3.17", "confidence": "HIGH"},
        "source": {"topic": "raw.orders.events", "partition": 3, "offset": 1_000_000 + number},
        "fingerprints": {"schema_fingerprint": DIGEST, "payload_hash": DIGEST},
        "otel": {"trace_id": "ab" * 16, "span_id": "cd" * 8},
        "payload_ref": f"s3://payloads/{number}",
        "payload_size_bytes": 812,
        **other,
    }


def passed(name: str = LEFT_OUT, **other: Any) -> dict[str, Any]:
    return evidence(evidence_id=name, validation={"result": "PASS"}, **other)


def message(said: dict[str, Any]) -> Evidence:
    return ParseDict(said, Evidence())
