"""
Whatever is wrong is told over gRPC as it is over HTTP, for any request that both can say.

gRPC may tell more: HTTP does not judge what contains something that it could not read.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import httpx
import pytest
from google.protobuf.json_format import ParseDict
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Value
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from entrypoints.grpc.messages.datasets_pb2 import AddResolutionRuleRequest
from entrypoints.grpc.messages.incidents_pb2 import CreateIncidentRequest, UpdateIncidentRequest
from entrypoints.grpc.messages.lineage_pb2 import DeclareLineageRequest
from tests.entrypoints.grpc.lineage.test_service import SPEC, as_http_has_it
from tests.entrypoints.grpc.support.alike import in_json
from tests.entrypoints.grpc.support.any_message import WELL_KNOWN, any_message, texts
from tests.entrypoints.grpc.support.both import Both, both_served
from tests.entrypoints.http.api import ORDERS, Api
from tests.support.scale import scaled

MOMENTS = (-5, 0, 1_768_478_400, 9_999_999_999)
scalars = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts
IN_JSON: Mapping[str, st.SearchStrategy[Any]] = {
    **WELL_KNOWN,
    Timestamp.DESCRIPTOR.full_name: st.builds(Timestamp, seconds=st.sampled_from(MOMENTS)),
    Value.DESCRIPTOR.full_name: st.builds(
        lambda said: ParseDict(said, Value()), scalars | st.lists(scalars, max_size=3)
    ),
}


def _opened(api: Api, sent: CreateIncidentRequest) -> httpx.Response:
    return api.post("/api/v1/incidents", in_json(sent))


def _changed(api: Api, sent: UpdateIncidentRequest) -> httpx.Response:
    said = in_json(sent)
    return api.patch(f"/api/v1/incidents/{said.pop('incident_id')}", said)


def _declared(api: Api, sent: DeclareLineageRequest) -> httpx.Response:
    return api.put(f"/api/v1/lineage/specs/{sent.spec_id}", as_http_has_it(sent))


def _added(api: Api, sent: AddResolutionRuleRequest) -> httpx.Response:
    return api.post(f"/api/v1/datasets/{sent.dataset_urn}/resolution-rules", in_json(sent.rule))


OVER_HTTP: Mapping[type[Message], tuple[Callable[[Api, Any], httpx.Response], dict[str, str]]] = {
    CreateIncidentRequest: (_opened, {}),
    UpdateIncidentRequest: (_changed, {"incident_id": "INC-1"}),
    DeclareLineageRequest: (_declared, {"spec_id": SPEC}),
    AddResolutionRuleRequest: (_added, {"dataset_urn": ORDERS}),
}
"""How the same is said over HTTP, and what stands in the path there."""


@pytest.fixture(scope="module")
def served() -> Iterator[Both]:
    with both_served() as both:
        both.http.registered()
        yield both


@pytest.mark.parametrize("kind", OVER_HTTP, ids=lambda kind: str(kind.DESCRIPTOR.name))
@settings(max_examples=scaled(50, 1_000), suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_what_is_wrong(served: Both, kind: Any, data: st.DataObject) -> None:
    over_http, named = OVER_HTTP[kind]
    sent: Any = data.draw(any_message(kind.DESCRIPTOR, IN_JSON))
    sent.MergeFrom(kind(**named))
    if isinstance(sent, AddResolutionRuleRequest):
        sent.rule.dataset_urn = ORDERS
    refused, answer = served.tried(sent), over_http(served.http, sent)
    wrong = {one["field"]: one["code"] for one in answer.json().get("violations", ())}
    told = dict(refused.violations) if refused else {}
    assert bool(told) == bool(wrong)
    if refused and refused.data.get("violations") == str(len(told)):
        assert wrong.items() <= told.items()
