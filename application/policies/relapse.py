"""Reopens an incident that was resolved lately when its fault is back."""

from contextlib import suppress
from datetime import datetime, timedelta

from attrs import frozen

from application.growing_reads import decide_together
from application.policies.agreed import agreed
from application.policies.policy import as_policy
from application.ports.clock import Clock
from application.ports.streams import Decision, States, Streams
from application.recorded import Recorded
from domain.changing import Change, change
from domain.errors import Refused
from domain.fault import Fault, FaultSlot
from domain.healing import may_come_back, relapse
from domain.ids import IncidentId, dataset_of, incident_stream, signal_of
from domain.incident import Incident
from domain.moments import stamp
from domain.signal_state import Evaluated, SignalState
from domain.versions import ANY_VERSION


@frozen
class ReopenOnRelapse:
    streams: Streams
    clock: Clock
    within: timedelta
    name: str = "reopen-on-relapse"

    async def begin(self) -> None:
        """It watches nothing in particular."""

    async def heed(self, recorded: Recorded) -> None:
        if not isinstance(recorded.fact, Evaluated):
            return
        signature = relapse(recorded.fact)
        if signature is None:
            return
        fault = Fault(dataset_of(recorded.stream), signature)
        name = await self._back(fault, recorded)
        if name is not None and await self._still_in_breach(recorded):
            await self._reopen(name, fault, recorded)

    async def act(self, now: datetime) -> None:
        """Time alone breaks nothing."""

    def due(self) -> datetime | None:
        return None

    async def _back(self, fault: Fault, recorded: Recorded) -> IncidentId | None:
        """The incident that was open for the fault last, if it may be opened again."""
        name = (await self.streams.state(fault.slot, FaultSlot())).last
        if name is None:
            return None
        incident = await self.streams.state(incident_stream(name), Incident())
        if not (await agreed(self.streams, incident.dataset)).reopen_on_relapse:
            return None
        return name if self._may_come_back(incident, recorded) else None

    async def _still_in_breach(self, recorded: Recorded) -> bool:
        """A fact that is heeded late may be about a breach that is over."""
        signal = await self.streams.state(recorded.stream, SignalState())
        return signal.standing is not None and signal.standing.breach_start is not None

    async def _reopen(self, name: IncidentId, fault: Fault, recorded: Recorded) -> None:
        # Refused: another incident was opened meanwhile for one of its faults. That will do.
        with suppress(Refused):
            await decide_together(
                self.streams,
                [incident_stream(name)],
                lambda states: self._decide(states, name, fault, recorded),
                by=as_policy(self.name, recorded),
            )

    def _decide(
        self, states: States, name: IncidentId, fault: Fault, recorded: Recorded
    ) -> Decision:
        if not self._may_come_back(states[incident_stream(name)], recorded):
            return {}
        state = recorded.fact.moved.state
        because = (
            f"{signal_of(recorded.stream)} of {fault.dataset} is {state} again "
            f"with {fault.signature}, recorded at {stamp(recorded.at)}"
        )
        wanted = Change(reopen=True, because=because)
        return change(
            states,
            name,
            wanted,
            expected_version=ANY_VERSION,
            at=self.clock.now(),
            within=self.within,
        )

    def _may_come_back(self, incident: Incident, recorded: Recorded) -> bool:
        return may_come_back(
            incident, found_at=recorded.at, at=self.clock.now(), within=self.within
        )
