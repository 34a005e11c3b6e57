"""Whoever sees the same set of evaluations sees the same signal, in whatever order they came."""

from collections.abc import Sequence
from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.signal.complete_history import SignalHistory
from domain.signal.evaluation import Evaluation
from domain.signal.signal import HORIZON, SignalState
from tests.domain.signal.evaluations import HOUR, Signal, latest, reference, some_evaluations

Arrivals = tuple[Sequence[Evaluation], Sequence[Evaluation]]


@st.composite
def arrivals(draw: st.DrawFn) -> Arrivals:
    """The same evaluations twice, each time in another order and with other repetitions."""
    once = draw(st.lists(some_evaluations(), min_size=1, max_size=12, unique=True))
    repeated = st.lists(st.sampled_from(once), max_size=4)
    one, two = (draw(st.permutations([*once, *draw(repeated)])) for _ in range(2))
    return one, two


@settings(max_examples=150, deadline=None)
@given(arrivals())
def test_the_order_of_arrival_does_not_matter(arrivals: Arrivals) -> None:
    one, two = (Signal().told_all(each) for each in arrivals)
    assert one.quick == two.quick
    assert one.slow == two.slow
    assert one.current == two.current
    assert one.showed_last == two.showed_last


@settings(max_examples=150, deadline=None)
@given(st.lists(some_evaluations(), min_size=1, max_size=14))
def test_at_every_step_the_signal_shows_what_the_set_of_evaluations_says(
    arriving: Sequence[Evaluation],
) -> None:
    signal, seen = Signal(), set[Evaluation]()
    for each in arriving:
        signal = signal.told(each)
        seen.add(each)
        assert signal.shows == signal.showed_last == reference(seen)
        assert signal.current == latest(seen)
        assert signal.quick.version == len(seen)
        assert signal.quick == signal.slow.now


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(some_evaluations(), st.sampled_from([6, 24, 48]).map(lambda n: n * HOUR)),
        min_size=1,
        max_size=10,
    )
)
def test_a_horizon_that_changes_counts_from_the_next_evaluation_on(
    arriving: Sequence[tuple[Evaluation, timedelta]],
) -> None:
    signal, seen = Signal(), set[Evaluation]()
    for each, horizon in arriving:
        known = each in seen
        before, signal = signal, signal.told(each, horizon=horizon)
        seen.add(each)
        assert signal.shows == signal.showed_last == reference(seen, signal.quick.horizon)
        assert signal.quick.horizon == (before.quick.horizon if known else horizon)
        assert signal.quick.version == len(seen)


@settings(max_examples=60, deadline=None)
@given(st.lists(some_evaluations(), min_size=1, max_size=12))
def test_what_was_told_once_is_never_recorded_again(arriving: Sequence[Evaluation]) -> None:
    signal = Signal().told_all(arriving)
    assert signal.told_all(arriving) == signal


@settings(max_examples=60, deadline=None)
@given(st.lists(some_evaluations(), min_size=1, max_size=12))
def test_folding_the_facts_again_gives_the_same_signal(arriving: Sequence[Evaluation]) -> None:
    signal = Signal().told_all(arriving)
    quick, slow = SignalState(), SignalHistory()
    for fact in signal.facts:
        quick, slow = quick.after(fact), slow.after(fact)
    assert (quick, slow) == (signal.quick, signal.slow)


@settings(max_examples=60, deadline=None)
@given(st.lists(some_evaluations(hours=600), min_size=1, max_size=20))
def test_only_windows_within_the_horizon_are_remembered(arriving: Sequence[Evaluation]) -> None:
    windows = Signal().told_all(arriving).quick.windows
    assert all(windows[-1].end - seen.end <= HORIZON for seen in windows)
    assert [seen.place for seen in windows] == sorted({seen.place for seen in windows})
