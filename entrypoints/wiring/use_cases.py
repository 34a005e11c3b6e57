"""The use cases, by subject, and the record of them that interfaces are given."""

from datetime import timedelta

from dependency_injector import providers

from adapters.cache.operations import CachesLookedAfter
from adapters.eventstore.sealing.erasure import SealedPeople
from application.caches.commands import ClearCaches, ReadCaches
from application.datasets.commands import (
    RegisterDataset,
    RestoreDataset,
    RetireDataset,
    UpdateDataset,
)
from application.datasets.policies import ReadPolicies, Terms
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
from application.incidents.changes import ChangeIncident, ReopenIncident, SnoozeIncident
from application.incidents.merging import MergeIncident, SplitIncident
from application.incidents.opening import OpenIncident
from application.incidents.queries import ListIncidents, ReadIncident, ReadIncidents, ReadTimeline
from application.lineage.blast_radius import MeasureBlastRadius, ReadBlastRadius
from application.lineage.commands_and_queries import DeclareLineage, ReadReaders, ReadWriters
from application.lineage.impact import ReadImpact
from application.people.commands import ErasePerson
from application.projections.quarantine import ListSetAside
from application.root_cause.queries import ReadContext
from application.signals.commands import UpdateSignal, UpdateSignals
from application.signals.history import ReadHistory
from application.signals.queries import ListNotOk, ReadHealth, ReadSignal, ReadSignals
from application.use_cases import UseCases
from entrypoints.wiring.delivery import EventsOut
from entrypoints.wiring.evidence import EvidenceParts
from entrypoints.wiring.facts import Facts
from entrypoints.wiring.foundation import Ground
from entrypoints.wiring.read_models import ReadModels
from entrypoints.wiring.reading import Reading
from entrypoints.wiring.rebuilding import Renewal


