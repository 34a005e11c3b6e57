"""The use cases that the schema asks, as the container provides them."""

from attrs import fields, frozen

from application.dataset_reads import ListDatasets, ReadDataset, ReadDatasets
from application.events_out.listening import ListenToEvents
from application.evidence import ListEvidence, ReadEvidence
from application.incident_changes import ChangeIncident, ReopenIncident, SnoozeIncident
from application.incident_reads import ListIncidents, ReadIncident, ReadIncidents, ReadTimeline
from application.lineage import ReadReaders, ReadWriters
from application.ports.clock import Clock
from application.root_cause.read_context import ReadContext
from application.signal_history import ReadHistory
from application.signal_reads import ListNotOk, ReadHealth, ReadSignal, ReadSignals
from entrypoints.container import Container
from entrypoints.interfaces.event_streams import EventStreams


@frozen
class UseCases:
    """Each is called as its provider is."""

    read_signal: ReadSignal
    read_signals: ReadSignals
    read_health: ReadHealth
    read_history: ReadHistory
    list_not_ok: ListNotOk
    read_incident: ReadIncident
    read_incidents: ReadIncidents
    list_incidents: ListIncidents
    read_timeline: ReadTimeline
    read_dataset: ReadDataset
    read_datasets: ReadDatasets
    list_datasets: ListDatasets
    read_context: ReadContext
    read_writers: ReadWriters
    read_readers: ReadReaders
    read_evidence: ReadEvidence
    list_evidence: ListEvidence
    clock: Clock
    change_incident: ChangeIncident
    reopen_incident: ReopenIncident
    snooze_incident: SnoozeIncident
    listen_to_events: ListenToEvents
    event_streams: EventStreams

    @classmethod
    def of(cls, container: Container) -> "UseCases":
        return cls(**{one.name: getattr(container, one.name)() for one in fields(cls)})
