"""Snoozing, waking, merging and splitting incidents over gRPC, compared with HTTP."""

from datetime import timedelta

import grpc
from google.protobuf.timestamp_pb2 import Timestamp

from entrypoints.grpc.fields.timestamps import timestamp
from entrypoints.grpc.messages import incidents_pb2 as pb
from entrypoints.grpc.messages.common_pb2 import ReadOptions
from tests.entrypoints.grpc.incidents.calls import FIXED, TOO_LATE, as_http_has_it, request
from tests.entrypoints.grpc.support.both import Both
from tests.entrypoints.http.api import NOON, NOW


def test_moments_that_nobody_can_tell(both: Both, one: pb.Incident) -> None:
    producer = pb.ImplicatedProducer(producer_id="x", deployed_at=Timestamp(nanos=-1))
    refused = both.refused(request(implicated_producer=producer))
    assert refused.violations == {"implicated_producer.deployed_at": "MALFORMED"}
    refused = both.refused(pb.SnoozeIncidentRequest(incident_id="INC-1", until=TOO_LATE))
    assert refused.violations == {"until": "MALFORMED"}
    listed = pb.ListIncidentsRequest(to=TOO_LATE, options=ReadOptions(as_of=TOO_LATE))
    assert both.refused(listed).violations == {"to": "MALFORMED", "as_of": "MALFORMED"}


def test_snoozing_and_waking(both: Both, one: pb.Incident) -> None:
    until = timestamp(NOW + timedelta(hours=4))
    told = both.call(pb.SnoozeIncidentRequest(incident_id="INC-1", until=until, reason="deploying"))
    assert told.snoozed_until == until
    assert as_http_has_it(both, told)
    told = both.call(pb.EndSnoozeRequest(incident_id="INC-1", expected_version=told.version))
    assert not told.HasField("snoozed_until")
    assert as_http_has_it(both, told)


def test_snoozing_for_ever_or_without_an_end(both: Both, one: pb.Incident) -> None:
    unsaid = both.refused(pb.SnoozeIncidentRequest(incident_id="INC-1"))
    assert unsaid.violations == {"until": "REQUIRED"}
    past = pb.SnoozeIncidentRequest(incident_id="INC-1", until=timestamp(NOON))
    assert both.refused(past).violations == {"until": "IN_THE_PAST"}
    far = pb.SnoozeIncidentRequest(
        incident_id="INC-1", until=timestamp(NOW + timedelta(days=31)), expected_version=-7
    )
    assert both.refused(far).violations == {
        "until": "OUT_OF_RANGE",
        "expected_version": "OUT_OF_RANGE",
    }


def test_snoozing_what_is_resolved(both: Both, one: pb.Incident) -> None:
    both.call(pb.ResolveIncidentRequest(incident_id="INC-1", resolution=FIXED))
    until = timestamp(NOW + timedelta(hours=1))
    refused = both.refused(pb.SnoozeIncidentRequest(incident_id="INC-1", until=until))
    assert (refused.code, refused.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "INVALID_STATE")
    assert refused.data == {"current_status": "RESOLVED"}


def test_waking_what_is_awake(both: Both, one: pb.Incident) -> None:
    told = both.call(pb.EndSnoozeRequest(incident_id="INC-1"))
    assert (told.version, told.answer.position) == (1, one.answer.position)
    stale = both.refused(pb.EndSnoozeRequest(incident_id="INC-1", expected_version=9))
    assert stale.code is grpc.StatusCode.ABORTED


def test_merging_and_splitting(both: Both, two: pb.Incident) -> None:
    told = both.call(pb.MergeIncidentRequest(incident_id="INC-2", into="INC-1", reason="same"))
    assert (told.status, told.merged_into) == ("RESOLVED", "INC-1")
    assert as_http_has_it(both, told)
    into = both.call(pb.GetIncidentRequest(incident_id="INC-1"))
    assert [merged.incident_id for merged in into.merged_incidents] == ["INC-2"]
    assert as_http_has_it(both, into)
    told = both.call(pb.SplitIncidentRequest(incident_id="INC-2", reason="no"))
    assert (told.status, told.merged_into) == ("OPEN", "")
    assert as_http_has_it(both, told)


def test_merging_with_itself_or_with_nothing(both: Both, one: pb.Incident) -> None:
    itself = pb.MergeIncidentRequest(incident_id="INC-1", into="INC-1")
    assert both.refused(itself).violations == {"into": "INCONSISTENT"}
    nothing = pb.MergeIncidentRequest(incident_id="INC-1", reason="x" * 4001)
    assert both.refused(nothing).violations == {"into": "REQUIRED", "reason": "TOO_LONG"}
    unmerged = both.refused(pb.SplitIncidentRequest(incident_id="INC-1"))
    assert unmerged.code is grpc.StatusCode.FAILED_PRECONDITION
