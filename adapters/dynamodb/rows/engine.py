"""Tables on DynamoDB, for as many processes as there are."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Unpack

from attrs import evolve

from adapters.blobs.store import BlobStore
from adapters.dynamodb.rows.large_rows import LargeRows
from adapters.dynamodb.rows.partition_walk import Walk
from adapters.dynamodb.rows.row_changes import Write, last_of_each, refuse_too_much
from adapters.dynamodb.rows.row_items import tombstone
from adapters.dynamodb.rows.row_reader import RowReader
from adapters.dynamodb.rows.row_tables import RowTables
from adapters.dynamodb.rows.row_writer import RowWriter
from adapters.dynamodb.transport.transport import Transport
from adapters.row_layouts.catalogue import CATALOGUE, PROJECTION_STATE, Table
from adapters.row_layouts.engine import Delete, Put, Row, RowKey, RowPage, Which

TOMBSTONE_LASTS = timedelta(days=7)
"""Far longer than any call can still be on its way."""


def utc_now() -> datetime:
    return datetime.now(UTC)


class DynamoEngine:
    """Rows lie as native items in tables called as in the catalogue, after a prefix.

    A write is no single transaction but leads to the same rows (see `row_writer`). Reads that are
    not strong show what was true a moment ago; those of an index always do. It belongs to the
    event loop of its transport.
    """

    def __init__(
        self,
        transport: Transport,
        tables: RowTables,
        *,
        blobs: BlobStore | None = None,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        self._made = tables
        self._known = {table.name: table for table in CATALOGUE}
        self._large = LargeRows(blobs)
        self._reader = RowReader(transport, self._large)
        self._writer = RowWriter(transport, tables.name(PROJECTION_STATE.name))
        self._now = now

    # Reading.

    async def get(self, keys: Sequence[RowKey], *, strong: bool = False) -> Sequence[Row]:
        named = [evolve(key, table=self._made.name(key.table)) for key in keys]
        return await self._reader.get(named, strong=strong)

    async def query(
        self, table: str, pk: str, *, strong: bool = False, **which: Unpack[Which]
    ) -> RowPage:
        return await self._reader.walk(self._made.name(table), Walk(pk, **which), strong=strong)

    async def query_many(
        self, table: str, pks: Sequence[str], *, limit: int, strong: bool = False
    ) -> RowPage:
        return await self._reader.walk_many(self._made.name(table), pks, limit=limit, strong=strong)

    async def query_index(
        self, table: str, index: str, hash_key: str, **which: Unpack[Which]
    ) -> RowPage:
        by = self._known[table].index(index)
        walk = Walk(hash_key, by, **which)
        return await self._reader.walk(self._made.name(table), walk, strong=False)

    async def scan(
        self, table: str, *, limit: int, after: tuple[str, ...] | None = None
    ) -> RowPage:
        return await self._reader.scan(self._made.name(table), limit=limit, after=after)

    async def reached(self, projection: str) -> int:
        return await self._writer.reached(projection)

    # Writing.

    async def write(
        self,
        projection: str,
        changes: Sequence[Put | Delete],
        *,
        upto: int,
        copies: Sequence[Put | Delete] = (),
        remembered: Sequence[Put | Delete] = (),
    ) -> None:
        shown, kept = await self._writes(changes), await self._writes(remembered)
        refuse_too_much(kept)
        if upto <= await self._writer.reached(projection):
            return
        await self._writer.show(await self._writes(copies))
        await self._writer.show(shown)
        await self._writer.remember(projection, kept, upto=upto)

    async def forget(self, projection: str) -> None:
        await self._writer.forget(projection)

    async def _writes(self, changes: Sequence[Put | Delete]) -> Sequence[Write]:
        return [await self._write(change) for change in last_of_each(changes)]

    async def _write(self, change: Put | Delete) -> Write:
        if isinstance(change, Delete):
            ends = int((self._now() + TOMBSTONE_LASTS).timestamp())
            grave = tombstone(change.key, change.position, ends=ends)
            return Write(self._made.name(change.key.table), grave, deletes=True)
        name = self._made.name(change.table)
        return Write(name, await self._large.item(self._known[change.table], change.row, name))

    # Tables.

    async def ensure(self, tables: Sequence[Table]) -> None:
        await self._made.ensure(tables)
        self._known.update({table.name: table for table in tables})

    async def drop(self, tables: Sequence[Table]) -> None:
        await self._made.drop(tables)
        for table in tables:
            await self._large.forget(self._made.name(table.name))
