"""Reopens an incident that was resolved lately when its fault is back."""

from contextlib import suppress
from datetime import datetime, timedelta

from attrs import frozen

from application.discovering_transactions import decide_together
from application.errors import Unavailable
from application.policies.policy import as_policy, incident_policy
from application.ports.clock import Clock
from application.ports.streams import Streams
from application.projections.progress import Progress
from application.projections.signals import SIGNAL_BOARD
from application.recorded import Recorded
from application.signals.read_model import SignalReadModel
from domain.errors import Refused
from domain.ids import FailureSignature, IncidentId
from domain.incident.auto_resolve import broke_anew, may_be_a_relapse, may_come_back
from domain.incident.decisions import Incident
from domain.incident.fault_slot import Fault
from domain.incident.patch import Change, change
from domain.signal.signal import Evaluated
from domain.stream_categories import SIGNAL, dataset_of, incident_stream, signal_of, slot_of
from domain.streams import Decision, States
from domain.timestamps import stamp
from domain.versions import ANY_VERSION

PATIENCE = 10.0


@frozen
class ReopenOnRelapse:
    streams: Streams
    board: SignalReadModel
    boards: Progress
    clock: Clock
    within: timedelta
    name: str = "reopen-on-relapse"

    async def begin(self) -> None:
        """It watches nothing in particular."""

    def concerns(self, recorded: Recorded) -> bool:
        return isinstance(recorded.fact, Evaluated) and may_be_a_relapse(recorded.fact)

    async def heed(self, recorded: Recorded) -> None:
        # A fact that is heeded late may be about a breach that is over.
        if not broke_anew(await self.streams.state(SIGNAL.of(recorded.stream))):
            return
        signature = await self._signature(recorded)
        if signature is None:
            return
        fault = Fault(dataset_of(recorded.stream), signature)
        name = await self._back(fault, recorded)
        if name is not None:
            await self._reopen(name, fault, recorded)

    async def act(self, now: datetime) -> None:
        """Time alone breaks nothing."""

    def due(self) -> datetime | None:
        return None

    async def _back(self, fault: Fault, recorded: Recorded) -> IncidentId | None:
        """The incident that was open for the fault last, if it may be opened again."""
        name = (await self.streams.state(slot_of(fault))).last
        if name is None:
            return None
        incident = await self.streams.state(incident_stream(name))
        if not self._may_come_back(incident, recorded):
            return None
        for dataset in (incident.dataset, fault.dataset):
            if not (await incident_policy(self.streams, dataset)).reopen_on_relapse:
                return None
        return name

    async def _signature(self, recorded: Recorded) -> FailureSignature | None:
        """How the latest window fails: a late window may tell that an earlier one was fine."""
        if recorded.fact.current:
            signature: FailureSignature | None = recorded.fact.evaluation.failure_signature
            return signature
        if not await self.boards.wait(SIGNAL_BOARD, recorded.position, timeout=PATIENCE):
            raise Unavailable(f"the policy {self.name}", f"{SIGNAL_BOARD} does not follow the log")
        card = await self.board.find(dataset_of(recorded.stream), signal_of(recorded.stream))
        return card.evaluation.failure_signature if card else None

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
        reason = (
            f"{signal_of(recorded.stream)} of {fault.dataset} is {state} again "
            f"with {fault.signature}, recorded at {stamp(recorded.at)}"
        )
        wanted = Change(reopen=True, reason=reason)
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
