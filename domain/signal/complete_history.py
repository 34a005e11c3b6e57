"""
A signal with everything it ever saw, for the few evaluations that come very late.

Folding it reads the whole stream, so it is used only when `SignalState` says that an evaluation
reaches behind what it remembers. It decides the same way, for any age of window.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import reduce
from itertools import chain

from attrs import evolve, field, frozen

from domain.signal.evaluation import Evaluation
from domain.signal.signal import HORIZON, Evaluated, Rebased, SignalFact, SignalState, moved
from domain.signal.windows import Place, Seen, find, inserted, said_after, stand


@frozen
class SignalHistory:
    now: SignalState = field(factory=SignalState)
    days: Mapping[date, tuple[Seen, ...]] = field(factory=dict)
    """Every window, by the day it ended: to add one copies a day, not the whole past."""

    # Decisions

    def evaluate(
        self, evaluation: Evaluation, *, expected_version: int, horizon: timedelta = HORIZON
    ) -> Sequence[SignalFact]:
        """Accept what was found out about a window of any age.

        Raises:
            VersionMismatch: The signal is not at the expected version.
        """
        self.now.must_be_at(expected_version)
        seen = Seen.of(evaluation, evaluation.digest())
        known = self._window_at(seen.place)
        if known is not None and known.knows(seen.digest):
            return []
        shown, watched = self.now.standing, self.now.watch(horizon)
        accepted = self._after_all(watched).now.accept(evaluation, seen, shown=shown)
        then = self._after_all([*watched, accepted])
        rebased = then._rebased()
        now = then._after_all(rebased).now.standing
        return [*watched, evolve(accepted, moved=moved(shown, now)), *rebased]

    def spoken_next(self, window: Place, *, at: datetime) -> datetime:
        return said_after(self._window_at(window), at)

    def _rebased(self) -> Sequence[SignalFact]:
        first = self.now.windows[0]
        older = [seen for seen in self._windows() if seen.place < first.place]
        before = stand(None, older, self.now.horizon)
        return [] if before == self.now.before else [Rebased(before)]

    def latest_first(self) -> Iterator[Seen]:
        for day in sorted(self.days, reverse=True):
            yield from reversed(self.days[day])

    def _windows(self) -> Iterator[Seen]:
        return chain.from_iterable(self.days[day] for day in sorted(self.days))

    def _window_at(self, place: Place) -> Seen | None:
        end, _ = place
        return find(self.days.get(end.date(), ()), place)

    # Evolution

    def after(self, fact: SignalFact) -> "SignalHistory":
        if isinstance(fact, Evaluated):
            seen = Seen.of(fact.evaluation, fact.digest)
            day = seen.end.date()
            days = {**self.days, day: inserted(self.days.get(day, ()), seen)}
            return SignalHistory(self.now.after(fact), days)
        return evolve(self, now=self.now.after(fact))

    def _after_all(self, facts: Iterable[SignalFact]) -> "SignalHistory":
        return reduce(SignalHistory.after, facts, self)
