"""Base of decorators around a table engine: forwards every call that a decorator leaves alone."""

from collections.abc import Sequence
from typing import Unpack

from attrs import frozen

from adapters.row_layouts.catalogue import Table
from adapters.row_layouts.engine import Delete, Put, Row, RowKey, RowPage, TableEngine, Which


@frozen
class TableDecorator:
    tables: TableEngine

    async def get(self, keys: Sequence[RowKey], *, strong: bool = False) -> Sequence[Row]:
        return await self.tables.get(keys, strong=strong)

    async def query(
        self, table: str, pk: str, *, strong: bool = False, **which: Unpack[Which]
    ) -> RowPage:
        return await self.tables.query(table, pk, strong=strong, **which)

    async def query_many(
        self, table: str, pks: Sequence[str], *, limit: int, strong: bool = False
    ) -> RowPage:
        return await self.tables.query_many(table, pks, limit=limit, strong=strong)

    async def query_index(
        self, table: str, index: str, hash_key: str, **which: Unpack[Which]
    ) -> RowPage:
        return await self.tables.query_index(table, index, hash_key, **which)

    async def scan(
        self, table: str, *, limit: int, after: tuple[str, ...] | None = None
    ) -> RowPage:
        return await self.tables.scan(table, limit=limit, after=after)

    async def write(
        self,
        projection: str,
        changes: Sequence[Put | Delete],
        *,
        upto: int,
        copies: Sequence[Put | Delete] = (),
        remembered: Sequence[Put | Delete] = (),
    ) -> None:
        await self.tables.write(
            projection, changes, upto=upto, copies=copies, remembered=remembered
        )

    async def reached(self, projection: str) -> int:
        return await self.tables.reached(projection)

    async def forget(self, projection: str) -> None:
        await self.tables.forget(projection)

    async def ensure(self, tables: Sequence[Table]) -> None:
        await self.tables.ensure(tables)

    async def drop(self, tables: Sequence[Table]) -> None:
        await self.tables.drop(tables)
