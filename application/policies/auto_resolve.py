"""Resolves incidents whose signals have all been OK for long enough."""

from collections.abc import Collection
from datetime import datetime

from attrs import define

from application.discovering_transactions import decide_together
from application.policies.open_incident_index import Watched
from application.policies.policy import as_policy, incident_policy
from application.ports.clock import Clock
from application.ports.streams import Streams
from application.recorded import Recorded
from domain.dataset import config
from domain.ids import IncidentId
from domain.incident.auto_resolve import Recovery, ok_windows, ok_windows_ever, resolve_healed
from domain.incident.decisions import Incident
from domain.signal.complete_history import SignalHistory
from domain.signal.evaluation import SignalStateEnum
from domain.signal.signal import BeyondMemory, Evaluated, SignalState
from domain.stream_categories import dataset_of, incident_stream, signal_stream
from domain.streams import Stream


@define
class AutoResolve:
    streams: Streams
    watched: Watched
    clock: Clock
    name: str = "auto-resolve"

    async def begin(self) -> None:
        await self.watched.begin()

    def concerns(self, recorded: Recorded) -> bool:
        match recorded.fact:
            case Evaluated():
                return self.watched.watches(recorded.stream)
            case config.Reconfigured():
                return True
            case _:
                return self.watched.concerns(recorded)

    async def heed(self, recorded: Recorded) -> None:
        for name in await self._concerned(recorded):
            await self._consider(name, recorded)

    async def _concerned(self, recorded: Recorded) -> Collection[IncidentId]:
        """The incidents that may be over from this fact on."""
        changed = await self.watched.heed(recorded)
        match recorded.fact:
            case Evaluated() as fact if fact.evaluation.state is SignalStateEnum.OK:
                return self.watched.about(recorded.stream)
            case config.Reconfigured(fields) if "incident_policy" in fields:
                return self.watched.within(dataset_of(recorded.stream))
            case _:
                return [changed] if changed else []

    async def act(self, now: datetime) -> None:
        """Time alone heals nothing."""

    def due(self) -> datetime | None:
        return None

    async def _consider(self, name: IncidentId, recorded: Recorded) -> None:
        one = await self.streams.state(incident_stream(name))
        recovery = await self._recovery(name, one) if one.is_open else None
        if recovery is not None:
            await decide_together(
                self.streams,
                [incident_stream(name), *recovery.versions],
                lambda states: resolve_healed(states, name, recovery, at=self.clock.now()),
                by=as_policy(self.name, recorded),
            )

    async def _recovery(self, name: IncidentId, one: Incident) -> Recovery | None:
        """Nothing if a signal has not been OK for long enough, or its dataset does not want it."""
        windows: dict[Stream[SignalState], int] = {}
        versions: dict[Stream[SignalState], int] = {}
        for concern in one.concerns:
            policy = await incident_policy(self.streams, concern.dataset)
            if not policy.auto_resolve:
                return None
            wanted = policy.auto_resolve_windows
            for signal in concern.signals:
                stream = signal_stream(concern.dataset, signal)
                state = await self.streams.state(stream)
                windows[stream] = await self._ok_windows(stream, state, name, wanted)
                versions[stream] = state.version
                if windows[stream] < wanted:
                    return None
        return Recovery(one.version, windows, versions)

    async def _ok_windows(
        self, stream: Stream[SignalState], state: SignalState, name: IncidentId, wanted: int
    ) -> int:
        try:
            return ok_windows(state, name, wanted=wanted)
        except BeyondMemory:
            history = await self.streams.state(stream.folded_into(SignalHistory()))
            return ok_windows_ever(history, name, wanted=wanted)
