"""Logs on DynamoDB Local for tests that have no event loop, or many."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime
from functools import cache
from typing import Any

from attrs import frozen

from adapters.blobs.store import BlobStore
from adapters.dynamodb.items.item_table import ItemTable
from adapters.dynamodb.log.log import DynamoLog, utc_now
from adapters.dynamodb.log_records.snapshots import DynamoSnapshots
from adapters.dynamodb.retry.retrying import Retrying
from adapters.dynamodb.transport.http_transport import HttpTransport
from adapters.dynamodb.transport.loop_thread import LoopThread
from adapters.dynamodb.transport.transport import Transport
from adapters.eventstore.log import Append, LogEntry, Receipt
from adapters.eventstore.snapshots import Snapshot
from application.reads.history import End
from tests.adapters.dynamodb.support import dynamodb_local
from tests.adapters.dynamodb.support.fixtures import REGION, FixedCredentials, new_table


@cache
def shared_table() -> str:
    """A table for all logs of this process: each test's application has a name of its own."""
    return new_table("log")


def sends_once() -> Transport:
    return HttpTransport(dynamodb_local.endpoint(), REGION, FixedCredentials())


def retrying(inner: Transport) -> Transport:
    return Retrying(inner, refresh=_nothing_to_refresh)


async def _nothing_to_refresh() -> None:
    """These credentials do not expire."""


@asynccontextmanager
async def open_log(
    name: str, transport: Transport | None = None, **more: Any
) -> AsyncIterator[DynamoLog]:
    """A log on the running event loop. The transport is closed with it."""
    transport = transport or retrying(sends_once())
    log = DynamoLog(ItemTable(transport, shared_table()), name, **more)
    try:
        await log.open()
        yield log
        await log.close()
    finally:
        await transport.close()


@frozen
class LogOnItsThread:
    """The log as callers on any thread and any event loop see it."""

    inner: DynamoLog
    thread: LoopThread

    def submit(self, append: Append) -> Future[Receipt]:
        return self.inner.submit(append)

    async def append(self, append: Append) -> Receipt:
        return await asyncio.wrap_future(self.inner.submit(append))

    async def last_version(self, stream: str) -> int | None:
        return await asyncio.wrap_future(self.thread.start(self.inner.last_version(stream)))

    async def stream(
        self, stream: str, *, after: int = -1, upto: int | None = None, limit: int | None = None
    ) -> Sequence[LogEntry]:
        reading = self.inner.stream(stream, after=after, upto=upto, limit=limit)
        return await asyncio.wrap_future(self.thread.start(reading))

    async def read(self, after: int, limit: int) -> Sequence[LogEntry]:
        return await asyncio.wrap_future(self.thread.start(self.inner.read(after, limit)))

    async def position_at(self, moment: datetime) -> int:
        return await asyncio.wrap_future(self.thread.start(self.inner.position_at(moment)))

    async def version_at(self, stream: str, position: int) -> int | None:
        finding = self.inner.version_at(stream, position)
        return await asyncio.wrap_future(self.thread.start(finding))

    async def head(self) -> int:
        return await asyncio.wrap_future(self.thread.start(self.inner.head()))

    async def end(self) -> End:
        return await asyncio.wrap_future(self.thread.start(self.inner.end()))

    async def beyond(self, position: int, *, timeout: float) -> bool:
        waiting = self.inner.beyond(position, timeout=timeout)
        return await asyncio.wrap_future(self.thread.start(waiting))


@frozen
class SnapshotsOnTheirThread:
    """Snapshots as callers on any thread and any event loop see them."""

    inner: DynamoSnapshots
    thread: LoopThread

    def keep(self, snapshot: Snapshot) -> None:
        self.thread.run(self._keep(snapshot))

    async def latest(self, stream: str, kind: str) -> Snapshot | None:
        return await asyncio.wrap_future(self.thread.start(self.inner.latest(stream, kind)))

    async def clear(self) -> None:
        await asyncio.wrap_future(self.thread.start(self.inner.clear()))

    async def _keep(self, snapshot: Snapshot) -> None:
        self.inner.keep(snapshot)
        await self.inner.settle()


@contextmanager
def log_on_its_thread(
    name: str,
    *,
    now: Callable[[], datetime] = utc_now,
    hot_streams: int = 50_000,
    block_size: int = 1_000_000,
    blobs: BlobStore | None = None,
) -> Iterator[LogOnItsThread]:
    transport = retrying(sends_once())
    log = DynamoLog(
        ItemTable(transport, shared_table()),
        name,
        now=now,
        hot_streams=hot_streams,
        block_size=block_size,
        blobs=blobs,
    )
    thread = LoopThread("a log under test")
    try:
        thread.run(log.open())
        yield LogOnItsThread(log, thread)
        thread.run(log.close())
    finally:
        thread.run(transport.close())
        thread.close()
