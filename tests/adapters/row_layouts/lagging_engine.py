"""A table engine as DynamoDB may be: what is not read strongly is as it was a while ago."""

from collections.abc import Sequence
from typing import Any

from adapters.memory.engine import MemoryEngine
from adapters.row_layouts.engine import Delete, Put, Row, RowKey, RowPage


class LaggingEngine(MemoryEngine):
    """Shows only what was written before `lag` was called, except to strong reads."""

    def __init__(self) -> None:
        super().__init__()
        self._then: MemoryEngine | None = None

    async def lag(self) -> None:
        then = MemoryEngine()
        for table in self._tables:
            rows = (await self.scan(table, limit=10_000)).rows
            await then.write(table, [Put(table, row) for row in rows], upto=1)
        self._then = then

    async def get(self, keys: Sequence[RowKey], *, strong: bool = False) -> Sequence[Row]:
        if self._then is None or strong:
            return await super().get(keys)
        return await self._then.get(keys)

    async def query(self, table: str, pk: str, *, strong: bool = False, **how: Any) -> RowPage:
        if self._then is None or strong:
            return await super().query(table, pk, **how)
        return await self._then.query(table, pk, **how)

    async def query_many(
        self, table: str, pks: Sequence[str], *, limit: int, strong: bool = False
    ) -> RowPage:
        if self._then is None or strong:
            return await super().query_many(table, pks, limit=limit)
        return await self._then.query_many(table, pks, limit=limit)

    async def query_index(self, table: str, index: str, hash_key: str, **how: Any) -> RowPage:
        if self._then is None:
            return await super().query_index(table, index, hash_key, **how)
        return await self._then.query_index(table, index, hash_key, **how)


def gone(table: str, row: Row, position: int) -> Delete:
    return Delete(RowKey(table, row["PK"], row["SK"]), position)
