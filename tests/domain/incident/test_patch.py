"""What changing an incident takes: every violation at once (S0-240..S0-243)."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import pytest

from domain.errors import Invalid, Violation
from domain.incident.patch import (
    LONGEST_SNOOZE,
    Assignment,
    Change,
    IncidentPatch,
    ReportedResolution,
    Snooze,
    snooze_violations,
)
from domain.incident.severity import Severity
from domain.incident.validation import LONGEST_NOTE
from domain.incident.values import Notifications, Resolution, ResolutionReason
from tests.domain.incident.incidents import MISSING, NOON, evidence


def codes(violations: Iterable[Violation]) -> dict[str, str]:
    return {one.field: one.code for one in violations}


def patched(**given: Any) -> dict[str, str]:
    try:
        IncidentPatch(**given).parse()
    except Invalid as invalid:
        return codes(invalid.violations)
    return {}


def test_an_empty_patch_changes_nothing() -> None:
    assert patched() == {}
    assert IncidentPatch().parse() == Change()


def test_what_a_patch_means() -> None:
    notifications = Notifications(jira_ticket="DATA-1")
    patch = IncidentPatch(
        status="ACKNOWLEDGED",
        severity="SEV_2",
        assigns=True,
        oncall_user="joe",
        signal_types=("VOLUME",),
        failure_signatures=(MISSING,),
        evidence_sample=(evidence(1),),
        notifications=notifications,
        rca_summary="a\nb",
        note="c",
    )
    assert patch.parse() == Change(
        acknowledge=True,
        assign=Assignment("joe"),
        severity=Severity.SEV_2,
        signals=("VOLUME",),  # type: ignore[arg-type]  # a name like any other
        signatures=(MISSING,),
        evidence=(evidence(1),),
        notifications=notifications,
        rca_summary="a\nb",
        note="c",
    )
    assert IncidentPatch(assigns=True).parse().assign == Assignment(None)
    assert IncidentPatch(status="OPEN").parse() == Change(reopen=True)


def test_everything_that_is_wrong_with_a_patch() -> None:
    assert patched(
        status="UNOPENED",
        severity="bad",
        oncall_user="x" * 255,
        signal_types=("SMELL",),
        failure_signatures=("x",),
        evidence_sample=("x",),
        notifications=Notifications("x" * 201, "\x00", "x" * 201),
        rca_summary="x" * 10_001,
        note="\x00",
        resolution=ReportedResolution(None, "x" * 4_001, "x" * 255, reason="LUCK"),
    ) == {
        "status": "UNKNOWN_VALUE",
        "severity": "UNKNOWN_VALUE",
        "oncall_user": "TOO_LONG",
        "signal_types[0]": "UNKNOWN_VALUE",
        "failure_signatures[0]": "MALFORMED",
        "evidence_sample[0]": "MALFORMED",
        "notification_state.pagerduty_incident_id": "TOO_LONG",
        "notification_state.slack_thread_ts": "MALFORMED",
        "notification_state.jira_ticket": "TOO_LONG",
        "rca_summary": "TOO_LONG",
        "note": "MALFORMED",
        "resolution": "INCONSISTENT",
        "resolution.root_cause": "REQUIRED",
        "resolution.mitigation": "TOO_LONG",
        "resolution.resolved_by": "TOO_LONG",
        "resolution.reason": "UNKNOWN_VALUE",
    }


def test_resolving_takes_a_resolution() -> None:
    assert patched(status="RESOLVED") == {"resolution": "REQUIRED"}
    assert patched(status="RESOLVED", resolution=ReportedResolution("x")) == {}


@pytest.mark.parametrize(
    ("said", "reason", "false_positive"),
    [
        ({}, ResolutionReason.OTHER, False),
        ({"false_positive": True}, ResolutionReason.FALSE_POSITIVE, True),
        ({"reason": "FALSE_POSITIVE"}, ResolutionReason.FALSE_POSITIVE, True),
        ({"reason": "FIXED", "false_positive": False}, ResolutionReason.FIXED, False),
    ],
)
def test_reasons(said: dict[str, Any], reason: ResolutionReason, false_positive: bool) -> None:
    reported = ReportedResolution("a deploy", **said)
    assert list(reported.violations("resolution")) == []
    expected = Resolution("a deploy", None, None, false_positive, reason)
    assert reported.resolution() == expected


@pytest.mark.parametrize(
    "said",
    [
        {"reason": "FIXED", "false_positive": True},
        {"reason": "FALSE_POSITIVE", "false_positive": False},
    ],
)
def test_a_reason_that_contradicts_itself(said: dict[str, Any]) -> None:
    reported = ReportedResolution("a deploy", **said)
    told = codes(reported.violations("resolution"))
    assert told == {"resolution.false_positive": "INCONSISTENT"}


@pytest.mark.parametrize(
    ("ahead", "codes"),
    [
        (timedelta(0), ["IN_THE_PAST"]),
        (timedelta(milliseconds=1), []),
        (LONGEST_SNOOZE, []),
        (LONGEST_SNOOZE + timedelta(milliseconds=1), ["OUT_OF_RANGE"]),
    ],
)
def test_a_snooze_ends_later_but_not_too_late(ahead: timedelta, codes: list[str]) -> None:
    found = snooze_violations(Snooze(NOON + ahead), at=NOON)
    assert [one.code for one in found] == codes


def test_a_reason_to_snooze_may_be_too_long_and_waking_needs_no_moment() -> None:
    assert [*snooze_violations(Snooze(None), at=NOON)] == []
    (found,) = snooze_violations(Snooze(None, "x" * (LONGEST_NOTE + 1)), at=NOON)
    assert (found.field, found.code) == ("reason", "TOO_LONG")


def test_a_blank_note_says_nothing() -> None:
    assert patched(note="\n") == {"note": "REQUIRED"}
