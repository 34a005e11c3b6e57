"""Writers that stop at any of their writes: for ever, or until others have gone on."""

import asyncio
from collections.abc import Mapping
from typing import Any

from attrs import define, field

from adapters.dynamodb.transport.transport import Operation, Transport


class Stopped(Exception):
    """The process is no more."""


@define
class Stopping:
    """Sends so many writes, then none. The last one is applied, whoever hears of it."""

    inner: Transport
    writes: int
    sent: int = 0

    async def call(
        self, operation: Operation, request: Mapping[str, Any], *, deadline: float | None = None
    ) -> dict[str, Any]:
        if not operation.only_reads:
            if self.sent >= self.writes:
                raise Stopped
            self.sent += 1
        return await self.inner.call(operation, request, deadline=deadline)

    async def close(self) -> None:
        await self.inner.close()


@define
class Pausing:
    """Sends so many writes, then waits until it may go on."""

    inner: Transport
    writes: int
    waits: asyncio.Event = field(factory=asyncio.Event)
    goes_on: asyncio.Event = field(factory=asyncio.Event)

    async def call(
        self, operation: Operation, request: Mapping[str, Any], *, deadline: float | None = None
    ) -> dict[str, Any]:
        if not operation.only_reads:
            self.writes -= 1
            if self.writes < 0:
                self.waits.set()
                await self.goes_on.wait()
        return await self.inner.call(operation, request, deadline=deadline)

    async def close(self) -> None:
        await self.inner.close()
