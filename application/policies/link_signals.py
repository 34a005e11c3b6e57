"""Links a signal to the open incidents about it when it is evaluated for the first time.

An incident may be about signals that nobody has evaluated yet: of those there is nothing to show,
so they are linked only now.
"""

from datetime import datetime

from attrs import define

from application.discovering_transactions import decide_together
from application.policies.open_incident_index import Watched
from application.policies.policy import as_policy
from application.ports.streams import Streams
from application.recorded import Recorded
from domain.ids import IncidentId
from domain.incident.reservations import claims
from domain.signal.signal import Evaluated, SignalState
from domain.stream_categories import SIGNAL, incident_stream
from domain.streams import Decision, States, Stream


@define
class LinkSignals:
    streams: Streams
    watched: Watched
    name: str = "link-signals"

    async def begin(self) -> None:
        await self.watched.begin()

    def concerns(self, recorded: Recorded) -> bool:
        return _is_the_first(recorded) or self.watched.concerns(recorded)

    async def heed(self, recorded: Recorded) -> None:
        await self.watched.heed(recorded)
        if _is_the_first(recorded):
            for name in self.watched.about(recorded.stream):
                await self._link(name, recorded)

    async def act(self, now: datetime) -> None:
        """Time alone evaluates nothing."""

    def due(self) -> datetime | None:
        return None

    async def _link(self, name: IncidentId, recorded: Recorded) -> None:
        signal = SIGNAL.of(recorded.stream)
        await decide_together(
            self.streams,
            [incident_stream(name), signal],
            lambda states: _linked(states, name, signal),
            by=as_policy(self.name, recorded),
        )


def _is_the_first(recorded: Recorded) -> bool:
    return isinstance(recorded.fact, Evaluated) and recorded.fact.version == 1


def _linked(states: States, name: IncidentId, signal: Stream[SignalState]) -> Decision:
    if signal not in claims(states[incident_stream(name)]):
        return {}
    return {signal: states[signal].link(name, from_the_start=True)}
