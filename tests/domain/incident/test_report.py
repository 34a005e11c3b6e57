"""What opening and changing an incident takes: every violation at once (S0-240..S0-243)."""

from datetime import timedelta
from typing import Any

import pytest

from domain.dataset.config import DatasetConfig, Registered, Retired
from domain.dataset.settings import Settings
from domain.ids import IncidentId
from domain.incident.patch import Assignment, Change, Snooze
from domain.incident.report import (
    LONGEST_NOTE,
    LONGEST_SNOOZE,
    IncidentPatch,
    IncidentReport,
    ReportedImplication,
    ReportedResolution,
    merge_violations,
    snooze_violations,
    unusable,
)
from domain.incident.severity import Severity
from domain.incident.values import Case, Implicated, Notifications, Reason, Resolution
from domain.signal.evaluation import Confidence, Producer
from tests.domain.incident.incidents import COMPLIANCE, MISSING, NOON, ORDERS, evidence


def report(**given: Any) -> IncidentReport:
    said: dict[str, Any] = {
        "dataset_urn": ORDERS,
        "signal_types": (COMPLIANCE,),
        "failure_signatures": (MISSING,),
        "severity": "SEV_1",
        **given,
    }
    return IncidentReport(**said)


def codes(violations: Any) -> dict[str, str]:
    return {one.field: one.code for one in violations}


def wrong(**given: Any) -> dict[str, str]:
    return codes(report(**given).violations(at=NOON))


def patched(**given: Any) -> dict[str, str]:
    return codes(IncidentPatch(**given).violations())


def test_a_plain_report() -> None:
    assert wrong() == {}
    assert report().case() == Case(ORDERS, (COMPLIANCE,), (MISSING,), Severity.SEV_1)


def test_a_full_report() -> None:
    full = report(
        incident_id="INC-7721",
        title="Orders are broken",
        signal_types=("VOLUME", "VOLUME"),
        implicated=ReportedImplication("orders-svc", "v3.17", "HIGH", NOON),
        primary_evidence_id=evidence(1),
        evidence_sample=(evidence(2), evidence(2)),
    )
    assert codes(full.violations(at=NOON)) == {}
    case = full.case()
    assert (case.title, case.signals) == ("Orders are broken", ("VOLUME",))
    assert case.implicated == Implicated(Producer("orders-svc", "v3.17", Confidence.HIGH), NOON)
    assert (case.primary_evidence, case.evidence) == (evidence(1), (evidence(2),))


def test_everything_that_is_wrong_at_once() -> None:
    assert wrong(
        incident_id="7721",
        dataset_urn="orders",
        signal_types=("VOLUME", "SMELL"),
        failure_signatures=("broken",),
        severity="SEV_9",
        title="x" * 501,
        implicated=ReportedImplication(None, "v", "SURE", NOON + timedelta(hours=2)),
        primary_evidence_id="x",
        evidence_sample=(evidence(1), "x"),
    ) == {
        "incident_id": "MALFORMED",
        "primary_dataset_urn": "MALFORMED",
        "signal_types[1]": "UNKNOWN_VALUE",
        "failure_signatures[0]": "MALFORMED",
        "severity": "UNKNOWN_VALUE",
        "title": "TOO_LONG",
        "implicated_producer.producer_id": "REQUIRED",
        "implicated_producer.confidence": "UNKNOWN_VALUE",
        "implicated_producer.deployed_at": "IN_THE_FUTURE",
        "primary_evidence_id": "MALFORMED",
        "evidence_sample[1]": "MALFORMED",
    }


def test_what_must_be_said() -> None:
    assert wrong(signal_types=(), failure_signatures=(), severity=None) == {
        "signal_types": "REQUIRED",
        "failure_signatures": "REQUIRED",
        "severity": "REQUIRED",
    }


def test_how_much_may_be_said() -> None:
    assert wrong(
        signal_types=("VOLUME",) * 11,
        failure_signatures=(MISSING,) * 11,
        evidence_sample=(evidence(1),) * 11,
    ) == dict.fromkeys(("signal_types", "failure_signatures", "evidence_sample"), "TOO_MANY")


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        ([], ["NOT_REGISTERED"]),
        ([Registered(ORDERS, Settings())], []),
        ([Registered(ORDERS, Settings()), Retired()], ["RETIRED"]),
    ],
)
def test_the_dataset_must_be_in_service(facts: list[Any], code: list[str]) -> None:
    dataset = DatasetConfig()
    for fact in facts:
        dataset = dataset.after(fact)
    assert [one.code for one in unusable(dataset)] == code


def test_an_empty_patch_changes_nothing() -> None:
    assert patched() == {}
    assert IncidentPatch().change() == Change()


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
    assert codes(patch.violations()) == {}
    assert patch.change() == Change(
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
    assert IncidentPatch(assigns=True).change().assign == Assignment(None)
    assert IncidentPatch(status="OPEN").change() == Change(reopen=True)


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
        ({}, Reason.OTHER, False),
        ({"false_positive": True}, Reason.FALSE_POSITIVE, True),
        ({"reason": "FALSE_POSITIVE"}, Reason.FALSE_POSITIVE, True),
        ({"reason": "FIXED", "false_positive": False}, Reason.FIXED, False),
    ],
)
def test_reasons(said: dict[str, Any], reason: Reason, false_positive: bool) -> None:
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


# Snoozing and merging.


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
    assert (found.field, found.code) == ("because", "TOO_LONG")


@pytest.mark.parametrize(
    ("into", "code"), [("", "REQUIRED"), ("INC 2", "MALFORMED"), ("INC-1", "INCONSISTENT")]
)
def test_what_an_incident_cannot_be_merged_into(into: str, code: str) -> None:
    (found,) = merge_violations(IncidentId("INC-1"), IncidentId(into), None)
    assert (found.field, found.code) == ("into", code)
    assert not [*merge_violations(IncidentId("INC-1"), IncidentId("INC-2"), "same")]


def test_blank_words_say_nothing() -> None:
    assert [one.field for one in report(title=" ").violations(at=NOON)] == ["title"]
    assert [one.field for one in IncidentPatch(note="\n").violations()] == ["note"]
