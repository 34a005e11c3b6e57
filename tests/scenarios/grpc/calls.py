"""Calling a method by what it takes."""

from collections.abc import Mapping
from typing import Any

from attrs import frozen
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from entrypoints.grpc.server.services import SERVICES
from tests.entrypoints.grpc.support.served import Served

METHODS: Mapping[str, MethodDescriptor] = {
    method.input_type.full_name: method for service in SERVICES for method in service.methods
}
"""Each request belongs to one method."""


@frozen
class GrpcCalls:
    served: Served

    def call(self, request: Message) -> Any:
        """Raises AioRpcError."""
        method = METHODS[request.DESCRIPTOR.full_name]
        path = f"/{method.containing_service.full_name}/{method.name}"
        return self.served.ask(path, request, GetMessageClass(method.output_type))
