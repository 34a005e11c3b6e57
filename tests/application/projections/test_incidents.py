"""Incidents on the board, and on the cards of their signals (S0-052..S0-062, S0-206)."""

from datetime import timedelta
from typing import Any

import pytest

from adapters.row_layouts.incident_rows import row_key
from application.incidents.read_model import IncidentKey, IncidentView, OpenFaults, OpenFaultsKey
from application.projections.incidents import IncidentCards
from application.projections.signals import SignalCards
from application.signals.read_model import SignalKey
from domain.ids import EvidenceId, IncidentId
from domain.incident.patch import Assignment, Snooze
from domain.incident.severity import Severity
from domain.incident.values import Concern, IncidentStatus, Notifications, Resolution, as_duplicate
from domain.retention import KEPT_FOR
from tests.application.projections.story import (
    FRESHNESS,
    LATE,
    MISSING,
    ONE,
    ORDERS,
    PAYMENTS,
    TWO,
    VOLUME,
    Story,
    registered,
    run,
)

BATCHES = pytest.mark.parametrize("most", [1, 2, 1000], ids="{}_a_batch".format)
DONE = Resolution("a deploy")
THREE = IncidentId("INC-3")
FIRST = EvidenceId("evd-01HQXY8MNP4QR7ST9VW2XYZ456")


def shown(story: Story, name: IncidentId = ONE, most: int = 1000) -> IncidentView:
    card: IncidentView = run(IncidentCards(), story, most=most).card(IncidentKey(name))
    return card


def linked(story: Story, most: int, signal: Any = FRESHNESS) -> str | None:
    card = run(SignalCards(), story, most=most).card(SignalKey(ORDERS, signal))
    incident: str | None = card.incident_id
    return incident


def held(story: Story, most: int) -> OpenFaults:
    card: OpenFaults = run(IncidentCards(), story, most=most).card(OpenFaultsKey(ORDERS))
    return card


def test_an_opened_incident() -> None:
    story = registered().evaluate().open(evidence=(FIRST,))
    opened = next(fact for fact in story.facts if fact.stream == "incident-INC-1")
    assert shown(story) == IncidentView(
        incident=ONE,
        status=IncidentStatus.OPEN,
        severity=Severity.SEV_1,
        title="Freshness breach on orders:order_created - MISSING_FIELD:customer_id",
        created_at=opened.at,
        updated_at=opened.at,
        dataset=ORDERS,
        signals=(FRESHNESS,),
        signatures=(MISSING,),
        owner_team="first",
        version=1,
        primary_evidence=FIRST,
        evidence=(FIRST,),
    )


@BATCHES
def test_everything_that_can_be_told(most: int) -> None:
    story = registered().evaluate().open()
    story.change(
        acknowledge=True,
        assign=Assignment("joe"),
        severity=Severity.SEV_2,
        signals=(VOLUME,),
        signatures=(LATE,),
        evidence=(FIRST,),
        notifications=Notifications("PD-1"),
        rca_summary="a deploy",
        note="only in the timeline",
    )
    story.change(notifications=Notifications(jira_ticket="DATA-1"))
    card = shown(story, most=most)
    assert (card.status, card.severity, card.oncall_user) == (
        IncidentStatus.ACKNOWLEDGED,
        Severity.SEV_2,
        "joe",
    )
    assert (card.signals, card.signatures) == ((FRESHNESS, VOLUME), (MISSING, LATE))
    assert (card.evidence, card.primary_evidence) == ((FIRST,), FIRST)
    assert card.notifications == Notifications("PD-1", None, "DATA-1")
    assert (card.rca_summary, card.version) == ("a deploy", 11)
    assert card.updated_at == story.now


@BATCHES
def test_how_long_it_took(most: int) -> None:
    story = registered().evaluate().open()
    card = shown(story, most=most)
    assert (card.mtta_seconds, card.mttr_seconds, card.ends_at) == (None, None, None)
    story.change(acknowledge=True).change(note="x").change(resolution=DONE)
    card = shown(story, most=most)
    # Opening recorded three facts: the incident, its slot and its link.
    assert (card.mtta_seconds, card.mttr_seconds) == (3.0, 5.0)
    assert card.ends_at == card.created_at + timedelta(seconds=5) + KEPT_FOR.incidents


@BATCHES
def test_reopening_clears_the_resolution(most: int) -> None:
    story = registered().evaluate().open().change(acknowledge=True).change(resolution=DONE)
    assert shown(story, most=most).resolution == DONE
    card = shown(story.change(reopen=True), most=most)
    assert (card.status, card.resolution) == (IncidentStatus.OPEN, None)
    assert (card.resolved_at, card.ends_at, card.mttr_seconds) == (None, None, None)
    assert card.mtta_seconds == 3.0


