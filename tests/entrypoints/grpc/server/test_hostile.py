"""Whatever is sent, it is answered, or is the caller's mistake and nothing is written."""

from collections.abc import Iterator

import grpc
import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.descriptor_pb2 import MethodOptions
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.struct_pb2 import ListValue, Value
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from entrypoints.grpc.messages import datasets_pb2, evidence_pb2, incidents_pb2
from tests.entrypoints.grpc.support.any_message import any_message
from tests.entrypoints.grpc.support.both import METHODS, Both, both_served
from tests.entrypoints.http.api import ORDERS, update
from tests.support.scale import scaled

MISTAKES = {
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.ALREADY_EXISTS,
    grpc.StatusCode.ABORTED,
    grpc.StatusCode.FAILED_PRECONDITION,
}
ANSWERED_ONE_BY_ONE = {
    evidence_pb2.PutEvidenceRequest.DESCRIPTOR.full_name,
    evidence_pb2.BatchPutEvidenceRequest.DESCRIPTOR.full_name,
}
"""Whatever is wrong with an item is its answer: these calls are not refused."""


@pytest.fixture(scope="module")
def busy() -> Iterator[Both]:
    """A dataset in breach with an open incident, which hostile calls may find and change."""
    with both_served() as both:
        path = both.http.registered()
        both.http.put(f"{path}/signals/CONTRACT_COMPLIANCE", update(0, "CRITICAL"))
        both.call(
            incidents_pb2.CreateIncidentRequest(
                incident_id="INC-1",
                primary_dataset_urn=ORDERS,
                signal_types=["CONTRACT_COMPLIANCE"],
                severity="SEV_1",
                failure_signatures=["MISSING_FIELD:customer_id"],
            )
        )
        yield both


@pytest.mark.parametrize("kind", sorted(METHODS), ids=lambda name: name.rpartition(".")[2])
@settings(max_examples=scaled(30, 500), suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_anything(busy: Both, kind: str, data: st.DataObject) -> None:
    request = data.draw(any_message(METHODS[kind].input_type))
    head, refused = busy.http.head(), busy.tried(request)
    if refused is not None:
        assert refused.code in MISTAKES
        assert refused.reason
    if refused is not None or _only_reads(METHODS[kind]):
        assert busy.http.head() == head


def _only_reads(method: MethodDescriptor) -> bool:
    return bool(method.GetOptions().idempotency_level == MethodOptions.NO_SIDE_EFFECTS)


@pytest.mark.parametrize(
    "kind", sorted(set(METHODS) - ANSWERED_ONE_BY_ONE), ids=lambda name: name.rpartition(".")[2]
)
def test_texts_of_any_length(busy: Both, kind: str) -> None:
    head = busy.http.head()
    refused = busy.refused(_everywhere("é" * 100_000, METHODS[kind].input_type))
    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert busy.http.head() == head


def _everywhere(text: str, kind: Descriptor) -> Message:
    """A message that says nothing else, in every text there is."""
    message = GetMessageClass(kind)()
    for field in kind.fields:
        if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
            said = [text] if field.is_repeated else text
            message.MergeFrom(GetMessageClass(kind)(**{field.name: said}))
    return message


def test_values_within_values_as_deep_as_they_go(busy: Both) -> None:
    payload = Value(number_value=1)
    for _ in range(40):
        payload = Value(list_value=ListValue(values=[payload]))
    asked = datasets_pb2.ResolveDatasetRequest(topic="unheard.of", payload=payload)
    assert busy.call(asked).topic == "unheard.of"
