"""What a signal shows after evaluations, one sentence each (S0-031..S0-041)."""

from datetime import timedelta

import pytest

from domain.errors import VersionMismatch
from domain.signal.evaluation import Evaluation, SignalStateEnum
from domain.signal.signal import (
    HORIZON,
    BeyondMemory,
    Evaluated,
    Moved,
    Rebased,
    SignalState,
    Watched,
)
from domain.signal.windows import Seen, Standing
from domain.versions import ANY_VERSION
from tests.domain.signal.evaluations import HOUR, MINUTES, NOON, Signal, evaluation, story

OK, WARNING, CRITICAL, UNKNOWN = (
    SignalStateEnum.OK,
    SignalStateEnum.WARNING,
    SignalStateEnum.CRITICAL,
    SignalStateEnum.UNKNOWN,
)


def given(*evaluations: Evaluation) -> Signal:
    return Signal().told_all(evaluations)


# The first evaluation


def test_the_first_evaluation_is_recorded_with_the_horizon_it_is_judged_by() -> None:
    first = evaluation(OK)
    assert SignalState().evaluate(first, expected_version=0) == [
        Watched(HORIZON),
        Evaluated(
            first, first.digest(), version=1, current=True, moved=Moved(OK, None, NOON, None)
        ),
    ]


def test_a_second_evaluation_of_the_same_state_moves_nothing() -> None:
    second = evaluation(OK, at=1)
    assert given(evaluation(OK)).quick.evaluate(second, expected_version=1) == [
        Evaluated(second, second.digest(), version=2, current=True, moved=None)
    ]


def test_before_any_evaluation_nothing_is_shown() -> None:
    assert SignalState() == SignalState(0, HORIZON, None, (), None)


# Versions


def test_a_signal_expected_to_be_new_must_be_new() -> None:
    with pytest.raises(VersionMismatch) as caught:
        given(evaluation()).told(evaluation(at=1), expected_version=0)
    assert (caught.value.what, caught.value.expected, caught.value.current) == ("signal", 0, 1)
    assert str(caught.value) == "signal is at version 1, not 0"


@pytest.mark.parametrize("stale", [0, 1, 3, -2])
def test_a_signal_must_be_at_the_expected_version(stale: int) -> None:
    signal = given(*story(OK, OK))
    for decide in (signal.quick.evaluate, signal.slow.evaluate):
        with pytest.raises(VersionMismatch) as caught:
            decide(evaluation(at=9), expected_version=stale)
        assert (caught.value.expected, caught.value.current) == (stale, 2)


@pytest.mark.parametrize("expected", [2, ANY_VERSION])
def test_the_right_version_and_any_version_are_accepted(expected: int) -> None:
    assert (
        given(*story(OK, OK)).told(evaluation(at=9), expected_version=expected).quick.version == 3
    )


def test_a_repeated_evaluation_must_also_name_the_version() -> None:
    with pytest.raises(VersionMismatch):
        given(*story(OK, OK)).told(evaluation(OK), expected_version=1)


def test_every_accepted_evaluation_counts_even_a_very_late_one() -> None:
    assert (
        given(evaluation(at=100), evaluation(at=0), evaluation(at=100, said=1)).quick.version == 3
    )


# Repetition


def test_repeating_an_evaluation_records_nothing() -> None:
    signal = given(*story(OK, CRITICAL))
    assert signal.told(evaluation(CRITICAL, at=1)) == signal


def test_repeating_an_outdone_evaluation_records_nothing() -> None:
    signal = given(evaluation(OK, said=0), evaluation(CRITICAL, said=1), evaluation(OK, said=2))
    assert signal.told(evaluation(OK, said=0)) == signal
    assert signal.told(evaluation(CRITICAL, said=1)) == signal


def test_repeating_an_evaluation_from_before_the_horizon_records_nothing() -> None:
    signal = given(evaluation(at=0), evaluation(at=100))
    with pytest.raises(BeyondMemory):
        signal.quick.evaluate(evaluation(at=0), expected_version=ANY_VERSION)
    assert signal.told(evaluation(at=0)) == signal


# State, previous state, since when (S0-040)


def test_a_transition_remembers_the_state_before_and_the_end_of_its_first_window() -> None:
    assert given(*story(OK, CRITICAL)).shows == Moved(CRITICAL, OK, NOON + HOUR, NOON)


def test_updates_in_the_same_state_keep_the_state_before_and_the_moment_of_change() -> None:
    assert given(*story(OK, CRITICAL, CRITICAL, CRITICAL)).shows == Moved(
        CRITICAL, OK, NOON + HOUR, NOON
    )


def test_a_late_window_moves_the_moment_of_change_back() -> None:
    ok, late, critical = story(OK, CRITICAL, CRITICAL)
    assert given(ok, critical).shows.changed_at == NOON + 2 * HOUR
    assert given(ok, critical, late).shows.changed_at == NOON + HOUR


