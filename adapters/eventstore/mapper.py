"""Facts to events for the log, and the log's entries back to recorded facts."""

from attrs import define, field

from adapters.eventstore.catalogue import FACTS, Catalogue, tags
from adapters.eventstore.codec import Codec
from adapters.eventstore.envelope import Envelope, addressed, read, written
from adapters.eventstore.log import LogEntry, NewEvent
from adapters.eventstore.sealing.seals import Seals
from application.caller import Caller
from application.recorded import Recorded
from domain.streams import StreamId

MOST_AT_HAND = 4_000
"""Facts. Who follows the log is seldom further behind."""


_Stored = tuple[str, int, bytes]
"""Name, schema and data: whatever else is found in the log is decoded, and refused if need be."""


@define
class Mapper:
    seals: Seals
    codec: Codec
    _at_hand: dict[_Stored, object] = field(factory=dict, init=False)
    """What was written here lately, by what is stored of it, if that always comes back exactly:
    it is read next, and decoding it is the dearest part of that."""

    @classmethod
    def of_catalogue(cls, seals: Seals) -> "Mapper":
        return cls(seals, Codec(Catalogue(FACTS), seals))

    def event(
        self, stream: StreamId, version: int, fact: object, *, event_id: bytes, by: Caller
    ) -> NewEvent:
        body = self.codec.write(fact)
        meta = written(addressed(by, body.schema, body.key_ids, self.seals))
        if body.exact:
            self._keep((body.name, body.schema, body.data), fact)
        return NewEvent(stream, version, body.name, body.data, event_id, meta)

    def recorded(self, event: LogEntry) -> Recorded:
        """Raises UnreadableRecord for what this program does not understand."""
        envelope = read(event.meta)
        stream = StreamId(event.stream)
        return Recorded(
            position=event.position,
            at=event.recorded_at,
            stream=stream,
            version=event.version,
            fact=self._fact(event, envelope),
            event_id=event.event_id,
            by=self.seals.open(envelope.by) if envelope.by else "",
            correlation_id=envelope.correlation_id,
            causation_id=envelope.causation_id,
            trace=envelope.trace,
            tags=tuple(tags(stream)),
        )

    def _fact(self, event: LogEntry, envelope: Envelope) -> object:
        fact = self._at_hand.get((event.name, envelope.schema, event.data))
        if fact is None:
            fact = self.codec.read(event.name, envelope.schema, event.data)
        return fact

    def _keep(self, stored: _Stored, fact: object) -> None:
        if len(self._at_hand) >= MOST_AT_HAND:
            del self._at_hand[next(iter(self._at_hand))]
        self._at_hand[stored] = fact
