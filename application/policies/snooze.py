"""Wakes snoozed incidents when their time is up."""

from contextlib import suppress
from datetime import datetime

from attrs import define, field, frozen

from application.discovering_transactions import decide_together
from application.incidents.read_model import IncidentReadModel
from application.policies.open_incidents import open_incidents
from application.policies.policy import as_policy, incident_policy
from application.ports.streams import Streams
from application.recorded import Recorded
from domain.dataset import config
from domain.errors import Refused
from domain.ids import IncidentId
from domain.incident import incident
from domain.stream_categories import incident_of, incident_stream
from domain.streams import Decision, States

_ABOUT = (
    incident.Snoozed,
    incident.Woken,
    incident.Resolved,
    incident.Merged,
    config.Reconfigured,
)


@frozen
class Snooze:
    until: datetime
    because_of: Recorded | None = None
    """The fact, if it was heeded; one that was found on the board is older."""


@define
class EndSnoozes:
    streams: Streams
    board: IncidentReadModel
    name: str = "end-snoozes"
    _snoozes: dict[IncidentId, Snooze] = field(factory=dict)
    _left_alone: dict[IncidentId, Snooze] = field(factory=dict)
    """Due, but their datasets do not want them to end by themselves; that may change."""

    async def begin(self) -> None:
        self._snoozes.clear()
        self._left_alone.clear()
        async for card in open_incidents(self.board):
            if card.snoozed_until is not None:
                self._snoozes[card.incident] = Snooze(card.snoozed_until)

    def concerns(self, recorded: Recorded) -> bool:
        return isinstance(recorded.fact, _ABOUT)

    async def heed(self, recorded: Recorded) -> None:
        match recorded.fact:
            case incident.Snoozed(until):
                self._forget(incident_of(recorded.stream))
                self._snoozes[incident_of(recorded.stream)] = Snooze(until, recorded)
            case incident.Woken() | incident.Resolved() | incident.Merged():
                self._forget(incident_of(recorded.stream))
            case config.Reconfigured():
                self._snoozes |= self._left_alone
                self._left_alone.clear()

    async def act(self, now: datetime) -> None:
        for name, snooze in [*self._snoozes.items()]:
            if snooze.until <= now:
                await self._end(name, snooze, now)

    def due(self) -> datetime | None:
        return min((one.until for one in self._snoozes.values()), default=None)

    def _forget(self, name: IncidentId) -> None:
        self._snoozes.pop(name, None)
        self._left_alone.pop(name, None)

    async def _end(self, name: IncidentId, snooze: Snooze, now: datetime) -> None:
        one = await self.streams.state(incident_stream(name))
        if (await incident_policy(self.streams, one.dataset)).end_snoozes:
            await self._wake(name, snooze, now)
        else:
            self._left_alone[name] = snooze
        del self._snoozes[name]

    async def _wake(self, name: IncidentId, snooze: Snooze, now: datetime) -> None:
        stream = incident_stream(name)

        def decide(states: States) -> Decision:
            until = states[stream].snoozed_until
            due = until is not None and until <= now
            return {stream: states[stream].wake("the time is up")} if due else {}

        with suppress(Refused):
            by = as_policy(self.name, snooze.because_of)
            await decide_together(self.streams, [stream], decide, by=by)
