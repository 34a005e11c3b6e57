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
from entrypoints.wiring.use_cases import UseCaseParts


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
        UseCaseParts.update_signal,
        UseCaseParts.update_signals,
        UseCaseParts.read_signal,
        UseCaseParts.read_signals,
        UseCaseParts.read_health,
        UseCaseParts.list_not_ok,
        UseCaseParts.read_history,
        page_secret,
    )
    dataset_service = providers.Singleton(
        DatasetRegistryService,
        listing_rules=UseCaseParts.list_rules,
        adding=UseCaseParts.add_rule,
        changing=UseCaseParts.change_rule,
        removing=UseCaseParts.remove_rule,
        resolving=UseCaseParts.resolve_dataset,
        registering=UseCaseParts.register_dataset,
        updating=UseCaseParts.update_dataset,
        retiring=UseCaseParts.retire_dataset,
        restoring=UseCaseParts.restore_dataset,
        reading=UseCaseParts.read_dataset,
        listing=UseCaseParts.list_datasets,
        listing_versions=UseCaseParts.list_versions,
        page_secret=page_secret,
    )
    incident_service = providers.Singleton(
        IncidentService,
        reading=UseCaseParts.read_incident,
        listing=UseCaseParts.list_incidents,
        telling=UseCaseParts.read_timeline,
        measuring=UseCaseParts.read_blast_radius,
        page_secret=page_secret,
        opening=UseCaseParts.open_incident,
        changing=UseCaseParts.change_incident,
        reopening=UseCaseParts.reopen_incident,
        snoozing=UseCaseParts.snooze_incident,
        merging=UseCaseParts.merge_incident,
        splitting=UseCaseParts.split_incident,
    )
    lineage_service = providers.Singleton(
        LineageService,
        declaring=UseCaseParts.declare_lineage,
        writers=UseCaseParts.read_writers,
        readers=UseCaseParts.read_readers,
        impact=UseCaseParts.read_impact,
        page_secret=page_secret,
    )
    policy_service = providers.Singleton(PolicyService, UseCaseParts.read_policies)
    evidence_service = providers.Singleton(
        EvidenceCacheService,
        UseCaseParts.put_evidence,
        UseCaseParts.sift_evidence,
        UseCaseParts.read_evidence,
        UseCaseParts.list_evidence,
        Ground.clock,
        page_secret,
    )
