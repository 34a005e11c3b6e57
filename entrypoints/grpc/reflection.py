"""Which services there are, and what their messages look like: so tools need no `.proto` files."""

from collections.abc import AsyncIterator, Iterable

from grpc_reflection.v1alpha import reflection
from grpc_reflection.v1alpha.reflection_pb2 import (
    ServerReflectionRequest,
    ServerReflectionResponse,
)

from entrypoints.grpc.call import Call


class ReflectionService:
    """The library's, surrounded like our own: what cannot be read is the caller's mistake."""

    def __init__(self, services: Iterable[str]) -> None:
        self._library = reflection.aio.ReflectionServicer(services)  # type: ignore[attr-defined]  # not in the stubs

    def server_reflection_info(
        self, requests: AsyncIterator[ServerReflectionRequest], call: Call
    ) -> AsyncIterator[ServerReflectionResponse]:
        told: AsyncIterator[ServerReflectionResponse] = self._library.ServerReflectionInfo(
            requests, None
        )
        return told
