"""Whether the process can be asked, as `/readyz` says it, by gRPC's own protocol."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress

from attrs import frozen
from grpc_health.v1.health_pb2 import (
    HealthCheckRequest,
    HealthCheckResponse,
    HealthListRequest,
    HealthListResponse,
)

from application.errors import Unavailable
from application.projections.progress import Progress
from application.subscriptions.feed import Feed
from domain.errors import NotFound
from entrypoints.grpc.server.call import Call
from entrypoints.grpc.server.call_limits import Calls
from entrypoints.interfaces.readiness import behind

LOOKS_EVERY = 1.0
"""Seconds between two looks of one who watches."""

SERVING = HealthCheckResponse.SERVING
NOT_SERVING = HealthCheckResponse.NOT_SERVING
UNKNOWN = HealthCheckResponse.SERVICE_UNKNOWN


@frozen
class HealthService:
    """All services stand and fall together."""

    feed: Feed
    progress: Progress
    services: frozenset[str]
    watching: Calls
    """Those who watch: they stay, and must not be in the way of those who check."""
    looks_every: float = LOOKS_EVERY

    async def check(self, request: HealthCheckRequest, call: Call) -> HealthCheckResponse:
        if not self._knows(request):
            raise NotFound("service", request.service)
        return HealthCheckResponse(status=await self._status(call))

    async def list(self, request: HealthListRequest, call: Call) -> HealthListResponse:
        status = HealthCheckResponse(status=await self._status(call))
        return HealthListResponse(statuses=dict.fromkeys(["", *self.services], status))

    async def watch(
        self, request: HealthCheckRequest, call: Call
    ) -> AsyncIterator[HealthCheckResponse]:
        """Tells of every change, and last that nothing is served any more.

        Raises TooManyCalls if no more may watch.
        """
        self.watching.enter()
        try:
            async with aclosing(self._changes(request, call)) as changes:
                async for change in changes:
                    yield change
        finally:
            self.watching.leave()

    async def _changes(
        self, request: HealthCheckRequest, call: Call
    ) -> AsyncGenerator[HealthCheckResponse, None]:
        last, ending = None, False
        while not ending:
            ending = call.calls.draining.is_set()
            status = await self._status(call) if self._knows(request) else UNKNOWN
            if status != last:
                yield HealthCheckResponse(status=status)
            last = status
            with suppress(TimeoutError):
                await asyncio.wait_for(call.calls.draining.wait(), self.looks_every)

    def _knows(self, request: HealthCheckRequest) -> bool:
        return not request.service or request.service in self.services

    async def _status(self, call: Call) -> HealthCheckResponse.ServingStatus:
        if call.calls.draining.is_set():
            return NOT_SERVING
        try:
            return NOT_SERVING if behind(self.progress, await self.feed.head()) else SERVING
        except Unavailable:
            return NOT_SERVING
