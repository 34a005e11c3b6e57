"""Facts to events for the log, and the log's entries back to recorded facts."""

from attrs import define

from adapters.eventstore.catalogue import FACTS, Catalogue, tags
from adapters.eventstore.codec import Codec
from adapters.eventstore.envelope import addressed, read, written
from adapters.eventstore.log import LogEntry, NewEvent
from adapters.eventstore.sealing import Seals
from application.caller import Caller
from application.recorded import Recorded
from domain.ids import StreamId


@define
class Mapper:
    seals: Seals
    codec: Codec

    @classmethod
    def of_catalogue(cls, seals: Seals) -> "Mapper":
        return cls(seals, Codec(Catalogue(FACTS), seals))

    def event(
        self, stream: StreamId, version: int, fact: object, *, event_id: bytes, by: Caller
    ) -> NewEvent:
        body = self.codec.write(fact)
        meta = written(addressed(by, body.schema, body.key_ids, self.seals))
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
            fact=self.codec.read(event.name, envelope.schema, event.data),
            event_id=event.event_id,
            by=self.seals.open(envelope.by) if envelope.by else "",
            correlation_id=envelope.correlation_id,
            causation_id=envelope.causation_id,
            trace=envelope.trace,
            tags=tuple(tags(stream)),
        )
