"""Resolves incidents whose signals have all been OK for long enough."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import get_args

from attrs import define, field

from application.growing_reads import decide_together
from application.policies.agreed import agreed
from application.policies.open_incidents import open_incidents
from application.policies.policy import as_policy
from application.ports.clock import Clock
from application.ports.incident_board import IncidentBoard
from application.ports.streams import Streams
from application.recorded import Recorded
from domain.evaluation import State
from domain.healing import Recovery, ok_windows, ok_windows_ever, resolve_healed
from domain.ids import IncidentId, StreamId, incident_of, incident_stream, signal_stream
from domain.incident import Course, Growth, Incident, SeverityChanged
from domain.incident_parts import Concern
from domain.signal_history import SignalHistory
from domain.signal_state import BeyondMemory, Evaluated, SignalState

_ABOUT = (*get_args(Course), *get_args(Growth), SeverityChanged)
"""What may change which signals are watched. A change of severity moves an incident within the
board: if that is just being read, it may be passed over."""


@define
class AutoResolve:
    streams: Streams
    board: IncidentBoard
    clock: Clock
    name: str = "auto-resolve"
    _watched: defaultdict[StreamId, set[IncidentId]] = field(factory=lambda: defaultdict(set))
    """The open incidents about each signal: most signals have none, and need no second look."""
    _signals: dict[IncidentId, Sequence[StreamId]] = field(factory=dict)

    async def begin(self) -> None:
        self._watched.clear()
        self._signals.clear()
        async for card in open_incidents(self.board):
            self._watch(card.incident, card.concerns)

    async def heed(self, recorded: Recorded) -> None:
        match recorded.fact:
            case Evaluated() as fact if fact.evaluation.state is State.OK:
                for name in sorted(self._watched.get(recorded.stream, ())):
                    await self._consider(name, recorded)
            case fact if isinstance(fact, _ABOUT):
                name = incident_of(recorded.stream)
                one = await self.streams.state(recorded.stream, Incident())
                self._watch(name, one.concerns if one.is_open else ())

    async def act(self, now: datetime) -> None:
        """Time alone heals nothing."""

    def due(self) -> datetime | None:
        return None

    async def _consider(self, name: IncidentId, recorded: Recorded) -> None:
        one = await self.streams.state(incident_stream(name), Incident())
        if not one.is_open or not (await agreed(self.streams, one.dataset)).auto_resolve:
            return
        recovery = await self._recovery(name, one)
        if recovery is not None:
            await decide_together(
                self.streams,
                [incident_stream(name), *recovery.versions],
                lambda states: resolve_healed(states, name, recovery, at=self.clock.now()),
                by=as_policy(self.name, recorded),
            )

    async def _recovery(self, name: IncidentId, one: Incident) -> Recovery | None:
        """Nothing if one of the signals has not been OK for long enough."""
        windows: dict[StreamId, int] = {}
        versions: dict[StreamId, int] = {}
        for concern in one.concerns:
            wanted = (await agreed(self.streams, concern.dataset)).auto_resolve_windows
            for signal in concern.signals:
                stream = signal_stream(concern.dataset, signal)
                state = await self.streams.state(stream, SignalState())
                windows[stream] = await self._ok_windows(stream, state, name, wanted)
                versions[stream] = state.version
                if windows[stream] < wanted:
                    return None
        return Recovery(one.version, windows, versions)

    async def _ok_windows(
        self, stream: StreamId, state: SignalState, name: IncidentId, wanted: int
    ) -> int:
        try:
            return ok_windows(state, name, wanted=wanted)
        except BeyondMemory:
            history = await self.streams.state(stream, SignalHistory())
            return ok_windows_ever(history, name, wanted=wanted)

    def _watch(self, name: IncidentId, concerns: Iterable[Concern]) -> None:
        """Watch the signals that the incident is about now, instead of those before."""
        for stream in self._signals.pop(name, ()):
            self._watched[stream].discard(name)
            if not self._watched[stream]:
                del self._watched[stream]
        signals = [signal_stream(one.dataset, s) for one in concerns for s in one.signals]
        if signals:
            self._signals[name] = signals
        for stream in signals:
            self._watched[stream].add(name)
