"""The IncidentService, compared with what HTTP answers (S0-140..S0-144)."""

from datetime import timedelta
from typing import Any

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from entrypoints.grpc.messages import incidents_pb2 as pb
from entrypoints.grpc.messages.common_pb2 import ReadOptions
from entrypoints.grpc.moments import timestamp
from tests.entrypoints.grpc.alike import in_json, plain, without_nothing
from tests.entrypoints.grpc.both import Both
from tests.entrypoints.http.api import EVIDENCE, NOON, NOW, ORDERS, fields, update

INCIDENTS = "/api/v1/incidents"
PAYMENTS = "urn:dp:payments:payment_processed:v1"
MISSING, LATE = "MISSING_FIELD:customer_id", "LATE_DATA:processed_at"
FIXED = pb.IncidentResolution(root_cause="v3.17 dropped a field", mitigation="rolled back")
TOO_LATE = Timestamp(seconds=253402300800)


@pytest.fixture(autouse=True)
def breached(both: Both) -> None:
    """Two datasets in breach."""
    for dataset in (ORDERS, PAYMENTS):
        path = both.http.registered(dataset_urn=dataset)
        told = both.http.put(f"{path}/signals/CONTRACT_COMPLIANCE", update(0, "CRITICAL"))
        assert told.status_code == 200


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


@pytest.fixture
def one(both: Both) -> pb.Incident:
    told: pb.Incident = both.call(request())
    return told


@pytest.fixture
def two(both: Both, one: pb.Incident) -> pb.Incident:
    other = {"primary_dataset_urn": PAYMENTS, "failure_signatures": [LATE], "severity": "SEV_2"}
    told: pb.Incident = both.call(request(incident_id="INC-2", **other))
    return told


def over_http(both: Both, path: str, **more: Any) -> Any:
    answer = both.http.get(f"{INCIDENTS}{path}", **more)
    assert answer.status_code == 200, answer.text
    return without_nothing(answer.json())


def as_http_has_it(both: Both, told: pb.Incident) -> bool:
    assert told.answer.position
    return bool(plain(told) == over_http(both, f"/{told.incident_id}"))


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


def test_moments_that_nobody_can_tell(both: Both, one: pb.Incident) -> None:
    producer = pb.ImplicatedProducer(producer_id="x", deployed_at=Timestamp(nanos=-1))
    refused = both.refused(request(implicated_producer=producer))
    assert refused.violations == {"implicated_producer.deployed_at": "MALFORMED"}
    refused = both.refused(pb.SnoozeIncidentRequest(incident_id="INC-1", until=TOO_LATE))
    assert refused.violations == {"until": "MALFORMED"}
    listed = pb.ListIncidentsRequest(to=TOO_LATE, options=ReadOptions(as_of=TOO_LATE))
    assert both.refused(listed).violations == {"to": "MALFORMED", "as_of": "MALFORMED"}


def test_a_name_that_is_taken(both: Both, one: pb.Incident) -> None:
    refused = both.refused(request(failure_signatures=[LATE]))
    assert refused.code is grpc.StatusCode.ALREADY_EXISTS
    assert refused.data["current_version"] == "1"


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
    told = both.call(pb.ReopenIncidentRequest(incident_id="INC-1", because="it is back"))
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


def test_snoozing_and_waking(both: Both, one: pb.Incident) -> None:
    until = timestamp(NOW + timedelta(hours=4))
    told = both.call(
        pb.SnoozeIncidentRequest(incident_id="INC-1", until=until, because="deploying")
    )
    assert told.snoozed_until == until
    assert as_http_has_it(both, told)
    told = both.call(pb.WakeIncidentRequest(incident_id="INC-1", expected_version=told.version))
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
    assert (refused.code, refused.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "IMPOSSIBLE")
    assert refused.data == {"current_status": "RESOLVED"}


def test_waking_what_is_awake(both: Both, one: pb.Incident) -> None:
    told = both.call(pb.WakeIncidentRequest(incident_id="INC-1"))
    assert (told.version, told.answer.position) == (1, one.answer.position)
    stale = both.refused(pb.WakeIncidentRequest(incident_id="INC-1", expected_version=9))
    assert stale.code is grpc.StatusCode.ABORTED


def test_merging_and_splitting(both: Both, two: pb.Incident) -> None:
    told = both.call(pb.MergeIncidentRequest(incident_id="INC-2", into="INC-1", because="same"))
    assert (told.status, told.merged_into) == ("RESOLVED", "INC-1")
    assert as_http_has_it(both, told)
    into = both.call(pb.GetIncidentRequest(incident_id="INC-1"))
    assert [merged.incident_id for merged in into.merged_incidents] == ["INC-2"]
    assert as_http_has_it(both, into)
    told = both.call(pb.SplitIncidentRequest(incident_id="INC-2", because="no"))
    assert (told.status, told.merged_into) == ("OPEN", "")
    assert as_http_has_it(both, told)


def test_merging_with_itself_or_with_nothing(both: Both, one: pb.Incident) -> None:
    itself = pb.MergeIncidentRequest(incident_id="INC-1", into="INC-1")
    assert both.refused(itself).violations == {"into": "INCONSISTENT"}
    nothing = pb.MergeIncidentRequest(incident_id="INC-1", because="x" * 4001)
    assert both.refused(nothing).violations == {"into": "REQUIRED", "because": "TOO_LONG"}
    unmerged = both.refused(pb.SplitIncidentRequest(incident_id="INC-1"))
    assert unmerged.code is grpc.StatusCode.FAILED_PRECONDITION


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
    assert (refused.code, refused.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "NOT_YET")


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
    assert [entry.what for entry in told.timeline] == ["OPENED", "ABSORBED", "NOTED", "RESOLVED"]
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
    assert [entry.what for entry in timeline] == ["OPENED", "NOTED"]


def test_what_was_written_can_be_waited_for(both: Both, one: pb.Incident) -> None:
    wait = ReadOptions(min_position=one.answer.position)
    listed = both.call(pb.ListIncidentsRequest(options=wait))
    assert [shown.incident_id for shown in listed.incidents] == ["INC-1"]
