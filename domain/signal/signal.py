"""
A signal of a dataset: is it fresh, complete, as agreed? One stream per dataset and signal type.

Evaluations arrive late, twice and out of order. The current state is therefore a function of the
*set* of accepted evaluations: whoever sees the same set sees the same state. To decide quickly,
only the windows within the horizon are remembered one by one; what came before them is summed
up in `before`. An evaluation that reaches behind the remembered windows is decided by
`domain.signal.complete_history`, which remembers everything.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import assert_never

from attrs import evolve, frozen

from domain.errors import DomainError, VersionMismatch
from domain.ids import IncidentId
from domain.signal.evaluation import Evaluation, SignalStateEnum
from domain.signal.windows import Place, Seen, Standing, find, inserted, said_after, stand, step
from domain.versions import ANY_VERSION

HORIZON = timedelta(hours=24)

# Facts. Names and fields are the storage format: to change one, add an upcast.


@frozen
class Watched:
    """From here on windows count back to this horizon."""

    horizon: timedelta


@frozen
class Moved:
    """What is shown of the signal, where an evaluation changed it."""

    state: SignalStateEnum
    previous_state: SignalStateEnum | None
    changed_at: datetime
    breach_start: datetime | None


@frozen
class Evaluated:
    """An evaluation was accepted; `current` tells whether it is the latest window's verdict."""

    evaluation: Evaluation
    digest: str
    version: int
    current: bool
    moved: Moved | None = None
    replaced: SignalStateEnum | None = None
    """The state that was shown until then, where another one is shown from now on."""


@frozen
class Rebased:
    """A late evaluation changed what came before the remembered windows."""

    before: Standing | None


@frozen
class Linked:
    """An open incident is about this signal; `from_the_start` before its first window."""

    incident: IncidentId
    from_the_start: bool = False


@frozen
class Unlinked:
    """The incident no longer is; `showing` is the one linked before it that still is."""

    incident: IncidentId
    showing: IncidentId | None = None


SignalFact = Watched | Evaluated | Rebased | Linked | Unlinked


@frozen
class Link:
    """An open incident about the signal, and where the windows ended that it does not count."""

    incident: IncidentId
    since: datetime | None = None


class BeyondMemory(DomainError):
    """The evaluation reaches behind the remembered windows: only the history can decide."""


