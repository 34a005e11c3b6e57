"""
Table engines on DynamoDB Local, for tests that have no event loop, or many.

Making tables takes far longer than emptying them: a set of them is wiped after its use and serves
the next one.
"""

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any, TypeVar

from attrs import frozen

from adapters.blobs.store import BlobStore
from adapters.dynamodb.rows.engine import DynamoEngine
from adapters.dynamodb.rows.row_tables import RowTables
from adapters.dynamodb.tables.table_description import description
from adapters.dynamodb.transport.loop_thread import LoopThread
from adapters.dynamodb.transport.transport import Operation, Transport
from adapters.row_layouts.catalogue import CATALOGUE, EVENT_LOG, Table
from adapters.row_layouts.engine import Delete, Put, Row, RowKey, RowPage
from tests.adapters.dynamodb.log.logs import retrying, sends_once
from tests.adapters.dynamodb.support import dynamodb_local
from tests.adapters.dynamodb.support.fixtures import client

T = TypeVar("T")

LOG = EVENT_LOG.name
"""The table of a log beside them, for those who need one."""

_free: list[str] = []


@contextmanager
def empty_tables() -> Iterator[str]:
    """The prefix of a set of tables that nobody else uses meanwhile."""
    prefix = _free.pop() if _free else _new_set()
    try:
        yield prefix
    finally:
        wipe(prefix)
        _free.append(prefix)


def row_tables(prefix: str) -> RowTables:
    return LastingTables(client, prefix)


class LastingTables(RowTables):
    """Without ttl: DynamoDB Local would throw away rows of tests whose clock stands in the past."""

    async def ensure(self, tables: Sequence[Table]) -> None:
        for table in tables:
            with suppress(client().exceptions.ResourceInUseException):
                client().create_table(**description(table.on_demand().prefixed(self.prefix)))


def wipe(prefix: str) -> None:
    thread, transport = LoopThread("wiping"), retrying(sends_once())
    try:
        thread.run(_wipe(transport, _tables(prefix)))
    finally:
        thread.run(transport.close())
        thread.close()


def _tables(prefix: str) -> list[str]:
    listed = client().list_tables(ExclusiveStartTableName=prefix)["TableNames"]
    return [table for table in listed if table.startswith(prefix)]


async def _wipe(transport: Transport, tables: Sequence[str]) -> None:
    await asyncio.gather(*(_empty(transport, table) for table in tables))


async def _empty(transport: Transport, table: str) -> None:
    asked = {"TableName": table, "ConsistentRead": True}
    key = _key(table)
    while items := (await transport.call(Operation.SCAN, asked))["Items"]:
        for at in range(0, len(items), 25):
            keys = [{name: item[name] for name in key} for item in items[at : at + 25]]
            deletes = [{"DeleteRequest": {"Key": key}} for key in keys]
            await transport.call(Operation.BATCH_WRITE_ITEM, {"RequestItems": {table: deletes}})


@cache
def _key(table: str) -> Sequence[str]:
    """Asked once: a table that is made again under its name is the same one of the catalogue."""
    described = client().describe_table(TableName=table)["Table"]
    return [one["AttributeName"] for one in described["KeySchema"]]


def _new_set() -> str:
    prefix = dynamodb_local.unused_table("rows") + "-"
    asyncio.run(row_tables(prefix).ensure([EVENT_LOG, *CATALOGUE]))
    return prefix


@frozen
class EngineOnItsThread:
    """The engine as callers on any event loop see it."""

    inner: DynamoEngine
    thread: LoopThread

    async def get(self, keys: Sequence[RowKey], *, strong: bool = False) -> Sequence[Row]:
        return await _told(self.thread.start(self.inner.get(keys, strong=strong)))

    async def query(self, table: str, pk: str, **how: Any) -> RowPage:
        return await _told(self.thread.start(self.inner.query(table, pk, **how)))

    async def query_many(
        self, table: str, pks: Sequence[str], *, limit: int, strong: bool = False
    ) -> RowPage:
        asked = self.inner.query_many(table, pks, limit=limit, strong=strong)
        return await _told(self.thread.start(asked))

    async def query_index(self, table: str, index: str, hash_key: str, **how: Any) -> RowPage:
        return await _told(self.thread.start(self.inner.query_index(table, index, hash_key, **how)))

    async def scan(
        self, table: str, *, limit: int, after: tuple[str, ...] | None = None
    ) -> RowPage:
        return await _told(self.thread.start(self.inner.scan(table, limit=limit, after=after)))

    async def write(
        self,
        projection: str,
        changes: Sequence[Put | Delete],
        *,
        upto: int,
        copies: Sequence[Put | Delete] = (),
        remembered: Sequence[Put | Delete] = (),
    ) -> None:
        write = self.inner.write(
            projection, changes, upto=upto, copies=copies, remembered=remembered
        )
        await _told(self.thread.start(write))

    async def reached(self, projection: str) -> int:
        return await _told(self.thread.start(self.inner.reached(projection)))

    async def forget(self, projection: str) -> None:
        await _told(self.thread.start(self.inner.forget(projection)))

    async def ensure(self, tables: Sequence[Table]) -> None:
        await _told(self.thread.start(self.inner.ensure(tables)))

    async def drop(self, tables: Sequence[Table]) -> None:
        await _told(self.thread.start(self.inner.drop(tables)))


async def _told(future: Future[T]) -> T:
    return await asyncio.wrap_future(future)


@contextmanager
def engine_on_its_thread(
    prefix: str, *, blobs: BlobStore | None = None, transport: Transport | None = None
) -> Iterator[EngineOnItsThread]:
    transport = transport or retrying(sends_once())
    thread = LoopThread("tables under test")
    try:
        engine = DynamoEngine(transport, row_tables(prefix), blobs=blobs)
        yield EngineOnItsThread(engine, thread)
    finally:
        thread.run(transport.close())
        thread.close()