def test_a_late_window_that_changes_what_is_shown_is_recorded_as_a_move_but_not_as_current() -> (
    None
):
    ok, late, critical = story(OK, WARNING, CRITICAL)
    assert given(ok, critical).quick.evaluate(late, expected_version=2) == [
        Evaluated(late, late.digest(), 3, False, Moved(CRITICAL, WARNING, NOON + 2 * HOUR, NOON))
    ]


# Breaches (S0-041)


@pytest.mark.parametrize("breach", [WARNING, CRITICAL])
def test_a_breach_starts_where_the_window_that_left_ok_began(breach: SignalStateEnum) -> None:
    assert given(*story(OK, OK, breach)).shows.breach_start == NOON + HOUR


def test_a_breach_may_start_with_the_first_window() -> None:
    assert given(*story(CRITICAL)).shows.breach_start == NOON - HOUR


def test_a_breach_keeps_its_start_from_warning_to_critical_and_back() -> None:
    assert given(*story(OK, WARNING, CRITICAL, WARNING)).shows.breach_start == NOON


def test_ok_ends_a_breach() -> None:
    assert given(*story(OK, CRITICAL, OK)).shows == Moved(OK, CRITICAL, NOON + 2 * HOUR, None)


def test_after_ok_a_breach_starts_anew() -> None:
    assert given(*story(CRITICAL, OK, CRITICAL)).shows.breach_start == NOON + HOUR


def test_unknown_begins_no_breach() -> None:
    assert given(*story(OK, UNKNOWN)).shows == Moved(UNKNOWN, OK, NOON + HOUR, None)


def test_unknown_ends_no_breach() -> None:
    assert given(*story(OK, CRITICAL, UNKNOWN)).shows.breach_start == NOON
    assert given(*story(OK, CRITICAL, UNKNOWN, WARNING)).shows.breach_start == NOON


def test_after_unknown_a_breach_starts_with_its_own_first_window() -> None:
    assert given(*story(UNKNOWN, WARNING)).shows.breach_start == NOON


def test_a_breach_keeps_its_start_for_much_longer_than_the_horizon() -> None:
    signal = given(evaluation(OK), *(evaluation(CRITICAL, at=n) for n in range(1, 200)))
    assert signal.shows == Moved(CRITICAL, OK, NOON + HOUR, NOON)
    assert signal.quick.windows[0].end == NOON + (199 - 24) * HOUR


def test_windows_exactly_a_horizon_apart_belong_together() -> None:
    apart = given(evaluation(OK), evaluation(CRITICAL, at=1), evaluation(CRITICAL, at=25))
    assert apart.shows == Moved(CRITICAL, OK, NOON + HOUR, NOON)


def test_after_a_pause_longer_than_the_horizon_everything_starts_anew() -> None:
    later = evaluation(CRITICAL, at=25.5)
    assert given(*story(OK, CRITICAL), later).shows == Moved(
        CRITICAL, None, later.window_end, later.window_start
    )


def test_a_late_window_bridges_a_pause() -> None:
    before, after = evaluation(CRITICAL, at=0), evaluation(CRITICAL, at=40)
    assert given(before, after).shows.breach_start == after.window_start
    assert given(before, after, evaluation(WARNING, at=20)).shows == Moved(
        CRITICAL, WARNING, after.window_end, before.window_start
    )


# The same window, evaluated again


def test_the_later_verdict_on_a_window_wins_whenever_it_arrives() -> None:
    early, late = evaluation(OK, said=1), evaluation(CRITICAL, said=2)
    assert given(early, late).shows == given(late, early).shows
    assert given(late, early).shows.state is CRITICAL
    assert given(late, early).current == late


def test_of_two_verdicts_at_the_same_moment_the_greater_digest_wins() -> None:
    one, two = evaluation(OK), evaluation(CRITICAL)
    winner = max(one, two, key=Evaluation.digest)
    assert given(one, two).current == given(two, one).current == winner
    assert given(one, two).shows.state is given(two, one).shows.state is winner.state


def test_a_verdict_on_the_current_window_may_take_back_a_breach() -> None:
    signal = given(*story(OK, CRITICAL), evaluation(OK, at=1, said=1))
    assert signal.shows == Moved(OK, None, NOON, None)


def test_of_windows_that_end_together_the_later_begun_one_is_the_latest() -> None:
    long, short = evaluation(CRITICAL, hours=2), evaluation(OK, hours=1)
    assert given(long, short).current == given(short, long).current == short
    assert given(short, long).shows == Moved(OK, CRITICAL, NOON, None)


def test_who_knows_the_version_speaks_after_all_that_was_said_of_the_window() -> None:
    signal, window = given(evaluation(said=60)), (NOON, NOON - HOUR)
    tick = timedelta(milliseconds=1)
    for decider in (signal.quick, signal.slow):
        assert decider.spoken_next(window, at=NOON) == NOON + timedelta(seconds=60) + tick
        assert decider.spoken_next(window, at=NOON + HOUR) == NOON + HOUR
        assert decider.spoken_next((NOON, NOON - 2 * HOUR), at=NOON) == NOON