@frozen
class SignalState:
    version: int = 0
    horizon: timedelta = HORIZON
    before: Standing | None = None
    windows: tuple[Seen, ...] = ()
    standing: Standing | None = None
    links: tuple[Link, ...] = ()
    """The open incidents about it, the one linked last at the end."""

    @property
    def incidents(self) -> tuple[IncidentId, ...]:
        return tuple(link.incident for link in self.links)

    # Decisions: what may happen next. Repeating one yields no facts.

    def evaluate(
        self, evaluation: Evaluation, *, expected_version: int, horizon: timedelta = HORIZON
    ) -> Sequence[SignalFact]:
        """Accept what was found out about a window.

        Raises:
            VersionMismatch: The signal is not at the expected version.
            BeyondMemory: Decide with `SignalHistory` instead.
        """
        self.must_be_at(expected_version)
        seen = Seen.of(evaluation, evaluation.digest())
        known = self.window_at(seen.place)
        if known is not None and known.knows(seen.digest):
            return []
        watched = self.watch(horizon)
        watching = self._after_all(watched)
        # What was summed up under one horizon cannot be summed up again under another.
        if watching.forgot(seen) or (watched and self.before is not None):
            raise BeyondMemory
        return [*watched, watching.accept(evaluation, seen, shown=self.standing)]

    def must_be_at(self, expected_version: int) -> None:
        if expected_version not in (ANY_VERSION, self.version):
            raise VersionMismatch("signal", expected=expected_version, current=self.version)

    def watch(self, horizon: timedelta) -> Sequence[SignalFact]:
        return [] if self.version and horizon == self.horizon else [Watched(horizon)]

    def forgot(self, seen: Seen) -> bool:
        """Whether it lies in the time that is remembered only in sum."""
        if self.before is not None and seen.end <= self.before.until:
            return True
        return bool(self.windows) and seen.end < self.windows[-1].end - self.horizon

    def accept(self, evaluation: Evaluation, seen: Seen, *, shown: Standing | None) -> Evaluated:
        then = self._with(seen)
        current = then.windows[-1].digest == seen.digest
        return Evaluated(
            evaluation,
            seen.digest,
            then.version,
            current,
            moved(shown, then.standing),
            replaced(shown, then.standing),
        )

    def spoken_next(self, window: Place, *, at: datetime) -> datetime:
        """A caller who knows the current version speaks after all that was said of the window."""
        return said_after(self.window_at(window), at)

    def link(self, incident: IncidentId, *, from_the_start: bool = False) -> Sequence[SignalFact]:
        """Only a signal that was evaluated is linked: of another there is nothing to show."""
        if not self.version or incident in self.incidents:
            return []
        return [Linked(incident, from_the_start)]

    def unlink(self, incident: IncidentId) -> Sequence[SignalFact]:
        if incident not in self.incidents:
            return []
        rest = _without(self.links, incident)
        return [Unlinked(incident, rest[-1].incident if rest else None)]

    # Evolution: what has happened. Never refuses.

    def after(self, fact: SignalFact) -> "SignalState":
        match fact:
            case Evaluated():
                return self._with(Seen.of(fact.evaluation, fact.digest))
            case Watched(horizon):
                return evolve(self, horizon=horizon)._trimmed()
            case Rebased(before):
                standing = stand(before, self.windows, self.horizon)
                return evolve(self, before=before, standing=standing)
            case Linked(incident, from_the_start):
                latest = self.windows[-1].end if self.windows else None
                link = Link(incident, None if from_the_start else latest)
                return evolve(self, links=(*_without(self.links, incident), link))
            case Unlinked(incident):
                return evolve(self, links=_without(self.links, incident))
            case _:
                assert_never(fact)

    def _after_all(self, facts: Sequence[SignalFact]) -> "SignalState":
        state = self
        for fact in facts:
            state = state.after(fact)
        return state

    def window_at(self, place: Place) -> Seen | None:
        return find(self.windows, place)

    def _with(self, seen: Seen) -> "SignalState":
        if self.forgot(seen):
            return evolve(self, version=self.version + 1)
        if not self.windows or seen.place > self.windows[-1].place:
            return self._extended(seen)
        return self._revised(seen)

    def _extended(self, seen: Seen) -> "SignalState":
        """The common case: a new latest window."""
        standing = step(self.standing, seen, self.horizon)
        before, kept = self._forgetting(seen)
        return SignalState(
            self.version + 1, self.horizon, before, (*kept, seen), standing, self.links
        )

    def _forgetting(self, latest: Seen) -> tuple[Standing | None, tuple[Seen, ...]]:
        """Sum up what falls out of the horizon of the latest window."""
        since, before, count = latest.end - self.horizon, self.before, 0
        while count < len(self.windows) and self.windows[count].end < since:
            before = step(before, self.windows[count], self.horizon)
            count += 1
        return before, self.windows[count:]

    def _trimmed(self) -> "SignalState":
        """The horizon is another one."""
        if not self.windows:
            return self
        before, kept = self._forgetting(self.windows[-1])
        standing = stand(before, kept, self.horizon)
        return evolve(self, before=before, windows=kept, standing=standing)

    def _revised(self, seen: Seen) -> "SignalState":
        """A remembered stretch of time looks different now."""
        windows = inserted(self.windows, seen)
        standing = stand(self.before, windows, self.horizon)
        return SignalState(
            self.version + 1, self.horizon, self.before, windows, standing, self.links
        )


def moved(shown: Standing | None, now: Standing | None) -> Moved | None:
    if now is None or now.looks_like(shown):
        return None
    return Moved(now.state, now.previous_state, now.changed_at, now.breach_start)


def replaced(shown: Standing | None, now: Standing | None) -> SignalStateEnum | None:
    """Late windows change since when a state is shown; only the latest window changes which."""
    if shown is None or now is None or now.state is shown.state:
        return None
    return shown.state


def _without(links: tuple[Link, ...], incident: IncidentId) -> tuple[Link, ...]:
    return tuple(link for link in links if link.incident != incident)
