"""A short log of real facts, for tests that look at logs from outside."""

from collections.abc import Sequence

from adapters.eventstore.log import Append, NewEvent
from adapters.eventstore.mapper import Mapper
from adapters.eventstore.sealing import Seals
from adapters.memory.keys import MemoryKeys
from application.caller import Caller
from domain.ids import StreamId
from tests.adapters.eventstore.examples import FACTS, ORDERS

JANE = Caller("jane@company.example", correlation_id="cor-1")
DATASET = StreamId(f"dataset-{ORDERS}")
INCIDENT = StreamId("incident-INC-7721")


def a_mapper() -> Mapper:
    return Mapper.of_catalogue(Seals(MemoryKeys()))


def appends(mapper: Mapper) -> Sequence[Append]:
    """Four appends of six events to two streams, each at the next versions."""
    return [
        Append([_event(mapper, 1, DATASET, 1, "dataset.registered")]),
        Append(
            [
                _event(mapper, 2, INCIDENT, 1, "incident.opened"),
                _event(mapper, 3, DATASET, 2, "dataset.rule_added"),
            ]
        ),
        Append(
            [
                _event(mapper, 4, INCIDENT, 2, "incident.assigned"),
                _event(mapper, 5, INCIDENT, 3, "incident.noted"),
            ]
        ),
        Append([_event(mapper, 6, DATASET, 3, "dataset.retired")]),
    ]


def _event(mapper: Mapper, number: int, stream: StreamId, version: int, name: str) -> NewEvent:
    event_id = number.to_bytes(16)
    return mapper.event(stream, version, FACTS[name], event_id=event_id, by=JANE)