# Beyond the horizon


def test_a_window_from_before_the_horizon_never_moves_the_state() -> None:
    signal = given(evaluation(OK, at=100), evaluation(CRITICAL, at=0))
    assert signal.shows == Moved(OK, None, NOON + 100 * HOUR, None)
    assert signal.current == evaluation(OK, at=100)
    assert signal.quick.version == 2


def test_a_window_at_the_edge_of_the_horizon_still_counts() -> None:
    assert given(evaluation(OK, at=24), evaluation(CRITICAL, at=0)).shows.previous_state is CRITICAL


def test_a_window_behind_the_remembered_ones_is_left_to_the_history() -> None:
    signal = given(*(evaluation(CRITICAL, at=n) for n in range(50)))
    late = evaluation(CRITICAL, at=0, hours=2)
    with pytest.raises(BeyondMemory):
        signal.quick.evaluate(late, expected_version=50)
    shown = Moved(CRITICAL, None, NOON, late.window_start)
    before = Standing(CRITICAL, None, NOON, late.window_start, NOON + 24 * HOUR)
    assert signal.slow.evaluate(late, expected_version=50) == [
        Evaluated(late, late.digest(), version=51, current=False, moved=shown),
        Rebased(before),
    ]


def test_a_late_window_within_the_horizon_needs_no_history() -> None:
    signal = given(evaluation(OK, at=3))
    late = evaluation(CRITICAL, at=1)
    assert signal.quick.evaluate(late, expected_version=1) == signal.slow.evaluate(
        late, expected_version=1
    )


def test_a_wider_horizon_is_recorded_and_bridges_what_was_apart() -> None:
    signal = given(*story(OK, CRITICAL), evaluation(CRITICAL, at=41))
    assert signal.shows.previous_state is None
    with pytest.raises(BeyondMemory):
        signal.quick.evaluate(evaluation(OK, at=42), expected_version=3, horizon=48 * HOUR)
    wider = signal.told(evaluation(CRITICAL, at=42), horizon=48 * HOUR)
    assert wider.shows == Moved(CRITICAL, OK, NOON + HOUR, NOON)
    assert wider.showed_last == wider.shows


def test_a_narrower_horizon_forgets_at_once() -> None:
    signal = given(*story(OK, CRITICAL, CRITICAL), evaluation(CRITICAL, at=10))
    last = evaluation(CRITICAL, at=11)
    narrower = signal.told(last, horizon=2 * HOUR)
    assert narrower.facts[-2] == Watched(2 * HOUR)
    assert narrower.shows == Moved(CRITICAL, None, NOON + 10 * HOUR, NOON + 9 * HOUR)
    assert [seen.end for seen in narrower.quick.windows] == [NOON + 10 * HOUR, NOON + 11 * HOUR]


def test_memory_is_bounded_by_the_horizon() -> None:
    signal = SignalState()
    for n in range(2_000):
        hour = n / 12 if n % 10 else n / 12 - 2
        for fact in signal.evaluate(
            evaluation(CRITICAL, at=hour, hours=1 / 12), expected_version=ANY_VERSION
        ):
            signal = signal.after(fact)
        assert len(signal.windows) <= HORIZON / MINUTES + 1
    assert signal.version > 1_700
    assert signal.standing
    assert signal.standing.breach_start == NOON - 2 * HOUR - MINUTES


def test_one_more_window_copies_a_day_of_history_and_not_all_of_it() -> None:
    history = Signal().told_all([evaluation(at=n) for n in range(100)]).slow
    assert [len(day) for day in history.days.values()] == [12, 24, 24, 24, 16]


# What is remembered of a window


def test_a_window_evaluated_twice_remembers_both_digests() -> None:
    one, two = (Seen.of(each, each.digest()) for each in (evaluation(), evaluation(said=1)))
    joined = one.joined(two)
    assert joined == two.joined(one)
    assert (joined.digest, joined.outdone) == (two.digest, frozenset({one.digest}))
    assert joined.knows(one.digest)
    assert not joined.knows("another")


def replacements(*evaluations: Evaluation) -> list[SignalStateEnum | None]:
    signal, found = SignalState(), []
    for one in evaluations:
        for fact in signal.evaluate(one, expected_version=ANY_VERSION):
            signal = signal.after(fact)
            if isinstance(fact, Evaluated):
                found.append(fact.replaced)
    return found


def test_only_another_state_replaces_what_was_shown() -> None:
    assert replacements(*story(OK, OK, CRITICAL, CRITICAL, OK)) == [None, None, OK, None, CRITICAL]


def test_a_late_window_replaces_nothing() -> None:
    late = evaluation(WARNING, at=1)
    assert replacements(evaluation(OK, at=0), evaluation(CRITICAL, at=2), late) == [None, OK, None]