class UseCaseParts(EvidenceParts):
    # Signals
    horizon = providers.Callable(
        lambda settings: timedelta(hours=settings.signal_allowed_lateness_hours), Ground.settings
    )
    update_signal = providers.Singleton(
        UpdateSignal, ReadModels.streams, Ground.access, Ground.clock, horizon
    )
    update_signals = providers.Singleton(UpdateSignals, update_signal)
    read_signal = providers.Singleton(ReadSignal, Reading.reads, Ground.access)
    read_signals = providers.Singleton(ReadSignals, Reading.reads, Ground.access)
    read_health = providers.Singleton(ReadHealth, Reading.reads, Ground.access)
    list_not_ok = providers.Singleton(ListNotOk, Reading.reads, Ground.access)
    read_history = providers.Singleton(ReadHistory, Reading.reads, Ground.access)

    # Datasets
    register_dataset = providers.Singleton(
        RegisterDataset, ReadModels.streams, Ground.access, Ground.patterns
    )
    update_dataset = providers.Singleton(
        UpdateDataset, ReadModels.streams, Ground.access, Ground.patterns
    )
    retire_dataset = providers.Singleton(RetireDataset, ReadModels.streams, Ground.access)
    restore_dataset = providers.Singleton(RestoreDataset, ReadModels.streams, Ground.access)
    read_dataset = providers.Singleton(ReadDataset, Reading.reads, Ground.access)
    read_datasets = providers.Singleton(ReadDatasets, Reading.reads, Ground.access)
    list_datasets = providers.Singleton(ListDatasets, Reading.reads, Ground.access)
    list_versions = providers.Singleton(ListVersions, Reading.reads, Ground.access)

    # What enforcers ask
    policy_terms = providers.Singleton(
        Terms,
        Ground.settings.provided.policy_cache_ttl_seconds,
        Ground.settings.provided.policy_fallback_on_miss,
    )
    read_policies = providers.Singleton(ReadPolicies, Reading.reads, Ground.access, policy_terms)

    # Resolution
    add_rule = providers.Singleton(AddRule, ReadModels.streams, Ground.access, Ground.payloads)
    change_rule = providers.Singleton(
        ChangeRule, ReadModels.streams, Ground.access, Ground.payloads
    )
    remove_rule = providers.Singleton(RemoveRule, ReadModels.streams, Ground.access)
    list_rules = providers.Singleton(ListRules, Reading.reads, Ground.access)
    resolve_dataset = providers.Singleton(
        ResolveDataset,
        Reading.reads,
        Ground.access,
        Ground.payloads,
        Ground.patterns,
    )

    # Lineage
    declare_lineage = providers.Singleton(
        DeclareLineage, ReadModels.streams, Ground.access, Ground.clock, ReadModels.kept_for.lineage
    )
    read_writers = providers.Singleton(ReadWriters, Reading.reads, Ground.access)
    read_readers = providers.Singleton(ReadReaders, Reading.reads, Ground.access)
    read_impact = providers.Singleton(ReadImpact, Reading.reads, Ground.access)

    # Incidents
    reopened_within = providers.Callable(
        lambda settings: timedelta(hours=settings.reopen_window_hours), Ground.settings
    )
    measure_blast_radius = providers.Singleton(MeasureBlastRadius, Reading.reads)
    open_incident = providers.Singleton(
        OpenIncident,
        ReadModels.streams,
        Ground.access,
        Ground.clock,
        Ground.new_id,
        measure_blast_radius,
    )
    change_incident = providers.Singleton(
        ChangeIncident, ReadModels.streams, Ground.access, Ground.clock, reopened_within
    )
    reopen_incident = providers.Singleton(ReopenIncident, change_incident)
    snooze_incident = providers.Singleton(SnoozeIncident, change_incident)
    merge_incident = providers.Singleton(
        MergeIncident, ReadModels.streams, Ground.access, Ground.clock
    )
    split_incident = providers.Singleton(
        SplitIncident,
        ReadModels.streams,
        Ground.access,
        Ground.clock,
        ReadModels.kept_for.incidents,
    )
    read_incident = providers.Singleton(
        ReadIncident, Reading.reads, Ground.access, ReadModels.kept_for.incidents
    )
    read_incidents = providers.Singleton(ReadIncidents, Reading.reads, Ground.access)
    list_incidents = providers.Singleton(ListIncidents, Reading.reads, Ground.access)
    read_timeline = providers.Singleton(ReadTimeline, Reading.reads, Ground.access)
    read_blast_radius = providers.Singleton(ReadBlastRadius, Reading.reads, Ground.access)

    # Root cause
    read_context = providers.Singleton(
        ReadContext,
        Reading.reads,
        Ground.access,
        EvidenceParts.read_evidence,
        Ground.settings.provided.context_timeout_seconds,
        ReadModels.kept_for.incidents,
    )

    # Events
    listen_to_events = providers.Singleton(
        ListenToEvents, Facts.feed, EventsOut.announcements, Ground.access
    )
    list_dead_letters = providers.Singleton(ListDeadLetters, Reading.reads, Ground.access)
    read_dead_letter = providers.Singleton(
        ReadDeadLetter, ReadModels.streams, Facts.feed, EventsOut.announcements, Ground.access
    )
    resend_dead_letter = providers.Singleton(
        ResendDeadLetter, read_dead_letter, ReadModels.streams, EventsOut.sinks, Ground.access
    )
    drop_dead_letter = providers.Singleton(DropDeadLetter, ReadModels.streams, Ground.access)
    list_set_aside = providers.Singleton(ListSetAside, ReadModels.set_aside_facts, Ground.access)

    # Caches
    caches = providers.Singleton(CachesLookedAfter, ReadModels.row_cache)
    read_caches = providers.Singleton(ReadCaches, caches, Ground.access)
    clear_caches = providers.Singleton(ClearCaches, caches, Ground.access)

    # People
    people = providers.Singleton(
        SealedPeople,
        Facts.seals,
        Facts.logged_streams,
        Facts.feed,
        ReadModels.runner.provided.at_rest,
    )
    erase_person = providers.Singleton(ErasePerson, people, Ground.access)

    use_cases = providers.Singleton(
        UseCases,
        update_signal=update_signal,
        update_signals=update_signals,
        read_signal=read_signal,
        read_signals=read_signals,
        read_health=read_health,
        list_not_ok=list_not_ok,
        read_history=read_history,
        register_dataset=register_dataset,
        update_dataset=update_dataset,
        retire_dataset=retire_dataset,
        restore_dataset=restore_dataset,
        read_dataset=read_dataset,
        read_datasets=read_datasets,
        list_datasets=list_datasets,
        list_versions=list_versions,
        read_policies=read_policies,
        add_rule=add_rule,
        change_rule=change_rule,
        remove_rule=remove_rule,
        list_rules=list_rules,
        resolve_dataset=resolve_dataset,
        declare_lineage=declare_lineage,
        read_writers=read_writers,
        read_readers=read_readers,
        read_impact=read_impact,
        open_incident=open_incident,
        change_incident=change_incident,
        reopen_incident=reopen_incident,
        snooze_incident=snooze_incident,
        merge_incident=merge_incident,
        split_incident=split_incident,
        read_incident=read_incident,
        read_incidents=read_incidents,
        list_incidents=list_incidents,
        read_timeline=read_timeline,
        read_blast_radius=read_blast_radius,
        read_context=read_context,
        put_evidence=EvidenceParts.put_evidence,
        read_evidence=EvidenceParts.read_evidence,
        list_evidence=EvidenceParts.list_evidence,
        listen_to_events=listen_to_events,
        list_dead_letters=list_dead_letters,
        read_dead_letter=read_dead_letter,
        resend_dead_letter=resend_dead_letter,
        drop_dead_letter=drop_dead_letter,
        rebuild_projections=Renewal.rebuild,
        verify_projections=Renewal.verify,
        list_set_aside=list_set_aside,
        rebuild_evidence=EvidenceParts.rebuild_evidence,
        verify_evidence=EvidenceParts.verify_evidence,
        count_evidence=EvidenceParts.count_evidence,
        compact_evidence=EvidenceParts.compact_evidence,
        forget_evidence=EvidenceParts.forget_evidence,
        read_caches=read_caches,
        clear_caches=clear_caches,
        erase_person=erase_person,
    )
