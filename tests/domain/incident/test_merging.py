"""Merging incidents into others and splitting them off: slots and links go along."""

from datetime import timedelta
from functools import reduce

import pytest
from attrs import evolve

from domain.errors import Impossible, NotFound, VersionMismatch
from domain.ids import FailureSignature, IncidentId, SignalType
from domain.incident.decisions import MOST_EVIDENCE, MOST_HELD, Incident
from domain.incident.fault_slot import Freed, Taken
from domain.incident.incident import (
    Absorbed,
    EvidenceAttached,
    Merged,
    Released,
    SeverityChanged,
    SignalsAttached,
    SignaturesAttached,
    SplitOff,
)
from domain.incident.merging import merge_violations
from domain.incident.patch import Change, Snooze
from domain.incident.severity import Severity
from domain.incident.values import Concern, IncidentStatus, ResolutionReason
from domain.retention import KEPT_FOR
from domain.signal.signal import Linked, Unlinked
from domain.stream_categories import fault_stream, incident_stream, signal_stream
from tests.domain.incident.incidents import (
    COMPLIANCE,
    FIXED,
    FRESHNESS,
    LATE,
    MISSING,
    NOON,
    ONE,
    ORDERS,
    PAYMENTS,
    TWO,
    World,
    case,
    evidence,
    splitting,
)

THREE = IncidentId("INC-3")
CAUSE, EFFECT = ONE, TWO


@pytest.fixture
def world() -> World:
    """Orders are broken, and payments suffer from it: two open incidents."""
    world = World.with_orders(COMPLIANCE)
    world.evaluate(FRESHNESS, PAYMENTS)
    world.open(CAUSE, case(MISSING, severity=Severity.SEV_2, evidence=(evidence(1),)))
    late = case(LATE, signals=[FRESHNESS], dataset=PAYMENTS, evidence=(evidence(1), evidence(2)))
    world.open(EFFECT, late)
    return world


def test_merging_is_one_decision_about_both_their_slots_and_signals(world: World) -> None:
    concern = Concern(PAYMENTS, (FRESHNESS,), (LATE,))
    assert world.merge(EFFECT, CAUSE) == {
        incident_stream(EFFECT): [Merged(CAUSE, NOON, "one cause")],
        incident_stream(CAUSE): [
            Absorbed(EFFECT, (concern,), (evidence(2),), "one cause"),
            SeverityChanged(Severity.SEV_1),
        ],
        fault_stream(PAYMENTS, LATE): [Freed(EFFECT), Taken(CAUSE)],
        signal_stream(PAYMENTS, FRESHNESS): [Unlinked(EFFECT), Linked(CAUSE)],
    }
    merged, cause = world.incident(EFFECT), world.incident(CAUSE)
    assert (merged.status, merged.merged_into) == (IncidentStatus.RESOLVED, CAUSE)
    assert merged.resolution is not None
    assert merged.resolution.reason is ResolutionReason.DUPLICATE
    assert cause.severity is Severity.SEV_1
    assert cause.about(PAYMENTS) == concern
    assert cause.evidence == (evidence(1), evidence(2))


def test_merging_again_records_nothing(world: World) -> None:
    world.merge(EFFECT, CAUSE)
    assert world.merge(EFFECT, CAUSE) == {}


def test_a_less_severe_one_does_not_change_the_severity(world: World) -> None:
    world.merge(CAUSE, EFFECT)
    assert world.incident(EFFECT).severity is Severity.SEV_1


def test_whoever_reports_the_merged_fault_joins_the_other_one(world: World) -> None:
    world.merge(EFFECT, CAUSE)
    world.evaluate(COMPLIANCE, PAYMENTS)
    again = case(LATE, MISSING, signals=[FRESHNESS, COMPLIANCE], dataset=PAYMENTS)
    assert world.open(THREE, again) == {
        incident_stream(CAUSE): [
            SignalsAttached((COMPLIANCE,), PAYMENTS),
            SignaturesAttached((MISSING,), PAYMENTS),
        ],
        fault_stream(PAYMENTS, MISSING): [Taken(CAUSE)],
        signal_stream(PAYMENTS, COMPLIANCE): [Linked(CAUSE)],
    }
    assert world.open(THREE, again) == {}