@BATCHES
def test_how_long_it_is_kept_is_a_policy(most: int) -> None:
    """S0-050, T2"""
    story = registered().evaluate().open().change(resolution=DONE)
    projection = IncidentCards(kept=timedelta(days=7))
    card = run(projection, story, most=most).card(IncidentKey(ONE))
    assert card.ends_at == card.resolved_at + timedelta(days=7)


@BATCHES
def test_facts_about_one_that_was_thrown_away_bring_nothing_back(most: int) -> None:
    """Expired rows may be gone: what is said of them later must not stop the others."""
    story = registered().evaluate().open(ONE).open(TWO, LATE).change(ONE, resolution=DONE)
    cards = run(IncidentCards(), story, most=most)
    cards.throw_away(row_key(IncidentKey(ONE)))
    story.wait(days=400).change(ONE, rca_summary="late insight").change(TWO, acknowledge=True)
    run(IncidentCards(), story, cards, most=most)
    assert cards.card(IncidentKey(ONE)) is None
    assert cards.card(IncidentKey(TWO)).status is IncidentStatus.ACKNOWLEDGED


@BATCHES
def test_signals_show_the_incident_linked_last(most: int) -> None:
    story = registered().evaluate()
    assert linked(story, most) is None
    assert linked(story.open(ONE, MISSING), most) == ONE
    assert linked(story.open(TWO, LATE), most) == TWO
    assert linked(story.evaluate(hour=1), most) == TWO
    assert linked(story.change(TWO, resolution=DONE), most) == ONE
    assert linked(story.change(ONE, resolution=DONE), most) is None
    assert linked(story.change(TWO, reopen=True), most) == TWO


@BATCHES
def test_links_change_nothing_else_of_a_signal(most: int) -> None:
    story = registered().evaluate()
    before = run(SignalCards(), story, most=most).card(SignalKey(ORDERS, FRESHNESS))
    after = run(SignalCards(), story.open(), most=most).card(SignalKey(ORDERS, FRESHNESS))
    assert (after.version, after.last_updated) == (before.version, before.last_updated)


@BATCHES
def test_a_signal_that_was_never_evaluated_gets_no_card(most: int) -> None:
    story = registered().open(signals=[VOLUME])
    assert run(SignalCards(), story, most=most).card(SignalKey(ORDERS, VOLUME)) is None


@BATCHES
def test_which_faults_have_an_open_incident(most: int) -> None:
    story = registered().evaluate().open(ONE, MISSING).open(TWO, LATE)
    assert held(story, most).held == {MISSING: ONE, LATE: TWO}
    assert held(story.change(ONE, resolution=DONE), most).held == {LATE: TWO}
    assert held(story.change(TWO, resolution=DONE), most).held == {}


@BATCHES
def test_a_merged_incident_and_the_one_that_absorbed_it(most: int) -> None:
    story = registered().evaluate().open(ONE, MISSING).open(TWO, LATE, severity=Severity.SEV_2)
    story.change(ONE, snooze=Snooze(story.now + timedelta(hours=1)))
    assert shown(story, ONE, most).snoozed_until == story.now - timedelta(seconds=1, hours=-1)
    story.merge(ONE, TWO)
    merged, other = shown(story, ONE, most), shown(story, TWO, most)
    assert (merged.status, merged.merged_into) == (IncidentStatus.RESOLVED, TWO)
    assert merged.resolution == as_duplicate(TWO)
    assert (merged.snoozed_until, merged.resolved_at is None) == (None, False)
    assert other.absorbed == {ONE: (Concern(ORDERS, (FRESHNESS,), (MISSING,)),)}
    assert other.severity is Severity.SEV_1
    assert held(story, most).held == {MISSING: TWO, LATE: TWO}
    assert linked(story, most) == TWO
    story.split(ONE)
    split, other = shown(story, ONE, most), shown(story, TWO, most)
    assert (split.status, split.merged_into, split.resolved_at) == (IncidentStatus.OPEN, None, None)
    assert other.absorbed == {}
    assert held(story, most).held == {MISSING: ONE, LATE: TWO}


@BATCHES
def test_what_is_attached_of_another_dataset(most: int) -> None:
    story = registered().register(PAYMENTS).evaluate().evaluate(dataset=PAYMENTS)
    story.open(ONE, MISSING).open(TWO, LATE, dataset=PAYMENTS).merge(TWO, ONE)
    story.open(THREE, LATE, MISSING, dataset=PAYMENTS, signals=[VOLUME], evidence=(FIRST,))
    card = shown(story, ONE, most)
    assert card.elsewhere == (Concern(PAYMENTS, (VOLUME,)), Concern(PAYMENTS, (), (MISSING,)))
    assert (card.signals, card.signatures) == ((FRESHNESS,), (MISSING,))
    assert (card.evidence, card.primary_evidence) == ((FIRST,), FIRST)


@BATCHES
def test_waking(most: int) -> None:
    story = registered().evaluate().open()
    story.change(snooze=Snooze(story.now + timedelta(hours=1))).change(snooze=Snooze(None))
    assert shown(story, most=most).snoozed_until is None
