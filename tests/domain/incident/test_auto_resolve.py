"""When an incident is over by itself, and when it is back."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import reduce

import pytest
from attrs import evolve

from domain.incident.auto_resolve import (
    Recovery,
    broke_anew,
    may_be_a_relapse,
    may_come_back,
    ok_windows,
    ok_windows_ever,
    resolve_healed,
)
from domain.incident.decisions import Incident
from domain.incident.incident import Resolved
from domain.incident.patch import Change
from domain.incident.values import IncidentStatus, Resolution, ResolutionReason
from domain.signal.complete_history import SignalHistory
from domain.signal.evaluation import Evaluation, Metrics, SignalStateEnum
from domain.signal.signal import BeyondMemory, Evaluated, SignalFact, SignalState
from domain.stream_categories import incident_stream, signal_stream
from domain.streams import Decision
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
)

OK, CRITICAL, WARNING, UNKNOWN = (
    SignalStateEnum.OK,
    SignalStateEnum.CRITICAL,
    SignalStateEnum.WARNING,
    SignalStateEnum.UNKNOWN,
)
FIVE_MINUTES, DAY = timedelta(minutes=5), timedelta(days=1)


def window(number: int, state: SignalStateEnum, span: timedelta = FIVE_MINUTES) -> Evaluation:
    end = NOON + number * span
    signature = None if state is OK else MISSING
    metrics = Metrics(10, 5, 5)
    return Evaluation(state, 0.5, end - span, end, metrics, end, failure_signature=signature)


def seen(
    states: Sequence[SignalStateEnum],
    *,
    linked_at: int | None = None,
    span: timedelta = FIVE_MINUTES,
) -> Sequence[SignalFact]:
    """The facts of a signal whose windows had these states, linked after so many of them."""
    signal, facts = SignalState(), list[SignalFact]()
    for number, state in enumerate(states):
        new = [] if number != linked_at else [*signal.link(ONE)]
        new += signal.evaluate(window(number, state, span), expected_version=-1)
        signal = reduce(SignalState.after, new, signal)
        facts += new
    return facts


def signal(
    states: Sequence[SignalStateEnum],
    *,
    linked_at: int | None = None,
    span: timedelta = FIVE_MINUTES,
) -> SignalState:
    return reduce(SignalState.after, seen(states, linked_at=linked_at, span=span), SignalState())


@pytest.mark.parametrize(
    ("states", "linked_at", "count"),
    [
        ([], None, 0),
        ([CRITICAL], 1, 0),
        ([CRITICAL, OK, OK], 1, 2),
        ([CRITICAL, OK, OK, OK], 1, 3),
        ([CRITICAL, OK, OK, OK, OK], 1, 3),
        ([CRITICAL, OK, OK, WARNING, OK], 1, 1),
        ([CRITICAL, OK, OK, UNKNOWN, OK], 1, 1),
        ([CRITICAL, OK, OK, OK, CRITICAL], 1, 0),
        ([OK, OK, OK, OK], 3, 1),
        ([OK, OK, OK, OK], None, 3),
    ],
)
def test_windows_count_that_were_ok_since_the_incident_was_linked(
    states: list[SignalStateEnum], linked_at: int | None, count: int
) -> None:
    facts = seen(states, linked_at=linked_at)
    now = reduce(SignalState.after, facts, SignalState())
    assert ok_windows(now, ONE, wanted=3) == count
    history = reduce(SignalHistory.after, facts, SignalHistory())
    assert ok_windows_ever(history, ONE, wanted=3) == count


def test_windows_further_apart_than_the_horizon_need_the_history() -> None:
    facts = seen([CRITICAL, OK, OK, OK, OK], linked_at=1, span=DAY)
    with pytest.raises(BeyondMemory):
        ok_windows(reduce(SignalState.after, facts, SignalState()), ONE, wanted=3)
    history = reduce(SignalHistory.after, facts, SignalHistory())
    assert ok_windows_ever(history, ONE, wanted=3) == 3
    assert ok_windows_ever(history, ONE, wanted=5) == 4


def test_what_was_not_ok_needs_no_history() -> None:
    assert ok_windows(signal([CRITICAL, CRITICAL, OK, OK], span=DAY), ONE, wanted=3) == 2
    assert ok_windows(signal([OK, OK, OK, OK], linked_at=3, span=DAY), ONE, wanted=3) == 1


def test_a_correction_of_the_window_it_was_linked_at_does_not_count() -> None:
    before = signal([CRITICAL, OK, OK], linked_at=1)
    corrected = before.evaluate(evolve(window(0, OK), evaluated_at=NOON + DAY), expected_version=-1)
    assert ok_windows(reduce(SignalState.after, corrected, before), ONE, wanted=3) == 2


# Resolving.

STREAM = signal_stream(ORDERS, COMPLIANCE)


def recovery(world: World) -> Recovery:
    """As it is found now."""
    version = world.state(STREAM).version
    return Recovery(world.incident(ONE).version, {STREAM: 3}, {STREAM: version})


def healed(world: World, found: Recovery) -> Decision:
    decide = lambda states: resolve_healed(states, ONE, found, at=NOON)  # noqa: E731
    return world.happen([incident_stream(ONE)], decide)


@pytest.fixture
def world() -> World:
    world = World.with_orders(COMPLIANCE)
    world.open(ONE, case())
    return world


def test_a_healed_incident_is_resolved_and_says_why(world: World) -> None:
    said = healed(world, recovery(world))
    resolution = Resolution(
        "the signal was OK for 3 windows in a row", reason=ResolutionReason.SELF_HEALED
    )
    assert said[incident_stream(ONE)] == [Resolved(resolution, NOON)]
    assert world.holder(MISSING) is None
    assert healed(world, recovery(world)) == {}


def test_a_signal_that_moved_meanwhile_prevents_it(world: World) -> None:
    found = recovery(world)
    world.record({STREAM: world.state(STREAM).evaluate(window(1, OK), expected_version=-1)})
    assert healed(world, found) == {}
    assert world.incident(ONE).is_open


def test_an_incident_that_changed_meanwhile_prevents_it(world: World) -> None:
    """Another signal is attached, another incident merged into it, or somebody disagrees."""
    found = recovery(world)
    world.change(ONE, Change(signals=(FRESHNESS,)))
    assert healed(world, found) == {}
    found = recovery(world)
    world.open(TWO, case(LATE))
    world.merge(TWO, ONE)
    assert healed(world, found) == {}
    found = recovery(world)
    world.change(ONE, Change(resolution=FIXED))
    world.change(ONE, Change(reopen=True))
    assert healed(world, found) == {}


def test_several_signals_are_told_together() -> None:
    assert Recovery(1, {STREAM: 1}, {}).resolution.root_cause == (
        "the signal was OK for 1 window in a row"
    )
    two = {STREAM: 5, signal_stream(ORDERS, FRESHNESS): 4}
    told = Recovery(1, two, {}).resolution.root_cause
    assert told == "every signal was OK for 4 windows in a row"


# Coming back.


def evaluated(*states: SignalStateEnum) -> Evaluated:
    *_, last = seen(states)
    assert isinstance(last, Evaluated)
    return last


@pytest.mark.parametrize(
    ("states", "relapsed"),
    [
        ([OK, CRITICAL], True),
        ([OK, WARNING], True),
        ([UNKNOWN, CRITICAL], True),
        ([WARNING, CRITICAL], False),
        ([CRITICAL, CRITICAL], False),
        ([CRITICAL, OK], False),
        ([CRITICAL, UNKNOWN, CRITICAL], False),
        ([CRITICAL, OK, UNKNOWN, CRITICAL], True),
    ],
)
def test_a_relapse_is_a_signal_that_was_fine(states: list[SignalStateEnum], relapsed: bool) -> None:
    assert may_be_a_relapse(evaluated(*states)) == relapsed


@pytest.mark.parametrize(
    ("states", "anew"),
    [
        ([], False),
        ([CRITICAL], False),
        ([OK, CRITICAL], True),
        ([OK, WARNING, CRITICAL], True),
        ([OK, CRITICAL, OK], False),
    ],
)
@pytest.mark.parametrize("span", [FIVE_MINUTES, 2 * DAY], ids=["close", "far_apart"])
def test_what_broke_anew_was_fine_before(
    states: list[SignalStateEnum], anew: bool, span: timedelta
) -> None:
    far_and_worse = span > DAY and states[-2:] == [WARNING, CRITICAL]
    assert broke_anew(signal(states, span=span)) == (anew and not far_and_worse)


WEEK = timedelta(days=7)


def resolved(reason: ResolutionReason = ResolutionReason.FIXED, at: datetime = NOON) -> Incident:
    world = World.with_orders(COMPLIANCE)
    world.open(ONE, case(LATE))
    world.change(ONE, Change(resolution=Resolution("x", reason=reason)), at=at)
    return world.incident(ONE)


def back(incident: Incident, found: timedelta, now: timedelta) -> bool:
    return may_come_back(incident, found_at=NOON + found, at=NOON + now, within=WEEK)


def test_what_was_resolved_before_the_relapse_may_come_back_for_a_while() -> None:
    second = timedelta(seconds=1)
    assert back(resolved(), second, second)
    assert back(resolved(), second, WEEK)
    assert not back(resolved(), second, WEEK + second)
    assert not back(resolved(), timedelta(0), second)


@pytest.mark.parametrize("reason", ResolutionReason)
def test_some_reasons_mean_that_it_is_nothing_to_come_back_to(reason: ResolutionReason) -> None:
    meant = {
        ResolutionReason.FALSE_POSITIVE,
        ResolutionReason.EXPECTED_CHANGE,
        ResolutionReason.DUPLICATE,
    }
    assert back(resolved(reason), DAY, DAY) == (reason not in meant)


def test_only_what_is_resolved_comes_back() -> None:
    assert not back(evolve(resolved(), status=IncidentStatus.OPEN), DAY, DAY)
