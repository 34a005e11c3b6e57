"""One application that is asked over gRPC and over HTTP: calls by what they send."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import grpc
import grpc.aio
from attrs import define
from google.protobuf.descriptor import FileDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from entrypoints.grpc.messages import (
    datasets_pb2,
    evidence_pb2,
    incidents_pb2,
    lineage_pb2,
    policies_pb2,
)
from tests.entrypoints.grpc.support.served import Metadata, Refused, Served, refused, served
from tests.entrypoints.http.api import Api

FILES: tuple[FileDescriptor, ...] = (
    datasets_pb2.DESCRIPTOR,
    incidents_pb2.DESCRIPTOR,
    lineage_pb2.DESCRIPTOR,
    policies_pb2.DESCRIPTOR,
    evidence_pb2.DESCRIPTOR,
)
METHODS: Mapping[str, MethodDescriptor] = {
    method.input_type.full_name: method
    for file in FILES
    for service in file.services_by_name.values()
    for method in service.methods
    if not method.client_streaming
}
"""Each request belongs to one method."""


@define
class Both:
    served: Served

    @property
    def http(self) -> Api:
        return self.served.api

    def call(self, request: Message, *, key: str | None = None) -> Any:
        """What the method answers that takes such requests."""
        method = METHODS[request.DESCRIPTOR.full_name]
        path = f"/{method.containing_service.full_name}/{method.name}"
        said: Metadata = [] if key is None else [("idempotency-key", key)]
        return self.served.ask(path, request, GetMessageClass(method.output_type), said)

    def refused(self, request: Message, *, key: str | None = None) -> Refused:
        """What the method says against the request."""
        told = self.tried(request, key=key)
        assert told is not None, f"was not refused: {request}"
        return told

    def tried(self, request: Message, *, key: str | None = None) -> Refused | None:
        """The same, if it does."""
        try:
            self.call(request, key=key)
        except grpc.aio.AioRpcError as error:
            return refused(error)
        return None


@contextmanager
def both_served(*args: Any, **more: Any) -> Iterator[Both]:
    with served(*args, **more) as one:
        yield Both(one)
