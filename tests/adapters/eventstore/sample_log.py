"""A short log of real facts, for tests that look at logs from outside."""

from collections.abc import Sequence

from adapters.eventstore.log import Append, NewEvent
from adapters.eventstore.mapper import Mapper
from adapters.eventstore.sealing.seals import Seals
from adapters.memory.keys import MemoryKeys
from application.caller import Caller
from domain.streams import StreamId
from tests.adapters.eventstore.examples import FACTS, ORDERS

JANE = Caller("jane@company.example", correlation_id="cor-1")
DATASET = StreamId(f"dataset-{ORDERS}")
INCIDENT = StreamId("incident-INC-7721")


def a_mapper() -> Mapper:
    return Mapper.of_catalogue(Seals(MemoryKeys()))


def appends(mapper: Mapper, after: int = 0) -> Sequence[Append]:
    """Four appends of six events to two streams, after so many times the same."""

    def told(number: int, stream: StreamId, version: int, name: str) -> NewEvent:
        event_id = (6 * after + number).to_bytes(16)
        by_now = 3 * after + version
        return mapper.event(stream, by_now, FACTS[name], event_id=event_id, by=JANE)

    return [
        Append([told(1, DATASET, 1, "dataset.registered")]),
        Append(
            [
                told(2, INCIDENT, 1, "incident.opened"),
                told(3, DATASET, 2, "dataset.rule_added"),
            ]
        ),
        Append(
            [
                told(4, INCIDENT, 2, "incident.assigned"),
                told(5, INCIDENT, 3, "incident.note_added"),
            ]
        ),
        Append([told(6, DATASET, 3, "dataset.retired")]),
    ]
