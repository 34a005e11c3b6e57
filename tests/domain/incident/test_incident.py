"""What may become of an incident, and what is refused (S0-052..S0-060)."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import reduce

import pytest
from attrs import evolve

from domain.errors import AlreadyExists, Impossible, VersionMismatch
from domain.ids import SignalType
from domain.incident.decisions import MOST_EVIDENCE, MOST_SIGNALS, Incident
from domain.incident.incident import (
    Acknowledged,
    Assigned,
    EvidenceAttached,
    Explained,
    IncidentFact,
    Merged,
    Noted,
    NotificationsLinked,
    Opened,
    Reopened,
    Resolved,
    SeverityChanged,
    SignalsAttached,
    SignaturesAttached,
    Snoozed,
    Woken,
)
from domain.incident.severity import Severity
from domain.incident.values import IncidentStatus, Notifications
from tests.domain.incident.incidents import (
    COMPLIANCE,
    FIXED,
    FRESHNESS,
    LATE,
    MISSING,
    NOON,
    ONE,
    ORDERS,
    TWO,
    case,
    evidence,
)

TITLE = "Contract breach on orders:order_created - MISSING_FIELD:customer_id"
OPENED = Opened(
    dataset=ORDERS,
    signals=(COMPLIANCE,),
    signatures=(MISSING,),
    severity=Severity.SEV_1,
    title=TITLE,
    owner_team="orders-platform",
    at=NOON,
    evidence=(evidence(1),),
    primary_evidence=evidence(1),
)
ACKNOWLEDGED = Acknowledged(NOON)
RESOLVED = Resolved(FIXED, NOON)
REOPENED = Reopened(NOON, "again")

Decision = Callable[[Incident], Sequence[IncidentFact]]


def given(*facts: IncidentFact) -> Incident:
    return reduce(Incident.after, facts, Incident())


def opened(**more: object) -> Sequence[IncidentFact]:
    return Incident().open(ONE, case(**more), owner_team="orders-platform", at=NOON)  # type: ignore[arg-type]  # any of Case's fields


def test_opening() -> None:
    assert opened(evidence=(evidence(1),)) == [OPENED]


@pytest.mark.parametrize(
    ("signal", "told"),
    [
        ("CONTRACT_COMPLIANCE", "Contract breach"),
        ("FRESHNESS", "Freshness breach"),
        ("PII", "PII breach"),
        ("CUSTOM_NULL_RATE", "Null rate breach"),
    ],
)
def test_the_title_is_made_as_the_design_does(signal: str, told: str) -> None:
    """S0-241"""
    title = f"{told} on orders:order_created - MISSING_FIELD:customer_id"
    assert case(signals=[SignalType(signal)]).headline == title
    assert case(title="Orders are broken").headline == "Orders are broken"


def test_the_primary_evidence_is_part_of_the_sample() -> None:
    (fact,) = opened(evidence=(evidence(1),), primary_evidence=evidence(2))
    assert isinstance(fact, Opened)
    assert (fact.primary_evidence, fact.evidence) == (evidence(2), (evidence(2), evidence(1)))


def test_a_name_is_used_once() -> None:
    for facts in ([OPENED], [OPENED, RESOLVED]):
        with pytest.raises(AlreadyExists):
            given(*facts).open(ONE, case(), owner_team="x", at=NOON)


LATER = NOON + timedelta(hours=4)
TICKET = Notifications(jira_ticket="DATA-4521")

EVERYTHING: dict[str, tuple[Decision, IncidentFact]] = {
    "acknowledge": (lambda it: it.acknowledge(at=NOON), ACKNOWLEDGED),
    "assign": (lambda it: it.assign("joe"), Assigned("joe")),
    "change_severity": (
        lambda it: it.change_severity(Severity.SEV_2),
        SeverityChanged(Severity.SEV_2),
    ),
    "note": (lambda it: it.note("looking"), Noted("looking")),
    "explain": (lambda it: it.explain("a deploy"), Explained("a deploy")),
    "link": (lambda it: it.link_notifications(TICKET), NotificationsLinked(TICKET)),
    "attach_signals": (
        lambda it: it.attach_signals([COMPLIANCE, FRESHNESS, FRESHNESS]),
        SignalsAttached((FRESHNESS,)),
    ),
    "attach_signatures": (
        lambda it: it.attach_signatures([LATE, MISSING]),
        SignaturesAttached((LATE,)),
    ),
    "attach_evidence": (
        lambda it: it.attach_evidence([evidence(1), evidence(2)]),
        EvidenceAttached((evidence(2),)),
    ),
    "snooze": (lambda it: it.snooze(LATER, "deploying"), Snoozed(LATER, "deploying")),
    "merge": (lambda it: it.merge(TWO, "same", at=NOON), Merged(TWO, NOON, "same")),
    "resolve": (lambda it: it.resolve(FIXED, at=NOON), RESOLVED),
}

WHILE_OPEN = {
    "acknowledge",
    "assign",
    "change_severity",
    "attach_signals",
    "attach_signatures",
    "attach_evidence",
    "snooze",
    "merge",
}


@pytest.mark.parametrize("what", EVERYTHING)
def test_an_open_incident_takes_everything_once(what: str) -> None:
    decide, fact = EVERYTHING[what]
    assert decide(given(OPENED)) == [fact]
    assert decide(given(OPENED, fact)) == []


@pytest.mark.parametrize("what", sorted(EVERYTHING.keys() - {"acknowledge"}))
def test_so_does_an_acknowledged_one(what: str) -> None:
    decide, fact = EVERYTHING[what]
    assert decide(given(OPENED, ACKNOWLEDGED)) == [fact]


@pytest.mark.parametrize("what", EVERYTHING)
def test_nothing_happens_to_what_was_never_opened(what: str) -> None:
    with pytest.raises(Impossible) as told:
        EVERYTHING[what][0](Incident())
    assert told.value.status == "UNOPENED"


@pytest.mark.parametrize("what", sorted(WHILE_OPEN))
def test_a_resolved_incident_is_left_as_it_was(what: str) -> None:
    with pytest.raises(Impossible) as told:
        EVERYTHING[what][0](given(OPENED, RESOLVED))
    assert (told.value.what, told.value.status) == ("incident", "RESOLVED")
    assert told.value.attempted


@pytest.mark.parametrize("what", ["note", "explain", "link"])
def test_what_is_learnt_later_may_be_added_to_a_resolved_incident(what: str) -> None:
    decide, fact = EVERYTHING[what]
    assert decide(given(OPENED, RESOLVED)) == [fact]


def test_another_resolution_of_a_resolved_incident_is_refused() -> None:
    with pytest.raises(Impossible):
        given(OPENED, RESOLVED).resolve(evolve(FIXED, root_cause="no"), at=NOON)


def test_notifications_are_linked_one_by_one() -> None:
    thread = Notifications(slack_thread_ts="1705315215.123456")
    incident = given(OPENED, NotificationsLinked(TICKET), NotificationsLinked(thread))
    assert incident.notifications == Notifications(None, "1705315215.123456", "DATA-4521")
    both = Notifications("PD-1", jira_ticket="DATA-4521")
    assert incident.link_notifications(both) == [NotificationsLinked(Notifications("PD-1"))]


def test_nobody_may_be_on_call() -> None:
    assert given(OPENED).assign(None) == []
    assert given(OPENED, Assigned("joe")).assign(None) == [Assigned(None)]


def test_evidence_is_a_sample() -> None:
    many = [evidence(n) for n in range(2, MOST_EVIDENCE + 10)]
    (fact,) = given(OPENED).attach_evidence(many)
    assert fact == EvidenceAttached(tuple(many[: MOST_EVIDENCE - 1]))
    assert given(OPENED, fact).attach_evidence([evidence(9999)]) == []


def test_signals_have_a_limit() -> None:
    many = [SignalType(f"CUSTOM_{n}") for n in range(MOST_SIGNALS)]
    with pytest.raises(Impossible):
        given(OPENED).attach_signals(many)


# Snoozing.


def test_waking() -> None:
    assert given(OPENED).wake() == []
    assert given(OPENED, Snoozed(LATER)).wake("look") == [Woken("look")]
    assert given(OPENED, Snoozed(LATER), Woken()).wake() == []
    with pytest.raises(Impossible):
        Incident().wake()


def test_a_snooze_can_be_moved_and_ends_with_the_resolution() -> None:
    even_later = LATER + timedelta(hours=1)
    assert given(OPENED, Snoozed(LATER)).snooze(even_later) == [Snoozed(even_later)]
    assert given(OPENED, Snoozed(LATER), RESOLVED, REOPENED).snoozed_until is None


# Reopening.


def test_reopening() -> None:
    incident = given(OPENED, ACKNOWLEDGED, RESOLVED)
    assert incident.reopen("again", at=NOON) == [REOPENED]
    again = given(OPENED, ACKNOWLEDGED, RESOLVED, REOPENED)
    assert (again.status, again.resolution, again.resolved_at) == (IncidentStatus.OPEN, None, None)
    assert again.reopen("again", at=NOON) == []


def test_reopening_has_its_time() -> None:
    incident, week = given(OPENED, RESOLVED), timedelta(days=7)
    assert incident.reopen(at=NOON + week)
    with pytest.raises(Impossible) as told:
        incident.reopen(at=NOON + week + timedelta(milliseconds=1))
    assert "7 days" in str(told.value)
    assert incident.reopen(at=NOON + 2 * week, within=2 * week)


@pytest.mark.parametrize("facts", [(), (OPENED, ACKNOWLEDGED)])
def test_only_what_was_resolved_is_reopened(facts: tuple[IncidentFact, ...]) -> None:
    with pytest.raises(Impossible) as told:
        given(*facts).reopen(at=NOON)
    assert told.value.attempted == "reopen"


def test_a_reopened_incident_can_be_resolved_in_another_way() -> None:
    other = evolve(FIXED, root_cause="another one")
    incident = given(OPENED, RESOLVED, REOPENED)
    assert incident.resolve(other, at=NOON) == [Resolved(other, NOON)]


def test_every_fact_counts_a_version() -> None:
    incident = given(OPENED, ACKNOWLEDGED, RESOLVED, REOPENED)
    assert incident.version == 4
    incident.must_be_at(4)
    incident.must_be_at(-1)
    with pytest.raises(VersionMismatch):
        incident.must_be_at(3)
