"""Opening, joining, resolving and reopening over several streams, in one decision each."""

from datetime import timedelta

import pytest

from domain.errors import AlreadyExists, Impossible, NotFound, VersionMismatch
from domain.ids import FailureSignature, IncidentId
from domain.incident.fault_slot import Fault, FaultSlot, Freed, Taken
from domain.incident.incident import (
    EvidenceAttached,
    Noted,
    Reopened,
    Resolved,
    SignalsAttached,
    SignaturesAttached,
)
from domain.incident.patch import Assignment, Change
from domain.incident.severity import Severity
from domain.incident.values import IncidentStatus
from domain.signal.signal import Linked, SignalState, Unlinked
from domain.stream_categories import fault_stream, incident_stream, signal_stream, slot_of
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
    World,
    case,
    evidence,
)

THREE = IncidentId("INC-3")
RESOLVE = Change(resolution=FIXED)
REOPEN = Change(reopen=True, reason="again")


def slot(signature: FailureSignature) -> str:
    return fault_stream(ORDERS, signature)


def test_opening_writes_incident_slots_and_links() -> None:
    world = World.with_orders(COMPLIANCE)
    decision = world.open(ONE, case(MISSING, LATE, signals=[COMPLIANCE, FRESHNESS]))
    assert decision.keys() == {
        incident_stream(ONE),
        slot(MISSING),
        slot(LATE),
        signal_stream(ORDERS, COMPLIANCE),
    }
    assert decision[fault_stream(ORDERS, MISSING)] == [Taken(ONE)]
    assert decision[signal_stream(ORDERS, COMPLIANCE)] == [Linked(ONE)]
    (opened,) = decision[incident_stream(ONE)]
    assert opened.owner_team == "orders-platform"


def test_only_evaluated_signals_are_linked() -> None:
    world = World.with_orders()
    world.open(ONE, case())
    assert world.incident(ONE).signals == (COMPLIANCE,)
    assert world.links(COMPLIANCE) == ()
    world.evaluate(COMPLIANCE)
    world.open(TWO, case())
    assert world.links(COMPLIANCE) == (ONE,)


def test_the_same_fault_again_joins() -> None:
    world = World.with_orders(COMPLIANCE, FRESHNESS)
    world.open(ONE, case())
    assert world.open(TWO, case()) == {}
    more = case(LATE, MISSING, signals=[COMPLIANCE, FRESHNESS], evidence=(evidence(1),))
    assert world.open(TWO, more) == {
        incident_stream(ONE): [
            SignalsAttached((FRESHNESS,)),
            SignaturesAttached((LATE,)),
            EvidenceAttached((evidence(1),)),
        ],
        slot(LATE): [Taken(ONE)],
        signal_stream(ORDERS, FRESHNESS): [Linked(ONE)],
    }
    assert world.incident(TWO).status is IncidentStatus.UNOPENED


def test_another_fault_is_another_incident() -> None:
    world = World.with_orders(COMPLIANCE)
    world.open(ONE, case(MISSING))
    world.open(TWO, case(LATE))
    assert (world.holder(MISSING), world.holder(LATE)) == (ONE, TWO)
    assert world.links(COMPLIANCE) == (ONE, TWO)


def test_a_case_between_two_incidents_joins_the_first_it_names() -> None:
    world = World.with_orders(COMPLIANCE)
    world.open(ONE, case(MISSING))
    world.open(TWO, case(LATE))
    other = FailureSignature("SCHEMA_DRIFT:amount")
    world.open(THREE, case(other, LATE, MISSING))
    assert world.holder(other) == TWO
    assert (world.holder(MISSING), world.holder(LATE)) == (ONE, TWO)


def test_a_name_that_is_taken() -> None:
    world = World.with_orders(COMPLIANCE)
    world.open(ONE, case(MISSING))
    for again in (case(MISSING), case(LATE)):
        with pytest.raises(AlreadyExists):
            world.open(ONE, again)


def test_resolving_frees_slots_and_links() -> None:
    world = World.with_orders(COMPLIANCE)
    world.open(ONE, case(MISSING, LATE))
    assert world.change(ONE, RESOLVE) == {
        incident_stream(ONE): [Resolved(FIXED, NOON)],
        slot(MISSING): [Freed(ONE)],
        slot(LATE): [Freed(ONE)],
        signal_stream(ORDERS, COMPLIANCE): [Unlinked(ONE)],
    }
    assert world.change(ONE, RESOLVE) == {}


def test_the_signal_goes_back_to_the_incident_linked_before() -> None:
    world = World.with_orders(COMPLIANCE)
    world.open(ONE, case(MISSING))
    world.open(TWO, case(LATE))
    decision = world.change(TWO, RESOLVE)
    assert decision[signal_stream(ORDERS, COMPLIANCE)] == [Unlinked(TWO, showing=ONE)]


