"""Wakes snoozed incidents when their time is up."""

from contextlib import suppress
from datetime import datetime

from attrs import define, field

from application.growing_reads import decide_together
from application.policies.agreed import agreed
from application.policies.open_incidents import open_incidents
from application.policies.policy import as_policy
from application.ports.incident_board import IncidentBoard
from application.ports.streams import Decision, States, Streams
from application.recorded import Recorded
from domain import incident
from domain.errors import Refused
from domain.ids import IncidentId, incident_of, incident_stream
from domain.incident import Incident


@define
class EndSnoozes:
    streams: Streams
    board: IncidentBoard
    name: str = "end-snoozes"
    _until: dict[IncidentId, datetime] = field(factory=dict)

    async def begin(self) -> None:
        self._until.clear()
        async for card in open_incidents(self.board):
            if card.snoozed_until is not None:
                self._until[card.incident] = card.snoozed_until

    async def heed(self, recorded: Recorded) -> None:
        match recorded.fact:
            case incident.Snoozed(until):
                self._until[incident_of(recorded.stream)] = until
            case incident.Woken() | incident.Resolved() | incident.Merged():
                self._until.pop(incident_of(recorded.stream), None)

    async def act(self, now: datetime) -> None:
        for name in [name for name, until in self._until.items() if until <= now]:
            await self._wake(name, now)
            del self._until[name]

    def due(self) -> datetime | None:
        return min(self._until.values(), default=None)

    async def _wake(self, name: IncidentId, now: datetime) -> None:
        stream = incident_stream(name)
        one = await self.streams.state(stream, Incident())
        if not (await agreed(self.streams, one.dataset)).end_snoozes:
            return

        def decide(states: States) -> Decision:
            until = states[stream].snoozed_until
            due = until is not None and until <= now
            return {stream: states[stream].wake("the time is up")} if due else {}

        with suppress(Refused):
            await decide_together(self.streams, [stream], decide, by=as_policy(self.name))