def test_splitting_gives_back_what_came_with_it(world: World) -> None:
    world.merge(EFFECT, CAUSE)
    assert world.split(EFFECT) == {
        incident_stream(EFFECT): [SplitOff(CAUSE, NOON, "two causes")],
        incident_stream(CAUSE): [Released(EFFECT, "two causes")],
        fault_stream(PAYMENTS, LATE): [Freed(CAUSE), Taken(EFFECT)],
        signal_stream(PAYMENTS, FRESHNESS): [Unlinked(CAUSE), Linked(EFFECT)],
    }
    split, cause = world.incident(EFFECT), world.incident(CAUSE)
    assert (split.status, split.merged_into, split.resolution) == (IncidentStatus.OPEN, None, None)
    assert cause.about(PAYMENTS) == Concern(PAYMENTS)
    assert cause.evidence == (evidence(1), evidence(2))


def test_a_signal_of_both_stays_linked_to_the_one_that_is_left(world: World) -> None:
    world.open(THREE, case(LATE))
    world.merge(THREE, CAUSE)
    assert world.links(COMPLIANCE) == (CAUSE,)
    world.split(THREE)
    assert world.links(COMPLIANCE) == (CAUSE, THREE)


def test_what_was_attached_after_the_merge_stays(world: World) -> None:
    world.merge(EFFECT, CAUSE)
    world.open(THREE, case(LATE, MISSING, signals=[FRESHNESS], dataset=PAYMENTS))
    world.split(EFFECT)
    assert world.holder(MISSING, PAYMENTS) == CAUSE
    assert world.holder(LATE, PAYMENTS) == EFFECT


def test_resolving_frees_what_was_absorbed_and_reopening_takes_it_back(world: World) -> None:
    world.merge(EFFECT, CAUSE)
    world.change(CAUSE, Change(resolution=FIXED))
    assert world.holder(LATE, PAYMENTS) is None
    assert world.links(FRESHNESS, PAYMENTS) == ()
    world.change(CAUSE, Change(reopen=True))
    assert world.holder(LATE, PAYMENTS) == CAUSE
    assert world.links(FRESHNESS, PAYMENTS) == (CAUSE,)


def test_a_chain_is_merged_as_a_whole_and_split_as_a_whole(world: World) -> None:
    world.open(THREE, case(LATE))
    world.merge(EFFECT, CAUSE)
    world.merge(CAUSE, THREE)
    assert world.holder(LATE, PAYMENTS) == THREE
    with pytest.raises(Impossible, match="split INC-2 off the other incident: it is RESOLVED"):
        world.split(EFFECT)
    world.split(CAUSE)
    assert world.holder(LATE, PAYMENTS) == CAUSE
    world.split(EFFECT)
    assert world.holder(LATE, PAYMENTS) == EFFECT


def test_merging_needs_two_open_incidents(world: World) -> None:
    with pytest.raises(NotFound):
        world.merge(EFFECT, THREE)
    with pytest.raises(NotFound):
        world.merge(THREE, EFFECT)
    world.change(CAUSE, Change(resolution=FIXED))
    with pytest.raises(Impossible, match="merge INC-2 into the other incident: it is RESOLVED"):
        world.merge(EFFECT, CAUSE)
    with pytest.raises(Impossible, match="cannot merge incident: it is RESOLVED"):
        world.merge(CAUSE, EFFECT)


def test_splitting_needs_a_merged_one_and_an_open_one(world: World) -> None:
    with pytest.raises(Impossible, match="not merged"):
        world.split(EFFECT)
    with pytest.raises(NotFound):
        world.split(THREE)
    world.merge(EFFECT, CAUSE)
    world.change(CAUSE, Change(resolution=FIXED))
    with pytest.raises(Impossible, match="split INC-2 off the other incident: it is RESOLVED"):
        world.split(EFFECT)


def test_a_merged_one_is_not_reopened(world: World) -> None:
    world.merge(EFFECT, CAUSE)
    with pytest.raises(Impossible, match="it is merged into INC-1"):
        world.change(EFFECT, Change(reopen=True))


