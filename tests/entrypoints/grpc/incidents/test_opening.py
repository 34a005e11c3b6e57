"""Opening incidents over gRPC, compared with what HTTP answers (S0-140)."""

import grpc
import pytest

from entrypoints.grpc.fields.timestamps import timestamp
from entrypoints.grpc.messages import incidents_pb2 as pb
from tests.entrypoints.grpc.incidents.calls import INCIDENTS, LATE, as_http_has_it, request
from tests.entrypoints.grpc.support.alike import in_json
from tests.entrypoints.grpc.support.both import Both
from tests.entrypoints.http.api import EVIDENCE, NOON, fields


def test_opening(both: Both) -> None:
    """S0-140"""
    producer = pb.ImplicatedProducer(
        producer_id="orders-svc",
        version="v3.17",
        confidence="HIGH",
        deployed_at=timestamp(NOON),
    )
    told = both.call(
        request(title="Orders", implicated_producer=producer, evidence_sample=[EVIDENCE])
    )
    assert (told.status, told.version, told.joined) == ("OPEN", 1, False)
    assert as_http_has_it(both, told)
    assert told.implicated_producer == producer


def test_a_name_is_made_where_none_is_said(both: Both) -> None:
    told = both.call(request(incident_id=""))
    assert told.incident_id.startswith("INC-")
    assert as_http_has_it(both, told)


def test_joining(both: Both, one: pb.Incident) -> None:
    told = both.call(request(incident_id="", signal_types=["FRESHNESS"]))
    assert told.joined
    assert told.incident_id == one.incident_id
    told.joined = False
    assert as_http_has_it(both, told)


@pytest.mark.parametrize(
    "wrong",
    [
        pb.CreateIncidentRequest(),
        request(primary_dataset_urn="orders", severity="SEV_9", signal_types=["BAD", "VOLUME"]),
        request(incident_id="no", failure_signatures=["x"] * 11, title=" ", evidence_sample=["e"]),
        request(implicated_producer=pb.ImplicatedProducer(confidence="SOME")),
        request(primary_dataset_urn="urn:dp:a:b:v1", severity="", primary_evidence_id="x"),
    ],
    ids=["nothing", "names", "texts", "producer", "strangers"],
)
def test_all_that_is_wrong_is_told_as_over_http(
    both: Both, wrong: pb.CreateIncidentRequest
) -> None:
    head = both.http.head()
    refused = both.refused(wrong)
    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.reason == "VALIDATION"
    assert refused.violations == fields(both.http.post(INCIDENTS, in_json(wrong)))
    assert both.http.head() == head


def test_a_name_that_is_taken(both: Both, one: pb.Incident) -> None:
    refused = both.refused(request(failure_signatures=[LATE]))
    assert refused.code is grpc.StatusCode.ALREADY_EXISTS
    assert refused.data["current_version"] == "1"


def test_a_repeated_call_is_done_once(both: Both) -> None:
    asked = request(incident_id="")
    first = both.call(asked, key="a")
    again = both.call(asked, key="a")
    assert (first.answer.replayed, again.answer.replayed) == (False, True)
    assert (again.incident_id, again.version) == (first.incident_id, 1)
    refused = both.refused(request(incident_id="", title="another"), key="a")
    assert refused.reason == "IDEMPOTENCY_KEY_REUSED"
    note = pb.UpdateIncidentRequest(incident_id=first.incident_id, note="once")
    assert not both.call(note, key="b").answer.replayed
    assert both.call(note, key="b").answer.replayed
    timeline = both.call(pb.GetIncidentTimelineRequest(incident_id=first.incident_id)).timeline
    assert [entry.event_type for entry in timeline] == ["OPENED", "NOTE_ADDED"]
