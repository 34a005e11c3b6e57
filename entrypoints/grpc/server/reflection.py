"""Which services there are, and what their messages look like: so tools need no `.proto` files."""

import asyncio
from collections.abc import AsyncIterator, Iterable

from grpc_reflection.v1alpha import reflection
from grpc_reflection.v1alpha.reflection_pb2 import (
    ServerReflectionRequest,
    ServerReflectionResponse,
)

import entrypoints.grpc.messages.evidence_pb2  # noqa: F401  # told of, though not served yet
from entrypoints.grpc.server.call import Call


class ReflectionService:
    """The library's, surrounded like our own: what cannot be read is the caller's mistake."""

    def __init__(self, services: Iterable[str]) -> None:
        self._library = reflection.aio.ReflectionServicer(services)  # type: ignore[attr-defined]  # not in the stubs

    def server_reflection_info(
        self, requests: AsyncIterator[ServerReflectionRequest], call: Call
    ) -> AsyncIterator[ServerReflectionResponse]:
        """Until the server stops, which need not wait for tools that stay."""
        told: AsyncIterator[ServerReflectionResponse] = self._library.ServerReflectionInfo(
            _until(call.calls.draining, requests), None
        )
        return told


async def _until(
    ending: asyncio.Event, requests: AsyncIterator[ServerReflectionRequest]
) -> AsyncIterator[ServerReflectionRequest]:
    end = asyncio.create_task(ending.wait())
    try:
        while (request := await _next(requests, end)) is not None:
            yield request
    finally:
        end.cancel()


async def _next(
    requests: AsyncIterator[ServerReflectionRequest], end: asyncio.Task[bool]
) -> ServerReflectionRequest | None:
    """Nothing once there are no more, or it is the end."""
    coming = asyncio.ensure_future(anext(requests, None))
    try:
        await asyncio.wait({coming, end}, return_when=asyncio.FIRST_COMPLETED)
        return coming.result() if coming.done() else None
    finally:
        coming.cancel()
