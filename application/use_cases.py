"""The use cases of the store, in one typed record: all that its interfaces may ask of it."""

from attrs import frozen

from application.caches.commands import ClearCaches, ReadCaches
from application.datasets.commands import (
    RegisterDataset,
    RestoreDataset,
    RetireDataset,
    UpdateDataset,
)
from application.datasets.policies import ReadPolicies
from application.datasets.queries import ListDatasets, ListVersions, ReadDataset, ReadDatasets
from application.datasets.resolution import (
    AddRule,
    ChangeRule,
    ListRules,
    RemoveRule,
    ResolveDataset,
)
from application.delivery.dead_letters import (
    DropDeadLetter,
    ListDeadLetters,
    ReadDeadLetter,
    ResendDeadLetter,
)
from application.delivery.subscription import ListenToEvents
from application.evidence.archive_maintenance import CompactEvidence, CountEvidence, ForgetEvidence
from application.evidence.cache_rebuild import RebuildEvidence
from application.evidence.commands import PutEvidence
from application.evidence.queries import ListEvidence, ReadEvidence
from application.evidence.verification import VerifyEvidence
from application.incidents.changes import ChangeIncident, ReopenIncident, SnoozeIncident
from application.incidents.merging import MergeIncident, SplitIncident
from application.incidents.opening import OpenIncident
from application.incidents.queries import ListIncidents, ReadIncident, ReadIncidents, ReadTimeline
from application.lineage.blast_radius import ReadBlastRadius
from application.lineage.commands_and_queries import DeclareLineage, ReadReaders, ReadWriters
from application.lineage.impact import ReadImpact
from application.maintenance.rebuild import Rebuild
from application.maintenance.verify import Verify
from application.people.commands import ErasePerson
from application.projections.quarantine import ListSetAside
from application.root_cause.queries import ReadContext
from application.signals.commands import UpdateSignal, UpdateSignals
from application.signals.history import ReadHistory
from application.signals.queries import ListNotOk, ReadHealth, ReadSignal, ReadSignals


@frozen
class UseCases:
    # Signals
    update_signal: UpdateSignal
    update_signals: UpdateSignals
    read_signal: ReadSignal
    read_signals: ReadSignals
    read_health: ReadHealth
    list_not_ok: ListNotOk
    read_history: ReadHistory

    # Datasets
    register_dataset: RegisterDataset
    update_dataset: UpdateDataset
    retire_dataset: RetireDataset
    restore_dataset: RestoreDataset
    read_dataset: ReadDataset
    read_datasets: ReadDatasets
    list_datasets: ListDatasets
    list_versions: ListVersions
    read_policies: ReadPolicies

    # Resolution
    add_rule: AddRule
    change_rule: ChangeRule
    remove_rule: RemoveRule
    list_rules: ListRules
    resolve_dataset: ResolveDataset

    # Lineage
    declare_lineage: DeclareLineage
    read_writers: ReadWriters
    read_readers: ReadReaders
    read_impact: ReadImpact

    # Incidents
    open_incident: OpenIncident
    change_incident: ChangeIncident
    reopen_incident: ReopenIncident
    snooze_incident: SnoozeIncident
    merge_incident: MergeIncident
    split_incident: SplitIncident
    read_incident: ReadIncident
    read_incidents: ReadIncidents
    list_incidents: ListIncidents
    read_timeline: ReadTimeline
    read_blast_radius: ReadBlastRadius
    read_context: ReadContext

    # Evidence
    put_evidence: PutEvidence
    read_evidence: ReadEvidence
    list_evidence: ListEvidence

    # Events
    listen_to_events: ListenToEvents
    list_dead_letters: ListDeadLetters
    read_dead_letter: ReadDeadLetter
    resend_dead_letter: ResendDeadLetter
    drop_dead_letter: DropDeadLetter

    # Operations
    rebuild_projections: Rebuild
    verify_projections: Verify
    list_set_aside: ListSetAside
    rebuild_evidence: RebuildEvidence
    verify_evidence: VerifyEvidence
    count_evidence: CountEvidence
    compact_evidence: CompactEvidence
    forget_evidence: ForgetEvidence
    read_caches: ReadCaches
    clear_caches: ClearCaches
    erase_person: ErasePerson
