"""Which facts other systems are told of, and in which words (S0-252..S0-254)."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import ValidationError  # type: ignore[import-untyped]

from application.reads.position import Position
from application.recorded import ERASED
from domain.dataset.tier import Tier
from domain.incident.patch import Assignment, Snooze
from domain.incident.severity import Severity
from domain.incident.values import Notifications, Resolution, ResolutionReason
from domain.signal.evaluation import SignalStateEnum
from domain.stream_categories import signal_stream
from domain.timestamps import stamp
from tests.application.delivery.published_events import (
    announcements,
    documents,
    essence,
    events_of,
    fitting,
)
from tests.application.projections.story import (
    FRESHNESS,
    LATE,
    NOON,
    ONE,
    ORDERS,
    PAYMENTS,
    TWO,
    Story,
    registered,
)
from tests.application.projections.test_any_story import chapters, told
from tests.support.scale import scaled

OK, WARNING, CRITICAL, UNKNOWN = (
    SignalStateEnum.OK,
    SignalStateEnum.WARNING,
    SignalStateEnum.CRITICAL,
    SignalStateEnum.UNKNOWN,
)


def transitions(story: Story) -> list[tuple[str, str]]:
    return [
        (one["previous_state"], one["new_state"])
        for one in documents(story.facts)
        if one["event_type"] == "SIGNAL_STATE_CHANGED"
    ]


def last(story: Story) -> dict[str, object]:
    return essence(documents(story.facts)[-1])


# Signals.


def test_a_signal_that_changes_its_state() -> None:
    story = registered().evaluate(OK).evaluate(CRITICAL, hour=1)
    recorded = story.facts[-1]
    assert documents(story.facts)[-1] == {
        "event_id": recorded.event_id.hex(),
        "event_type": "SIGNAL_STATE_CHANGED",
        "schema_version": 1,
        "position": Position(recorded.position).token(),
        "dataset_urn": ORDERS,
        "signal_type": FRESHNESS,
        "previous_state": "OK",
        "new_state": "CRITICAL",
        "failure_signature": None,
        "version": 2,
        "timestamp": stamp(recorded.at),
    }


def test_what_stays_as_it_was_is_not_told() -> None:
    story = registered().evaluate(OK).evaluate(OK, hour=1).evaluate(CRITICAL, hour=2)
    assert transitions(story.evaluate(CRITICAL, hour=3)) == [("UNKNOWN", "OK"), ("OK", "CRITICAL")]


def test_a_signal_that_begins_as_unknown_is_not_told() -> None:
    assert transitions(registered().evaluate(UNKNOWN).evaluate(OK, hour=1)) == [("UNKNOWN", "OK")]


def test_a_late_window_that_changes_only_since_when_is_not_told() -> None:
    story = registered().evaluate(OK).evaluate(CRITICAL, hour=2).evaluate(CRITICAL, hour=1)
    assert story.facts[-1].fact.moved is not None
    assert transitions(story) == [("UNKNOWN", "OK"), ("OK", "CRITICAL")]


def test_another_verdict_on_the_latest_window_follows_what_was_told_before() -> None:
    story = registered().evaluate(OK).evaluate(CRITICAL, hour=2).evaluate(WARNING, hour=2)
    shown = story.facts[-1].fact.moved
    if shown is None:  # the other verdict's digest happens to be the greater one
        story = registered().evaluate(OK).evaluate(WARNING, hour=2).evaluate(CRITICAL, hour=2)
    chain = transitions(story)
    assert len(chain) == 3
    assert chain[-1][0] == chain[-2][1] != chain[-1][1]


def test_a_signal_that_was_silent_for_long_goes_on_from_what_was_told() -> None:
    story = registered().evaluate(CRITICAL).evaluate(OK, hour=100)
    assert story.facts[-1].fact.moved.previous_state is None
    assert transitions(story) == [("UNKNOWN", "CRITICAL"), ("CRITICAL", "OK")]


# Incidents.


def test_an_incident_that_opens() -> None:
    story = registered().open(ONE)
    assert last(story) == {
        "event_type": "INCIDENT_CREATED",
        "dataset_urn": ORDERS,
        "incident_id": ONE,
        "severity": "SEV_1",
        "signal_types": [FRESHNESS],
        "owner_team": "first",
    }


@pytest.mark.parametrize(
    ("wanted", "told_so"),
    [
        ({"acknowledge": True}, {"changed_fields": ["status"], "status": "ACKNOWLEDGED"}),
        ({"severity": Severity.SEV_3}, {"changed_fields": ["severity"], "severity": "SEV_3"}),
        ({"assign": Assignment("jane")}, {"changed_fields": ["oncall_user"]}),
        ({"note": "looking into it"}, {"changed_fields": ["notes"]}),
        ({"rca_summary": "a deploy"}, {"changed_fields": ["rca_summary"]}),
        (
            {"notifications": Notifications(jira_ticket="DATA-1")},
            {"changed_fields": ["notification_state.jira_ticket"]},
        ),
        ({"snooze": Snooze(NOON)}, {"changed_fields": ["snoozed_until"]}),
    ],
)
def test_an_incident_that_changes(wanted: dict[str, object], told_so: dict[str, object]) -> None:
    assert last(registered().open(ONE).change(ONE, **wanted)) == {
        "event_type": "INCIDENT_UPDATED",
        "dataset_urn": ORDERS,
        "incident_id": ONE,
        **told_so,
    }


def test_an_incident_that_is_resolved_and_opened_again() -> None:
    resolution = Resolution("a deploy", resolved_by="jane", reason=ResolutionReason.ROLLED_BACK)
    story = registered().open(ONE).change(ONE, resolution=resolution)
    resolved = {"event_type": "INCIDENT_RESOLVED", "dataset_urn": ORDERS, "incident_id": ONE}
    assert last(story) == {**resolved, "reason": "ROLLED_BACK"}
    story.change(ONE, reopen=True)
    assert last(story)["event_type"] == "INCIDENT_UPDATED"
    assert last(story)["status"] == "OPEN"


def test_incidents_that_are_merged_and_split() -> None:
    story = registered().register(PAYMENTS).open(ONE).open(TWO, LATE, dataset=PAYMENTS)
    before = len(story.facts)
    story.merge(ONE, TWO)
    merged = [essence(one) for one in documents(story.facts)][-2:]
    assert {
        "event_type": "INCIDENT_RESOLVED",
        "dataset_urn": ORDERS,
        "incident_id": ONE,
        "reason": "DUPLICATE",
        "merged_into": TWO,
    } in merged
    assert len(story.facts) > before
    story.split(ONE)
    assert {
        "event_type": "INCIDENT_UPDATED",
        "dataset_urn": ORDERS,
        "incident_id": ONE,
        "changed_fields": ["status", "merged_into"],
        "status": "OPEN",
    } in [essence(one) for one in documents(story.facts)]


def test_no_event_of_an_incident_names_a_person() -> None:
    resolution = Resolution("a deploy", resolved_by="joan@company.example")
    story = registered().open(ONE)
    story.by = "joan@company.example"
    story.change(ONE, assign=Assignment("joan@company.example"), note="joan@company.example asks")
    story.change(ONE, resolution=resolution)
    assert "joan" not in str(documents(story.facts))


# Datasets.


def test_a_dataset_that_is_registered_and_changed() -> None:
    story = registered(description="all orders")
    assert last(story) == {
        "event_type": "DATASET_CONFIG_CHANGED",
        "dataset_urn": ORDERS,
        "changed_fields": ["status", "description", "tier", "owner_team"],
        "config_version": 1,
        "updated_by": "jane",
    }
    assert last(story.reconfigure(tier=Tier.TIER_1)) == {
        "event_type": "DATASET_CONFIG_CHANGED",
        "dataset_urn": ORDERS,
        "changed_fields": ["tier"],
        "config_version": 2,
        "updated_by": "jane",
    }


def test_what_leaves_the_version_as_it_is() -> None:
    story = registered().reconfigure(tier=Tier.TIER_1).add_rule("raw.a").retire()
    assert [
        (one["changed_fields"], one["config_version"]) for one in documents(story.facts)[-2:]
    ] == [(["resolution_rules"], 2), (["status"], 2)]


def test_whoever_was_erased_is_not_named() -> None:
    story = registered()
    story.by = ERASED
    assert last(story.retire())["updated_by"] == ERASED


# Any story.


@settings(max_examples=scaled(60, 1000), deadline=None)
@given(st.lists(chapters, max_size=25))
def test_any_story_is_told_in_the_words_of_the_contract(
    chapters: list[tuple[object, dict[str, object]]],
) -> None:
    story = told(chapters)
    events = events_of(story.facts)
    shown = {event.stream: fitting(event.document()).get("new_state") for event in events}
    for event in events:
        assert event.event_id == story.facts[event.position - 1].event_id.hex()
    # The last event of a signal tells the state it is in, and its events form a chain.
    for stream, state in story._states.items():
        if stream.startswith("signal-") and state.standing is not None:
            assert shown.get(stream, "UNKNOWN") == state.standing.state
    chain: dict[str, str] = {}
    for event in events:
        if event.stream.startswith("signal-"):
            assert event.told["previous_state"] == chain.get(event.stream, "UNKNOWN")
            chain[event.stream] = event.told["new_state"]


@settings(max_examples=scaled(30, 300), deadline=None)
@given(st.lists(chapters, max_size=25), st.integers(0, 40))
def test_whoever_asks_later_is_told_the_same(
    chapters: list[tuple[object, dict[str, object]]], since: int
) -> None:
    facts = told(chapters).facts
    fresh = asyncio.run(announcements(facts).of_all(facts[since:]))
    assert fresh == [event for event in events_of(facts) if event.position > since]


def test_the_schema_refuses_what_it_does_not_know() -> None:
    document = documents(registered().facts)[-1]
    for wrong in ({**document, "more": 1}, {**document, "event_type": "ELSE"}):
        with pytest.raises(ValidationError):
            fitting(wrong)


def test_a_signal_is_found_by_its_stream() -> None:
    story = registered().evaluate(CRITICAL)
    assert events_of(story.facts)[-1].stream == signal_stream(ORDERS, FRESHNESS)
