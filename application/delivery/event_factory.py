"""From facts to events."""

from collections.abc import Sequence
from contextlib import suppress
from typing import get_args

from attrs import define, field

from application.delivery.dataset_events import config_version_after, dataset_event
from application.delivery.event import Event, EventType
from application.delivery.incident_events import incident_event
from application.delivery.signal_events import signal_event
from application.errors import NotReadable
from application.ports.streams import Streams
from application.recorded import Recorded, Unreadable
from domain.dataset.config import DatasetFact, Reconfigured, Registered
from domain.ids import DatasetUrn
from domain.incident.incident import Course, Growth, Opened, Words
from domain.signal.signal import Evaluated
from domain.streams import StreamId

_OF_INCIDENTS = (*get_args(Course), *get_args(Growth), *get_args(Words))
_OF_DATASETS = get_args(DatasetFact)
_REMEMBERED = 10_000

_TOLD_OF = {
    "signal": frozenset({EventType.SIGNAL_STATE_CHANGED}),
    "incident": frozenset(
        {EventType.INCIDENT_CREATED, EventType.INCIDENT_UPDATED, EventType.INCIDENT_RESOLVED}
    ),
    "dataset": frozenset({EventType.DATASET_CONFIG_CHANGED}),
}


def types_told_of(stream: StreamId) -> frozenset[EventType]:
    """What the facts of a stream can be events of."""
    return _TOLD_OF.get(stream.partition("-")[0], frozenset())


@define
class Announcements:
    """Events say more than some facts do by themselves: that is looked up in the fact's stream,
    as it was then. Whoever asks later, or again, is told the same.
    """

    streams: Streams
    _datasets: dict[StreamId, DatasetUrn] = field(factory=dict)

    async def of_all(self, facts: Sequence[Recorded]) -> Sequence[Event]:
        """The events of the facts, in their order; most facts are nobody else's business.

        Facts that this program does not understand are left out.

        Raises:
            Unavailable: What must be looked up cannot be read now.
        """
        events: list[Event | None] = []
        for recorded in facts:
            with suppress(NotReadable):
                events.append(await self.of(recorded))
        return [event for event in events if event is not None]

    async def of(self, recorded: Recorded) -> Event | None:
        """Nothing if the fact is nobody else's business.

        Raises:
            Unavailable: What must be looked up cannot be read now.
            NotReadable: It may be an event, and this program does not understand it.
        """
        fact = recorded.fact
        if isinstance(fact, Unreadable) and types_told_of(recorded.stream):
            raise NotReadable(fact.name, fact.reason)
        if isinstance(fact, Evaluated):
            return signal_event(recorded, fact)
        if isinstance(fact, _OF_INCIDENTS):
            return incident_event(recorded, fact, await self._dataset(recorded))
        if isinstance(fact, _OF_DATASETS):
            return dataset_event(recorded, fact, await self._config_version(recorded))
        return None

    async def _dataset(self, recorded: Recorded) -> DatasetUrn:
        """What the incident was opened about; that never changes."""
        stream = recorded.stream
        if stream not in self._datasets:
            if len(self._datasets) >= _REMEMBERED:
                self._datasets.clear()
            self._datasets[stream] = (await self._opened(recorded)).dataset
        return self._datasets[stream]

    async def _opened(self, recorded: Recorded) -> Opened:
        if isinstance(recorded.fact, Opened):
            return recorded.fact
        first = await self.streams.facts(recorded.stream, limit=1)
        opened: Opened = first[0].fact
        return opened

    async def _config_version(self, recorded: Recorded) -> int:
        if isinstance(recorded.fact, Registered | Reconfigured):
            return config_version_after([recorded.fact])
        until = await self.streams.facts(recorded.stream, limit=recorded.version)
        return config_version_after([one.fact for one in until])
