"""The evidence caches that the contract suite and the machine are run against."""

import asyncio
from collections.abc import (
    AsyncIterator,
    Callable,
    Collection,
    Coroutine,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime, timedelta
from functools import cache, wraps
from pathlib import Path
from typing import Any

from attrs import define, frozen

from adapters.dynamodb.evidence.cache import DynamoEvidenceCache
from adapters.dynamodb.tables.table_description import description
from adapters.dynamodb.transport.loop_thread import LoopThread
from adapters.dynamodb.transport.transport import Transport
from adapters.memory.evidence_cache import MemoryEvidenceCache
from adapters.row_layouts.catalogue import EVIDENCE_CACHE
from adapters.sqlite.evidence.cache import SqliteEvidenceCache
from adapters.sqlite.evidence.file import EvidenceFile
from application.evidence.archive import EvidenceAsked
from application.evidence.cache import EvidenceCache
from application.ports.clock import Clock
from application.reads.paging import Page, PageRequest
from domain.evidence.evidence import Evidence
from domain.ids import EvidenceId
from tests.adapters.dynamodb.log.logs import retrying, sends_once
from tests.adapters.dynamodb.support import dynamodb_local
from tests.adapters.dynamodb.support.fixtures import client
from tests.adapters.evidence_cache.some_evidence import NOON
from tests.application.evidence.samples import telling

FILE = "evidence-cache.db"
KEPT_FOR = timedelta(hours=24)


@define
class SetClock:
    at: datetime = NOON

    def now(self) -> datetime:
        return self.at


def scene(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test with an event loop of its own."""

    @wraps(test)
    def run(*given: Any, **named: Any) -> None:
        asyncio.run(test(*given, **named))

    return run


Opens = Callable[[Path, Clock], AbstractContextManager[EvidenceCache]]


@contextmanager
def memory(folder: Path, clock: Clock) -> Iterator[EvidenceCache]:
    yield MemoryEvidenceCache(clock, telling, KEPT_FOR)


@contextmanager
def sqlite(folder: Path, clock: Clock) -> Iterator[SqliteEvidenceCache]:
    opened = SqliteEvidenceCache(EvidenceFile(folder / FILE), clock, telling, KEPT_FOR)
    try:
        yield opened
    finally:
        opened.close()


@contextmanager
def dynamodb(folder: Path, clock: Clock) -> Iterator[EvidenceCache]:
    """On the one table of this process, which is empty before and after."""
    thread, transport = LoopThread("evidence under test"), retrying(sends_once())
    opened = CacheOnItsThread(dynamo_cache(transport, clock), thread)
    try:
        yield opened
        asyncio.run(opened.clear())
    finally:
        thread.run(transport.close())
        thread.close()


def dynamo_cache(transport: Transport, clock: Clock) -> DynamoEvidenceCache:
    return DynamoEvidenceCache(transport, shared_table(), clock, telling, KEPT_FOR)


@cache
def shared_table() -> str:
    """Without ttl: DynamoDB Local would throw away rows of tests whose clock is in the past."""
    prefix = dynamodb_local.unused_table("evidence") + "-"
    client().create_table(**description(EVIDENCE_CACHE.prefixed(prefix)))
    return prefix + EVIDENCE_CACHE.name


KINDS: Mapping[str, Opens] = {"memory": memory, "sqlite": sqlite, "dynamodb": dynamodb}


@frozen
class CacheOnItsThread:
    """The cache as callers on any event loop see it."""

    inner: DynamoEvidenceCache
    thread: LoopThread

    async def put(
        self, evidence: Sequence[Evidence], *, pinned: Collection[EvidenceId] = ()
    ) -> None:
        self.thread.run(self.inner.put(evidence, pinned=pinned))

    async def named(self, ids: Collection[EvidenceId]) -> Mapping[EvidenceId, Evidence]:
        return self.thread.run(self.inner.named(ids))

    async def told(self, ids: Collection[EvidenceId]) -> Mapping[EvidenceId, bytes]:
        return self.thread.run(self.inner.told(ids))

    async def of_dataset(self, asked: EvidenceAsked, page: PageRequest) -> Page[Evidence]:
        return self.thread.run(self.inner.of_dataset(asked, page))

    async def ids(self) -> AsyncIterator[Sequence[EvidenceId]]:
        walk = self.inner.ids()
        while (some := self.thread.run(_next(walk))) is not None:
            yield some

    async def pin(self, ids: Collection[EvidenceId]) -> Collection[EvidenceId]:
        return self.thread.run(self.inner.pin(ids))

    async def unpin(self, ids: Collection[EvidenceId]) -> None:
        self.thread.run(self.inner.unpin(ids))

    async def sweep(self) -> int:
        return self.thread.run(self.inner.sweep())

    @property
    def is_suspect(self) -> bool:
        return self.inner.is_suspect

    async def check(self) -> None:
        self.thread.run(self.inner.check())

    async def clear(self) -> None:
        self.thread.run(self.inner.clear())


async def _next(walk: AsyncIterator[Sequence[EvidenceId]]) -> Sequence[EvidenceId] | None:
    return await anext(walk, None)
