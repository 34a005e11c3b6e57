"""Two datasets in breach, and incidents about them."""

import pytest

from entrypoints.grpc.messages import incidents_pb2 as pb
from tests.entrypoints.grpc.incidents.calls import LATE, PAYMENTS, request
from tests.entrypoints.grpc.support.both import Both
from tests.entrypoints.http.api import ORDERS, update


@pytest.fixture(autouse=True)
def breached(both: Both) -> None:
    for dataset in (ORDERS, PAYMENTS):
        path = both.http.registered(dataset_urn=dataset)
        told = both.http.put(f"{path}/signals/CONTRACT_COMPLIANCE", update(0, "CRITICAL"))
        assert told.status_code == 200


@pytest.fixture
def one(both: Both) -> pb.Incident:
    told: pb.Incident = both.call(request())
    return told


@pytest.fixture
def two(both: Both, one: pb.Incident) -> pb.Incident:
    other = {"primary_dataset_urn": PAYMENTS, "failure_signatures": [LATE], "severity": "SEV_2"}
    told: pb.Incident = both.call(request(incident_id="INC-2", **other))
    return told
