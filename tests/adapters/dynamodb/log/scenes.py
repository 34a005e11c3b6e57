"""Scenes for the log on DynamoDB: what happens between two calls."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from random import Random
from typing import Any

from attrs import define, field

from adapters.dynamodb.log.log import DynamoLog
from adapters.dynamodb.transport.transport import Operation, Transport
from adapters.eventstore.log import LogEntry
from tests.adapters.dynamodb.support import dynamodb_local

Scene = Callable[[str], Awaitable[None]]


def scene(play: Scene) -> Callable[[], None]:
    """A test that runs on one event loop, with an application name of its own."""

    def test() -> None:
        asyncio.run(play(dynamodb_local.unused_table("app")))  # type: ignore[arg-type]

    test.__name__ = play.__name__
    return test


@define
class Between:
    """Calls something before a transaction is sent, once; counts all calls by operation."""

    inner: Transport
    before_transaction: Callable[[], Awaitable[object]] | None = None
    fail_with: Exception | None = None
    calls: list[Operation] = field(factory=list)

    async def call(
        self, operation: Operation, request: Mapping[str, Any], *, deadline: float | None = None
    ) -> dict[str, Any]:
        self.calls.append(operation)
        if operation is Operation.TRANSACT_WRITE_ITEMS:
            before, self.before_transaction = self.before_transaction, None
            if before is not None:
                await before()
            if self.fail_with is not None:
                raise self.fail_with
        return await self.inner.call(operation, request, deadline=deadline)

    async def close(self) -> None:
        await self.inner.close()


def noise(size: int) -> bytes:
    """Bytes that do not compress."""
    return Random(size).randbytes(size)


async def everything(log: DynamoLog) -> Sequence[LogEntry]:
    return await log.read(0, 10_000)


def recover(lossy: Between) -> None:
    lossy.fail_with = None
