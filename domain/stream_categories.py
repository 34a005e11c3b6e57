"""
Every category of streams, with its zero state. Nothing else builds or parses the id of a stream.

    dataset-<dataset urn>                      signal-<dataset urn>/<signal type>
    incident-<incident>                        fault-<dataset urn>/<failure signature>
    lineage-<producer>                         letter-<sink>/<event id>

Requests have a category of their own, `application.idempotency`: the domain does not know them.
"""

from domain.dataset.config import DatasetConfig
from domain.delivery.dead_letter import DeadLetter
from domain.ids import DatasetUrn, FailureSignature, IncidentId, ProducerId, SignalType
from domain.incident.decisions import Incident
from domain.incident.fault_slot import Fault, FaultSlot
from domain.lineage.lineage import Lineage
from domain.signal.signal import SignalState
from domain.streams import Category, Stream, StreamId

DATASET = Category("dataset", DatasetConfig())
SIGNAL = Category("signal", SignalState())
INCIDENT = Category("incident", Incident())
FAULT = Category("fault", FaultSlot())
LINEAGE = Category("lineage", Lineage())
DEAD_LETTER = Category("letter", DeadLetter())


def dataset_stream(dataset: DatasetUrn) -> Stream[DatasetConfig]:
    return DATASET.stream(dataset)


def signal_stream(dataset: DatasetUrn, signal_type: SignalType) -> Stream[SignalState]:
    return SIGNAL.stream(dataset, signal_type)


def incident_stream(incident: IncidentId) -> Stream[Incident]:
    return INCIDENT.stream(incident)


def fault_stream(dataset: DatasetUrn, signature: FailureSignature) -> Stream[FaultSlot]:
    return FAULT.stream(dataset, signature)


def slot_of(fault: Fault) -> Stream[FaultSlot]:
    return fault_stream(fault.dataset, fault.signature)


def lineage_stream(producer: ProducerId) -> Stream[Lineage]:
    return LINEAGE.stream(producer)


def dead_letter_stream(sink: str, event_id: str) -> Stream[DeadLetter]:
    return DEAD_LETTER.stream(sink, event_id)


def dataset_of(stream: StreamId) -> DatasetUrn:
    """The dataset of a dataset's, a signal's or a fault's stream."""
    name = stream.partition("-")[2]
    return DatasetUrn(name.partition("/")[0])


def signal_of(stream: StreamId) -> SignalType:
    """The signal type of a signal's stream."""
    return SignalType(SIGNAL.names(stream)[1])


def signature_of(stream: StreamId) -> FailureSignature:
    """The failure signature of a fault's stream."""
    return FailureSignature(FAULT.names(stream)[1])


def incident_of(stream: StreamId) -> IncidentId:
    """The incident of an incident's stream."""
    return IncidentId(stream.partition("-")[2])


def producer_of(stream: StreamId) -> ProducerId:
    """The producer of a lineage stream."""
    return ProducerId(stream.partition("-")[2])


def dead_letter_parts(stream: StreamId) -> tuple[str, str]:
    """The sink and the event of a dead letter's stream."""
    return DEAD_LETTER.names(stream)
