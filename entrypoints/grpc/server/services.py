"""Every service there is over gRPC, and who may call it."""

from collections.abc import Sequence
from typing import TypeAlias

import grpc
from attrs import evolve
from google.protobuf.descriptor import ServiceDescriptor
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

from entrypoints.container import Container, dependencies_of
from entrypoints.grpc.datasets.policy_service import PolicyService
from entrypoints.grpc.datasets.service import DatasetRegistryService
from entrypoints.grpc.evidence.service import EvidenceCacheService
from entrypoints.grpc.incidents.service import IncidentService
from entrypoints.grpc.lineage.service import LineageService
from entrypoints.grpc.messages import (
    datasets_pb2,
    evidence_pb2,
    incidents_pb2,
    lineage_pb2,
    policies_pb2,
    signals_pb2,
)
from entrypoints.grpc.server.call_handling import Surroundings
from entrypoints.grpc.server.call_limits import Calls
from entrypoints.grpc.server.health import HealthService
from entrypoints.grpc.server.methods import handlers
from entrypoints.grpc.server.reflection import ReflectionService
from entrypoints.grpc.signals.service import SignalStateService

Handler: TypeAlias = "grpc.GenericRpcHandler[bytes, bytes]"

_SIGNALS = signals_pb2.DESCRIPTOR.services_by_name["SignalStateService"]
_INCIDENTS = incidents_pb2.DESCRIPTOR.services_by_name["IncidentService"]
_DATASETS = datasets_pb2.DESCRIPTOR.services_by_name["DatasetRegistryService"]
_LINEAGE = lineage_pb2.DESCRIPTOR.services_by_name["LineageService"]
_POLICIES = policies_pb2.DESCRIPTOR.services_by_name["PolicyService"]
_EVIDENCE = evidence_pb2.DESCRIPTOR.services_by_name["EvidenceCacheService"]

SERVICES = (_SIGNALS, _INCIDENTS, _DATASETS, _LINEAGE, _POLICIES, _EVIDENCE)

HEALTH = health_pb2.DESCRIPTOR.services_by_name["Health"]
REFLECTION = reflection_pb2.DESCRIPTOR.services_by_name["ServerReflection"]

MOST_STRANGERS = 100
"""Calls without a token at once: so many may watch the health, check it, and reflect."""


def all_services(container: Container) -> Sequence[Handler]:
    shared = dependencies_of(container)
    around = Surroundings(container.grpc_calls(), shared.identities(), shared.new_id)
    use, secret = shared.use_cases(), shared.page_secret()
    evidence = EvidenceCacheService(use, container.sift_evidence(), shared.clock(), secret)
    return [
        _served(_SIGNALS, SignalStateService(use, secret), around),
        _served(_INCIDENTS, IncidentService(use, secret), around),
        _served(_DATASETS, DatasetRegistryService(use, secret), around),
        _served(_LINEAGE, LineageService(use, secret), around),
        _served(_POLICIES, PolicyService(use), around),
        _served(_EVIDENCE, evidence, around),
        *_for_anyone(container, around),
    ]


def _for_anyone(container: Container, around: Surroundings) -> Sequence[Handler]:
    """Health for what balances load, reflection for tools. Neither shows any data."""
    names = frozenset(one.full_name for one in SERVICES)
    watching = Calls(MOST_STRANGERS)
    health = HealthService(container.feed(), container.progress(), names, watching)
    listed = ReflectionService([*sorted(names), HEALTH.full_name, REFLECTION.full_name])
    return [
        _served(HEALTH, health, _open(around, 2 * MOST_STRANGERS)),
        _served(REFLECTION, listed, _open(around, MOST_STRANGERS)),
    ]


def _open(around: Surroundings, most: int) -> Surroundings:
    """To anyone: their calls take nothing away from those of callers with a token."""
    calls = Calls(most, draining=around.calls.draining)
    return evolve(around, calls=calls, identities=None)


def _served(service: ServiceDescriptor, serves: object, around: Surroundings) -> Handler:
    methods = handlers(service, serves, around)
    return grpc.method_handlers_generic_handler(service.full_name, methods)
