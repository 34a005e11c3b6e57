"""Every service there is over gRPC, and who may call it."""

from collections.abc import Sequence
from typing import TypeAlias

import grpc
from attrs import evolve
from google.protobuf.descriptor import ServiceDescriptor
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

from entrypoints.container import Container
from entrypoints.grpc.calls import Calls
from entrypoints.grpc.health import HealthService
from entrypoints.grpc.messages import (
    datasets_pb2,
    incidents_pb2,
    lineage_pb2,
    policies_pb2,
    signals_pb2,
)
from entrypoints.grpc.methods import handlers
from entrypoints.grpc.reflection import ReflectionService
from entrypoints.grpc.surroundings import Surroundings

Handler: TypeAlias = "grpc.GenericRpcHandler[bytes, bytes]"

SERVICES: tuple[tuple[ServiceDescriptor, str], ...] = (
    (signals_pb2.DESCRIPTOR.services_by_name["SignalStateService"], "signal_service"),
    (incidents_pb2.DESCRIPTOR.services_by_name["IncidentService"], "incident_service"),
    (datasets_pb2.DESCRIPTOR.services_by_name["DatasetRegistryService"], "dataset_service"),
    (lineage_pb2.DESCRIPTOR.services_by_name["LineageService"], "lineage_service"),
    (policies_pb2.DESCRIPTOR.services_by_name["PolicyService"], "policy_service"),
)
"""Each with what the container calls it."""

HEALTH = health_pb2.DESCRIPTOR.services_by_name["Health"]
REFLECTION = reflection_pb2.DESCRIPTOR.services_by_name["ServerReflection"]

MOST_STRANGERS = 100
"""Calls of health and reflection on their way at once: they need no token."""


def all_services(container: Container) -> Sequence[Handler]:
    around = Surroundings(
        container.grpc_calls(),
        container.identities(),
        container.reads(),
        container.new_id(),
    )
    ours = [_served(one, getattr(container, name)(), around) for one, name in SERVICES]
    return [*ours, *_for_anyone(container, around)]


def _for_anyone(container: Container, around: Surroundings) -> Sequence[Handler]:
    """Health for what balances load, reflection for tools. Neither shows any data."""
    calls = Calls(MOST_STRANGERS, draining=around.calls.draining)
    outside = evolve(around, calls=calls, identities=None)
    names = frozenset(one.full_name for one, _ in SERVICES)
    health = HealthService(container.feed(), container.progress(), names)
    listed = ReflectionService([*sorted(names), HEALTH.full_name, REFLECTION.full_name])
    return [_served(HEALTH, health, outside), _served(REFLECTION, listed, outside)]


def _served(service: ServiceDescriptor, serves: object, around: Surroundings) -> Handler:
    methods = handlers(service, serves, around)
    return grpc.method_handlers_generic_handler(service.full_name, methods)