def test_reopening_takes_everything_again() -> None:
    world = World.with_orders(COMPLIANCE)
    world.open(ONE, case())
    world.change(ONE, RESOLVE)
    assert world.change(ONE, REOPEN) == {
        incident_stream(ONE): [Reopened(NOON, "again")],
        slot(MISSING): [Taken(ONE)],
        signal_stream(ORDERS, COMPLIANCE): [Linked(ONE)],
    }


def test_reopening_is_refused_while_another_holds_a_slot() -> None:
    world = World.with_orders(COMPLIANCE)
    world.open(ONE, case(MISSING, LATE))
    world.change(ONE, RESOLVE)
    world.open(TWO, case(LATE))
    with pytest.raises(Impossible) as told:
        world.change(ONE, REOPEN)
    assert (told.value.what, told.value.attempted) == ("incident", "reopen")
    assert "INC-2 is open for LATE_DATA:processed_at" in str(told.value)
    world.change(TWO, RESOLVE)
    assert world.change(ONE, REOPEN)


def test_attaching_a_fault_of_another_incident_is_refused() -> None:
    world = World.with_orders(COMPLIANCE)
    world.open(ONE, case(MISSING))
    world.open(TWO, case(LATE))
    with pytest.raises(Impossible) as told:
        world.change(ONE, Change(signatures=(LATE,), note="x"))
    assert (told.value.status, told.value.reason) == ("TAKEN", "the subject of INC-2")


def test_what_is_attached_and_resolved_at_once_was_never_held() -> None:
    world = World.with_orders(COMPLIANCE)
    world.open(ONE, case(MISSING))
    world.change(ONE, Change(signatures=(LATE,), signals=(FRESHNESS,), resolution=FIXED))
    assert world.holder(LATE) is None
    world.open(TWO, case(LATE))
    assert world.holder(LATE) == TWO


def test_a_change_is_all_or_nothing() -> None:
    world = World.with_orders(COMPLIANCE)
    world.open(ONE, case())
    world.change(ONE, RESOLVE)
    before = world.incident(ONE)
    with pytest.raises(Impossible):
        world.change(ONE, Change(note="too late", severity=Severity.SEV_2))
    assert world.incident(ONE) == before


def test_many_changes_at_once() -> None:
    world = World.with_orders(COMPLIANCE)
    world.open(ONE, case())
    world.change(ONE, RESOLVE)
    wanted = Change(reopen=True, assign=Assignment("joe"), severity=Severity.SEV_2, note="x")
    decision = world.change(ONE, wanted, expected=2)
    kinds = [type(fact).__name__ for fact in decision[incident_stream(ONE)]]
    assert kinds == ["Reopened", "Assigned", "SeverityChanged", "Noted"]
    with pytest.raises(VersionMismatch):
        world.change(ONE, Change(note="y"), expected=2)


def test_a_note_needs_no_other_stream() -> None:
    world = World.with_orders(COMPLIANCE)
    world.open(ONE, case())
    assert world.change(ONE, Change(note="x")) == {incident_stream(ONE): [Noted("x")]}


def test_nobody_heard_of_it() -> None:
    with pytest.raises(NotFound):
        World.with_orders().change(ONE, RESOLVE)


def test_the_window_of_reopening_counts_here_too() -> None:
    world = World.with_orders(COMPLIANCE)
    world.open(ONE, case())
    world.change(ONE, RESOLVE)
    with pytest.raises(Impossible):
        world.change(ONE, REOPEN, at=NOON + timedelta(days=8))


# The parts.


def test_a_slot_has_one_holder() -> None:
    held = FaultSlot().after(Taken(ONE))
    assert held.take(ONE) == []
    with pytest.raises(Impossible):
        held.take(TWO)
    assert held.free(TWO) == []
    assert held.free(ONE) == [Freed(ONE)]
    assert held.after(Freed(ONE)).take(TWO) == [Taken(TWO)]
    assert slot_of(Fault(ORDERS, MISSING)) == f"fault-{ORDERS}/{MISSING}"


def test_links_do_not_count_as_versions_of_a_signal() -> None:
    world = World.with_orders(COMPLIANCE)
    signal: SignalState = world.state(signal_stream(ORDERS, COMPLIANCE))
    linked = signal.after(Linked(ONE)).after(Linked(TWO))
    assert (linked.version, linked.standing) == (signal.version, signal.standing)
    assert linked.link(ONE) == []
    assert linked.unlink(ONE) == [Unlinked(ONE, TWO)]
    assert linked.after(Unlinked(ONE, TWO)).after(Unlinked(TWO)) == signal
    assert SignalState().link(ONE) == []
    assert signal.unlink(ONE) == []
