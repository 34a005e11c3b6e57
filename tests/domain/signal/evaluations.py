"""Evaluations to test with, and a reference for what follows from a set of them."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from itertools import takewhile

from attrs import field, frozen
from hypothesis import strategies as st

from domain.signal.complete_history import SignalHistory
from domain.signal.evaluation import Evaluation, Metrics, SignalStateEnum
from domain.signal.signal import HORIZON, BeyondMemory, Evaluated, Moved, SignalFact, SignalState

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
MINUTES = timedelta(minutes=5)


def evaluation(
    state: SignalStateEnum = SignalStateEnum.OK,
    *,
    at: float = 0,
    hours: float = 1,
    said: float = 0,
    score: float = 1.0,
) -> Evaluation:
    """A window that ends `at` hours after noon, judged `said` seconds later."""
    end = NOON + at * HOUR
    return Evaluation(
        state=state,
        score=score,
        window_start=end - hours * HOUR,
        window_end=end,
        metrics=Metrics(10, 10, 0),
        evaluated_at=end + timedelta(seconds=said),
    )


def story(*states: SignalStateEnum) -> list[Evaluation]:
    """Windows of an hour, one after the other."""
    return [evaluation(state, at=at) for at, state in enumerate(states)]


def some_evaluations(hours: int = 120) -> st.SearchStrategy[Evaluation]:
    """Windows of a few days that often meet: at the same place, or exactly a horizon apart."""
    return st.builds(
        evaluation,
        st.sampled_from(SignalStateEnum),
        at=st.integers(0, hours // 6).map(lambda n: n * 6) | st.integers(0, hours),
        hours=st.sampled_from([1, 2]),
        said=st.sampled_from([0, 1]),
        score=st.sampled_from([0.0, 1.0]),
    )


@frozen
class Signal:
    """A signal as the application keeps it: decided quickly, and slowly where it must be."""

    quick: SignalState = field(factory=SignalState)
    slow: SignalHistory = field(factory=SignalHistory)
    facts: tuple[SignalFact, ...] = ()

    def told(
        self, evaluation: Evaluation, *, expected_version: int = -1, horizon: timedelta = HORIZON
    ) -> "Signal":
        facts = self.decided(evaluation, expected_version=expected_version, horizon=horizon)
        quick, slow = self.quick, self.slow
        for fact in facts:
            quick, slow = quick.after(fact), slow.after(fact)
        return Signal(quick, slow, (*self.facts, *facts))

    def decided(
        self, evaluation: Evaluation, *, expected_version: int, horizon: timedelta
    ) -> Sequence[SignalFact]:
        """What both ways of deciding agree on."""
        told = self.slow.evaluate(evaluation, expected_version=expected_version, horizon=horizon)
        try:
            quickly = self.quick.evaluate(
                evaluation, expected_version=expected_version, horizon=horizon
            )
        except BeyondMemory:
            return told
        assert quickly == told
        return quickly

    def told_all(self, evaluations: Sequence[Evaluation]) -> "Signal":
        signal = self
        for each in evaluations:
            signal = signal.told(each)
        return signal

    @property
    def shows(self) -> Moved:
        standing = self.quick.standing
        assert standing is not None
        return Moved(
            standing.state, standing.previous_state, standing.changed_at, standing.breach_start
        )

    @property
    def showed_last(self) -> Moved | None:
        moves = [fact.moved for fact in self.facts if isinstance(fact, Evaluated) and fact.moved]
        return moves[-1] if moves else None

    @property
    def current(self) -> Evaluation | None:
        """What a card shows that takes over whatever is marked as current."""
        marked = [fact for fact in self.facts if isinstance(fact, Evaluated) and fact.current]
        return marked[-1].evaluation if marked else None


def reference(seen: Collection[Evaluation], horizon: timedelta = HORIZON) -> Moved:
    """What a set of evaluations shows, looked at backwards from the latest window."""
    windows = _leading_to_the_present(_verdicts(seen), horizon)
    state = windows[-1].state
    alike = [*takewhile(lambda each: each.state is state, reversed(windows))]
    others = windows[: len(windows) - len(alike)]
    since_ok = [*takewhile(lambda each: each.state is not SignalStateEnum.OK, reversed(windows))]
    breached = [each for each in since_ok if each.state is not SignalStateEnum.UNKNOWN]
    return Moved(
        state=state,
        previous_state=others[-1].state if others else None,
        changed_at=alike[-1].window_end,
        breach_start=breached[-1].window_start if breached else None,
    )


def latest(seen: Collection[Evaluation]) -> Evaluation:
    return _verdicts(seen)[-1]


def _verdicts(seen: Collection[Evaluation]) -> list[Evaluation]:
    """One evaluation for each window, in the order of the windows."""
    said = sorted(seen, key=lambda each: (each.evaluated_at, each.digest()))
    last = {(each.window_end, each.window_start): each for each in said}
    return [last[place] for place in sorted(last)]


def _leading_to_the_present(
    windows: Sequence[Evaluation], horizon: timedelta
) -> Sequence[Evaluation]:
    for index in range(len(windows) - 1, 0, -1):
        if windows[index].window_end - windows[index - 1].window_end > horizon:
            return windows[index:]
    return windows
