"""One application that is asked over HTTP and, through a real channel, over gRPC."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import grpc
import grpc.aio
from attrs import define, frozen
from google.protobuf.descriptor import FileDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo
from google.rpc.status_pb2 import Status

from entrypoints.container import Container
from entrypoints.grpc.errors import DETAILS
from entrypoints.grpc.messages import datasets_pb2, incidents_pb2, lineage_pb2, policies_pb2
from entrypoints.grpc.server import GrpcServer, listen
from tests.entrypoints.http.api import ENGINE, TOKEN, Api, serving

FILES: tuple[FileDescriptor, ...] = (
    datasets_pb2.DESCRIPTOR,
    incidents_pb2.DESCRIPTOR,
    lineage_pb2.DESCRIPTOR,
    policies_pb2.DESCRIPTOR,
)
METHODS: Mapping[str, MethodDescriptor] = {
    method.input_type.full_name: method
    for file in FILES
    for service in file.services_by_name.values()
    for method in service.methods
}
"""Each request belongs to one method."""

PATIENCE = 30.0
"""Seconds; no call of these tests takes nearly as long."""


@frozen
class Refused:
    """What is told of an error."""

    code: grpc.StatusCode
    reason: str
    data: Mapping[str, str]
    fields: Mapping[str, str]
    """What is wrong, by field: its code."""


@define
class Both:
    http: Api
    channel: grpc.aio.Channel

    def call(self, request: Message, *, key: str | None = None) -> Any:
        """What the method answers that takes such requests."""
        return self.http.loop.run(self._called(request, key))

    def refused(self, request: Message, *, key: str | None = None) -> Refused:
        """What the method says against the request."""
        refused = self.tried(request, key=key)
        assert refused is not None, f"was not refused: {request}"
        return refused

    def tried(self, request: Message, *, key: str | None = None) -> Refused | None:
        """The same, if it does."""
        try:
            self.call(request, key=key)
        except grpc.aio.AioRpcError as error:
            return _refused(error)
        return None

    async def _called(self, request: Message, key: str | None) -> Any:
        method = METHODS[request.DESCRIPTOR.full_name]
        said = [("authorization", f"Bearer {TOKEN}")]
        if key is not None:
            said.append(("idempotency-key", key))
        ask = self.channel.unary_unary(
            f"/{method.containing_service.full_name}/{method.name}",
            request_serializer=lambda one: one.SerializeToString(),
            response_deserializer=GetMessageClass(method.output_type).FromString,
        )
        return await ask(request, metadata=said, timeout=PATIENCE)


def _refused(error: grpc.aio.AioRpcError) -> Refused:
    trailing: Any = error.trailing_metadata()
    status = Status.FromString(dict(trailing)[DETAILS])
    told, wrong = ErrorInfo(), BadRequest()
    for detail in status.details:
        detail.Unpack(told)
        detail.Unpack(wrong)
    fields = {one.field: one.reason for one in wrong.field_violations}
    return Refused(error.code(), told.reason, dict(told.metadata), fields)


@contextmanager
def both_served(
    prepare: Callable[[Container], None] = lambda container: None,
) -> Iterator[Both]:
    """`prepare` may put something else into the container before anything is made of it."""
    with serving(ENGINE, prepare, STATESTORE_GRPC_PORT="0") as api:
        server, channel = api.loop.run(_started(api))
        yield Both(api, channel)
        api.loop.run(_ended(server, channel))


async def _started(api: Api) -> tuple[GrpcServer, grpc.aio.Channel]:
    server = listen(api.container, "127.0.0.1")
    await server.start()
    return server, grpc.aio.insecure_channel(server.address)


async def _ended(server: GrpcServer, channel: grpc.aio.Channel) -> None:
    await channel.close(None)
    await server.ended()
