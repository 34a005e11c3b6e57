"""What HTTP, gRPC and GraphQL are given besides the use cases."""

import hashlib

from dependency_injector import providers

from adapters.tokens.admin_token import AdminToken
from entrypoints.grpc.calls import Calls
from entrypoints.grpc.datasets import DatasetRegistryService
from entrypoints.grpc.evidence import EvidenceCacheService
from entrypoints.grpc.incidents import IncidentService
from entrypoints.grpc.lineage import LineageService
from entrypoints.grpc.policies import PolicyService
from entrypoints.grpc.signals import SignalStateService
from entrypoints.interfaces.event_streams import EventStreams
from entrypoints.wiring.ground import Ground
from entrypoints.wiring.reactions import Reactions
from entrypoints.wiring.use_cases import UseCases


def _page_secret(token: AdminToken) -> bytes:
    # Derived, so that a page token outlives a restart without another secret to keep.
    return hashlib.sha256(b"page tokens\0" + token.secret.encode()).digest()


class Interfaces(Reactions):
    # What they share
    page_secret = providers.Singleton(_page_secret, Ground.identities)
    event_streams = providers.Singleton(
        EventStreams,
        Ground.settings.provided.event_streams,
        Ground.settings.provided.event_heartbeat_seconds,
    )

    # gRPC
    grpc_calls = providers.Singleton(Calls, Ground.settings.provided.grpc_calls)
    signal_service = providers.Singleton(
        SignalStateService,
        UseCases.update_signal,
        UseCases.update_signals,
        UseCases.read_signal,
        UseCases.read_signals,
        UseCases.read_health,
        UseCases.list_not_ok,
        UseCases.read_history,
        page_secret,
    )
    dataset_service = providers.Singleton(
        DatasetRegistryService,
        listing_rules=UseCases.list_rules,
        adding=UseCases.add_rule,
        changing=UseCases.change_rule,
        removing=UseCases.remove_rule,
        resolving=UseCases.resolve_dataset,
        registering=UseCases.register_dataset,
        updating=UseCases.update_dataset,
        retiring=UseCases.retire_dataset,
        restoring=UseCases.restore_dataset,
        reading=UseCases.read_dataset,
        listing=UseCases.list_datasets,
        listing_versions=UseCases.list_versions,
        page_secret=page_secret,
    )
    incident_service = providers.Singleton(
        IncidentService,
        reading=UseCases.read_incident,
        listing=UseCases.list_incidents,
        telling=UseCases.read_timeline,
        measuring=UseCases.read_blast_radius,
        page_secret=page_secret,
        opening=UseCases.open_incident,
        changing=UseCases.change_incident,
        reopening=UseCases.reopen_incident,
        snoozing=UseCases.snooze_incident,
        merging=UseCases.merge_incident,
        splitting=UseCases.split_incident,
    )
    lineage_service = providers.Singleton(
        LineageService,
        declaring=UseCases.declare_lineage,
        writers=UseCases.read_writers,
        readers=UseCases.read_readers,
        impact=UseCases.read_impact,
        page_secret=page_secret,
    )
    policy_service = providers.Singleton(PolicyService, UseCases.read_policies)
    evidence_service = providers.Singleton(
        EvidenceCacheService,
        UseCases.put_evidence,
        UseCases.sift_evidence,
        UseCases.read_evidence,
        UseCases.list_evidence,
        Ground.clock,
        page_secret,
    )
