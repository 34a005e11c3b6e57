"""How incidents are asked for over gRPC, and what HTTP says of them."""

from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from entrypoints.grpc.messages import incidents_pb2 as pb
from tests.entrypoints.grpc.support.alike import plain, without_nothing
from tests.entrypoints.grpc.support.both import Both
from tests.entrypoints.http.api import ORDERS

INCIDENTS = "/api/v1/incidents"
PAYMENTS = "urn:dp:payments:payment_processed:v1"
MISSING, LATE = "MISSING_FIELD:customer_id", "LATE_DATA:processed_at"
FIXED = pb.IncidentResolution(root_cause="v3.17 dropped a field", mitigation="rolled back")
TOO_LATE = Timestamp(seconds=253402300800)


def request(**more: Any) -> pb.CreateIncidentRequest:
    given: dict[str, Any] = {
        "incident_id": "INC-1",
        "primary_dataset_urn": ORDERS,
        "signal_types": ["CONTRACT_COMPLIANCE"],
        "severity": "SEV_1",
        "failure_signatures": [MISSING],
        **more,
    }
    return pb.CreateIncidentRequest(**given)


def listing(**more: Any) -> pb.ListIncidentsRequest:
    """Python has a word of its own that the contract uses."""
    return pb.ListIncidentsRequest(**{name.removesuffix("_"): said for name, said in more.items()})


def over_http(both: Both, path: str, **more: Any) -> Any:
    answer = both.http.get(f"{INCIDENTS}{path}", **more)
    assert answer.status_code == 200, answer.text
    return without_nothing(answer.json())


def as_http_has_it(both: Both, told: pb.Incident) -> bool:
    assert told.answer.position
    return bool(plain(told) == over_http(both, f"/{told.incident_id}"))
