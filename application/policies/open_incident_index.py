"""The signals of open incidents: most signals have none, and need no second look."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import get_args

from attrs import define, field

from application.incidents.read_model import IncidentReadModel
from application.policies.open_incidents import open_incidents
from application.ports.streams import Streams
from application.recorded import Recorded
from domain.ids import DatasetUrn, IncidentId
from domain.incident.incident import Course, Growth, SeverityChanged
from domain.incident.values import Concern
from domain.stream_categories import INCIDENT, dataset_of, incident_of, signal_stream
from domain.streams import StreamId

_ABOUT = (*get_args(Course), *get_args(Growth), SeverityChanged)
"""What may change which signals are watched. A change of severity moves an incident within the
board: if that is just being read, it may be passed over."""


@define
class Watched:
    """Which open incidents are about a signal, whether it was ever evaluated or not."""

    streams: Streams
    board: IncidentReadModel
    _incidents: defaultdict[StreamId, set[IncidentId]] = field(factory=lambda: defaultdict(set))
    _signals: dict[IncidentId, Sequence[StreamId]] = field(factory=dict)

    async def begin(self) -> None:
        self._incidents.clear()
        self._signals.clear()
        async for card in open_incidents(self.board):
            self._watch(card.incident, card.concerns)

    def concerns(self, recorded: Recorded) -> bool:
        return isinstance(recorded.fact, _ABOUT)

    def watches(self, signal: StreamId) -> bool:
        return signal in self._incidents

    async def heed(self, recorded: Recorded) -> IncidentId | None:
        """Take note; tells which incident is about something else now, if one may be."""
        if not self.concerns(recorded):
            return None
        name = incident_of(recorded.stream)
        one = await self.streams.state(INCIDENT.of(recorded.stream))
        self._watch(name, one.concerns if one.is_open else ())
        return name

    def about(self, signal: StreamId) -> Collection[IncidentId]:
        return sorted(self._incidents.get(signal, ()))

    def within(self, dataset: DatasetUrn) -> Collection[IncidentId]:
        """The incidents about any signal of a dataset."""
        return sorted(
            name
            for name, signals in self._signals.items()
            if any(dataset_of(stream) == dataset for stream in signals)
        )

    def _watch(self, name: IncidentId, concerns: Iterable[Concern]) -> None:
        """Watch the signals that the incident is about now, instead of those before."""
        for stream in self._signals.pop(name, ()):
            self._incidents[stream].discard(name)
            if not self._incidents[stream]:
                del self._incidents[stream]
        signals = [signal_stream(one.dataset, s) for one in concerns for s in one.signals]
        if signals:
            self._signals[name] = signals
        for stream in signals:
            self._incidents[stream].add(name)
