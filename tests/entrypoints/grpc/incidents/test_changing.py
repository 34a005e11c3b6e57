"""Changing, resolving and reopening incidents over gRPC, compared with HTTP (S0-141, S0-143)."""

import grpc
import pytest

from entrypoints.grpc.messages import incidents_pb2 as pb
from tests.entrypoints.grpc.incidents.calls import FIXED, INCIDENTS, LATE, as_http_has_it
from tests.entrypoints.grpc.support.alike import in_json, plain, without_nothing
from tests.entrypoints.grpc.support.both import Both
from tests.entrypoints.http.api import EVIDENCE, fields


def test_changing_in_several_ways_at_once(both: Both, one: pb.Incident) -> None:
    """S0-141"""
    told = both.call(
        pb.UpdateIncidentRequest(
            incident_id="INC-1",
            status="ACKNOWLEDGED",
            severity="SEV_2",
            oncall_user="jane",
            signal_types=["VOLUME"],
            failure_signatures=[LATE],
            evidence_sample=[EVIDENCE],
            notification_state=pb.NotificationState(jira_ticket="OPS-1"),
            rca_summary="late\nand wrong",
            note="looking",
            expected_version=one.version,
        )
    )
    assert (told.status, told.severity, told.oncall_user) == ("ACKNOWLEDGED", "SEV_2", "jane")
    assert list(told.signal_types) == ["CONTRACT_COMPLIANCE", "VOLUME"]
    assert told.notification_state.jira_ticket == "OPS-1"
    assert as_http_has_it(both, told)


def test_an_empty_name_assigns_nobody_and_no_name_leaves_it(both: Both, one: pb.Incident) -> None:
    both.call(pb.UpdateIncidentRequest(incident_id="INC-1", oncall_user="jane"))
    noted = both.call(pb.UpdateIncidentRequest(incident_id="INC-1", note="still looking"))
    assert noted.oncall_user == "jane"
    assert not both.call(pb.UpdateIncidentRequest(incident_id="INC-1", oncall_user="")).oncall_user


def test_a_change_of_another_version(both: Both, one: pb.Incident) -> None:
    both.call(pb.UpdateIncidentRequest(incident_id="INC-1", note="hm"))
    stale = pb.UpdateIncidentRequest(incident_id="INC-1", note="ha", expected_version=1)
    refused = both.refused(stale)
    assert refused.code is grpc.StatusCode.ABORTED
    assert refused.reason == "VERSION_CONFLICT"
    assert refused.data == {"current_version": "2", "expected_version": "1"}


@pytest.mark.parametrize(
    "wrong",
    [
        pb.UpdateIncidentRequest(status="GONE", severity="BAD", signal_types=["x"], note=" "),
        pb.UpdateIncidentRequest(status="RESOLVED"),
        pb.UpdateIncidentRequest(resolution=pb.IncidentResolution(root_cause="x", reason="WHY")),
        pb.UpdateIncidentRequest(expected_version=-2),
        pb.UpdateIncidentRequest(expected_version=2**63 - 1, oncall_user="x" * 300),
        pb.UpdateIncidentRequest(
            status="RESOLVED",
            resolution=pb.IncidentResolution(
                root_cause="x", false_positive=True, reason="DUPLICATE"
            ),
        ),
    ],
    ids=["words", "no end", "an end", "version", "large", "contradiction"],
)
def test_changes_that_are_wrong_are_told_as_over_http(
    both: Both, one: pb.Incident, wrong: pb.UpdateIncidentRequest
) -> None:
    in_http = fields(both.http.patch(f"{INCIDENTS}/INC-1", in_json(wrong)))
    wrong.incident_id = "INC-1"
    assert both.refused(wrong).violations == in_http
    wrong.incident_id = "nobody"
    assert both.refused(wrong).violations == {"incident_id": "MALFORMED", **in_http}


def test_resolving_and_reopening(both: Both, one: pb.Incident) -> None:
    """S0-143"""
    told = both.call(pb.ResolveIncidentRequest(incident_id="INC-1", resolution=FIXED, note="done"))
    assert (told.status, told.resolution.root_cause) == ("RESOLVED", FIXED.root_cause)
    assert told.resolution.reason == "OTHER"
    assert as_http_has_it(both, told)
    told = both.call(pb.ReopenIncidentRequest(incident_id="INC-1", reason="it is back"))
    assert told.status == "OPEN"
    assert as_http_has_it(both, told)


def test_a_false_alarm(both: Both, one: pb.Incident) -> None:
    ended = pb.IncidentResolution(root_cause="a test", false_positive=True)
    told = both.call(pb.ResolveIncidentRequest(incident_id="INC-1", resolution=ended))
    assert (told.resolution.false_positive, told.resolution.reason) == (True, "FALSE_POSITIVE")


def test_a_reason_may_say_that_it_was_false(both: Both, one: pb.Incident) -> None:
    ended = pb.IncidentResolution(root_cause="a test", reason="FALSE_POSITIVE")
    told = both.call(pb.ResolveIncidentRequest(incident_id="INC-1", resolution=ended))
    assert told.resolution.false_positive


def test_resolving_needs_a_resolution(both: Both, one: pb.Incident) -> None:
    assert both.refused(pb.ResolveIncidentRequest(incident_id="INC-1")).violations == {
        "resolution": "REQUIRED"
    }
    empty = pb.ResolveIncidentRequest(incident_id="INC-1", resolution=pb.IncidentResolution())
    assert both.refused(empty).violations == {"resolution.root_cause": "REQUIRED"}


def test_reopening_what_is_open_and_what_is_not_there(both: Both, one: pb.Incident) -> None:
    path = f"{INCIDENTS}/INC-1/reopen"
    again = both.call(pb.ReopenIncidentRequest(incident_id="INC-1"))
    assert plain(again) == without_nothing(both.http.post(path, {}).json())
    unknown = both.refused(pb.ReopenIncidentRequest(incident_id="INC-9"))
    assert (unknown.code, unknown.reason) == (grpc.StatusCode.NOT_FOUND, "NOT_FOUND")