def test_versions_are_checked(world: World) -> None:
    with pytest.raises(VersionMismatch):
        world.merge(EFFECT, CAUSE, 7)
    with pytest.raises(VersionMismatch):
        world.split(EFFECT, 7)


def test_an_incident_holds_only_so_much() -> None:
    """What it holds changes in one append, and an append has its limits."""
    signals = tuple(SignalType(f"CUSTOM_S{n}") for n in range(MOST_HELD - 2))
    large = Incident(IncidentStatus.OPEN, 1, ORDERS, signals, (MISSING,))
    small = Incident(IncidentStatus.OPEN, 1, PAYMENTS, (), (LATE,))
    assert large.absorb(TWO, small)
    with pytest.raises(Impossible, match="at its limit of 60"):
        large.absorb(TWO, evolve(small, signals=(COMPLIANCE,)))
    with pytest.raises(Impossible, match="at its limit of 60"):
        large.attach_signatures([LATE, FailureSignature("LATE_DATA:b")])


def test_whoever_reports_a_fault_joins_however_full_the_incident_is() -> None:
    """What fits is attached, evidence in any case."""
    signals = tuple(SignalType(f"CUSTOM_S{n}") for n in range(MOST_HELD - 3))
    large = Incident(IncidentStatus.OPEN, 1, ORDERS, signals, (MISSING,))
    more = Concern(PAYMENTS, (COMPLIANCE,), (LATE, MISSING))
    facts = large.join(more, [evidence(1)])
    assert facts == [
        SignalsAttached((COMPLIANCE,), PAYMENTS),
        SignaturesAttached((LATE,), PAYMENTS),
        EvidenceAttached((evidence(1),)),
    ]
    full = reduce(Incident.after, facts, large)
    assert full.join(more, [evidence(1)]) == []


def test_a_full_incident_is_joined_by_a_report_that_names_another_signal(world: World) -> None:
    many = [SignalType(f"CUSTOM_S{n}") for n in range(19)]
    world.change(CAUSE, Change(signals=tuple(many)))
    world.evaluate(FRESHNESS)
    decision = world.open(THREE, case(MISSING, signals=[FRESHNESS], evidence=(evidence(9),)))
    assert decision == {incident_stream(CAUSE): [EvidenceAttached((evidence(9),))]}


def test_of_absorbed_evidence_a_sample_is_kept(world: World) -> None:
    full = evolve(world.incident(CAUSE), evidence=tuple(map(evidence, range(MOST_EVIDENCE - 1))))
    other = evolve(world.incident(EFFECT), evidence=(evidence(500), evidence(501)))
    assert full.absorb(EFFECT, other)[0] == Absorbed(EFFECT, other.concerns, (evidence(500),))


def test_a_snooze_ends_with_the_incident(world: World) -> None:
    world.change(EFFECT, Change(snooze=Snooze(NOON + timedelta(hours=4))))
    world.merge(EFFECT, CAUSE)
    world.split(EFFECT)
    assert world.incident(EFFECT).snoozed_until is None


def test_what_was_merged_too_long_ago_stays_merged(world: World) -> None:
    """By then its card may be gone for good."""
    world.merge(EFFECT, CAUSE)
    late = NOON + KEPT_FOR.incidents + timedelta(seconds=1)
    with pytest.raises(Impossible, match="merged for more than 365 days"):
        world.happen(*splitting(EFFECT, late))
    assert world.happen(*splitting(EFFECT, NOON + KEPT_FOR.incidents))


@pytest.mark.parametrize(
    ("into", "code"), [("", "REQUIRED"), ("INC 2", "MALFORMED"), ("INC-1", "INCONSISTENT")]
)
def test_what_an_incident_cannot_be_merged_into(into: str, code: str) -> None:
    (found,) = merge_violations(IncidentId("INC-1"), IncidentId(into), None)
    assert (found.field, found.code) == ("into", code)
    assert not [*merge_violations(IncidentId("INC-1"), IncidentId("INC-2"), "same")]
