"""Reading incidents over gRPC, compared with what HTTP answers (S0-142, S0-144)."""

from datetime import timedelta

import grpc

from entrypoints.grpc.fields.timestamps import timestamp
from entrypoints.grpc.messages import incidents_pb2 as pb
from entrypoints.grpc.messages.common_pb2 import ReadOptions
from tests.entrypoints.grpc.incidents.calls import (
    FIXED,
    PAYMENTS,
    as_http_has_it,
    listing,
    over_http,
)
from tests.entrypoints.grpc.support.alike import plain, without_nothing
from tests.entrypoints.grpc.support.both import Both
from tests.entrypoints.http.api import NOON, NOW


def test_reading_one(both: Both, one: pb.Incident) -> None:
    """S0-142"""
    told = both.call(pb.GetIncidentRequest(incident_id="INC-1"))
    assert as_http_has_it(both, told)
    assert told.answer.age_seconds == 0
    both.http.clock.at += timedelta(hours=1)
    both.call(pb.UpdateIncidentRequest(incident_id="INC-1", note="later"))
    past = ReadOptions(as_of=timestamp(NOW))
    then = both.call(pb.GetIncidentRequest(incident_id="INC-1", options=past))
    assert (then.version, then.answer.as_of) == (1, timestamp(NOW))
    strong = ReadOptions(strong=True)
    assert both.call(pb.GetIncidentRequest(incident_id="INC-1", options=strong)).version == 2


def test_reading_what_is_not_there_or_not_yet(both: Both) -> None:
    unknown = both.refused(pb.GetIncidentRequest(incident_id="INC-1"))
    assert unknown.code is grpc.StatusCode.NOT_FOUND
    options = ReadOptions(as_of=timestamp(NOW), strong=True, min_position="x")
    refused = both.refused(pb.GetIncidentRequest(incident_id="x", options=options))
    assert refused.violations == {
        "incident_id": "MALFORMED",
        "strong": "INCONSISTENT",
        "min_position": "MALFORMED",
    }
    ahead = ReadOptions(as_of=timestamp(NOW + timedelta(days=1)))
    refused = both.refused(pb.GetIncidentRequest(incident_id="INC-1", options=ahead))
    assert (refused.code, refused.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "AS_OF_IN_FUTURE")


def test_listing(both: Both, two: pb.Incident) -> None:
    for asked, parameters in (
        (pb.ListIncidentsRequest(), {}),
        (pb.ListIncidentsRequest(severities=["SEV_2", "SEV_2"]), {"severity": "SEV_2"}),
        (pb.ListIncidentsRequest(statuses=["RESOLVED"]), {"status": "RESOLVED"}),
        (pb.ListIncidentsRequest(dataset_urn=PAYMENTS), {"dataset_urn": PAYMENTS}),
        (pb.ListIncidentsRequest(owner_team="nobody"), {"owner_team": "nobody"}),
        (listing(from_=timestamp(NOW)), {"from": NOW.isoformat()}),
        (pb.ListIncidentsRequest(to=timestamp(NOON)), {"to": NOON.isoformat()}),
        (
            pb.ListIncidentsRequest(options=ReadOptions(as_of=timestamp(NOON))),
            {"as_of": NOON.isoformat()},
        ),
    ):
        told = both.call(asked)
        assert plain(told) == over_http(both, "", params=parameters)
        assert told.answer.position


def test_pages(both: Both, two: pb.Incident) -> None:
    first = both.call(pb.ListIncidentsRequest(page_size=1))
    assert first.next_page_token
    asked = pb.ListIncidentsRequest(page_size=100, page_token=first.next_page_token)
    second = both.call(asked)
    names = [one.incident_id for page in (first, second) for one in page.incidents]
    assert (names, second.next_page_token) == (["INC-1", "INC-2"], "")
    asked.owner_team = "another"
    assert both.refused(asked).violations == {"page_token": "MALFORMED"}


def test_lists_that_cannot_be(both: Both) -> None:
    asked = listing(
        statuses=["OPEN", "UNOPENED"],
        severities=[""],
        dataset_urn="x",
        owner_team="x" * 101,
        to=timestamp(NOON),
        page_size=101,
        page_token="é",
        options=ReadOptions(strong=True),
        from_=timestamp(NOW),
    )
    assert both.refused(asked).violations == {
        "statuses[1]": "UNKNOWN_VALUE",
        "severities[0]": "UNKNOWN_VALUE",
        "dataset_urn": "MALFORMED",
        "owner_team": "TOO_LONG",
        "from": "INCONSISTENT",
        "page_size": "OUT_OF_RANGE",
        "page_token": "MALFORMED",
        "strong": "UNSUPPORTED",
    }
    assert both.refused(pb.ListIncidentsRequest(page_size=-1)).violations == {
        "page_size": "OUT_OF_RANGE"
    }


def test_the_timeline(both: Both, two: pb.Incident) -> None:
    both.call(pb.MergeIncidentRequest(incident_id="INC-2", into="INC-1"))
    both.call(pb.ResolveIncidentRequest(incident_id="INC-1", resolution=FIXED, note="ok"))
    told = both.call(pb.GetIncidentTimelineRequest(incident_id="INC-1"))
    assert [entry.event_type for entry in told.timeline] == [
        "OPENED",
        "MERGED_IN",
        "NOTE_ADDED",
        "RESOLVED",
    ]
    in_http = over_http(both, "/INC-1/timeline")
    assert without_nothing({**plain(told), "incident_id": "INC-1"}) == in_http
    first = both.call(pb.GetIncidentTimelineRequest(incident_id="INC-1", page_size=3))
    assert first.timeline == told.timeline[:3]
    rest = pb.GetIncidentTimelineRequest(incident_id="INC-1", page_token=first.next_page_token)
    assert both.call(rest).timeline == told.timeline[3:]


def test_the_timeline_of_nothing(both: Both) -> None:
    asked = pb.GetIncidentTimelineRequest(incident_id="x", page_size=-5, page_token="x")
    assert both.refused(asked).violations == {
        "incident_id": "MALFORMED",
        "page_size": "OUT_OF_RANGE",
        "page_token": "MALFORMED",
    }
    unknown = both.refused(pb.GetIncidentTimelineRequest(incident_id="INC-1"))
    assert unknown.code is grpc.StatusCode.NOT_FOUND


def test_the_impact(both: Both, one: pb.Incident) -> None:
    told = both.call(pb.GetIncidentImpactRequest(incident_id="INC-1"))
    assert told.now.estimated_impact == "UNKNOWN"
    assert plain(told) == over_http(both, "/INC-1/impact")
    strong = pb.GetIncidentImpactRequest(incident_id="INC-1", options=ReadOptions(strong=True))
    assert both.refused(strong).violations == {"strong": "UNSUPPORTED"}
    unknown = both.refused(pb.GetIncidentImpactRequest(incident_id="INC-9"))
    assert unknown.code is grpc.StatusCode.NOT_FOUND


def test_what_was_written_can_be_waited_for(both: Both, one: pb.Incident) -> None:
    wait = ReadOptions(min_position=one.answer.position)
    listed = both.call(pb.ListIncidentsRequest(options=wait))
    assert [shown.incident_id for shown in listed.incidents] == ["INC-1"]
