"""Reading rows from DynamoDB: by key, by partition, by index, or all of them."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from adapters.dynamodb.items.item_table import surroundings
from adapters.dynamodb.items.typed_values import text, text_of
from adapters.dynamodb.log.packing import Damaged
from adapters.dynamodb.rows.large_rows import LargeRows
from adapters.dynamodb.rows.partition_walk import Walk
from adapters.dynamodb.rows.row_items import is_row, key_item
from adapters.dynamodb.transport.transport import Item, Operation, Transport
from adapters.row_layouts.catalogue import PK, SK
from adapters.row_layouts.engine import ASIDE, Row, RowKey, RowPage, Unreadable

MOST_KEYS = 100
"""Of a BatchGetItem."""
AT_ONCE = 16
"""Partitions that are read at the same time."""


@frozen
class RowReader:
    """Tables are named as DynamoDB knows them. What was taken away is not seen."""

    transport: Transport
    large: LargeRows

    async def get(self, keys: Sequence[RowKey], *, strong: bool) -> Sequence[Row]:
        different = list(dict.fromkeys(keys))
        parts = [different[at : at + MOST_KEYS] for at in range(0, len(different), MOST_KEYS)]
        read = await asyncio.gather(*(self._batch(part, strong) for part in parts))
        return await self._rows([item for items in read for item in items])

    async def walk(self, table: str, walk: Walk, *, strong: bool) -> RowPage:
        request = {"TableName": table, **walk.request()}
        if walk.index is None:
            request["ConsistentRead"] = strong
        return await walk.page(self._every(Operation.QUERY, request))

    async def walk_many(
        self, table: str, pks: Sequence[str], *, limit: int, strong: bool
    ) -> RowPage:
        rows: list[Row] = []
        for at in range(0, len(pks), AT_ONCE):
            # One row beyond the limit tells that there are more.
            left = limit + 1 - len(rows)
            walks = [Walk(pk, limit=left) for pk in pks[at : at + AT_ONCE]]
            pages = [self.walk(table, walk, strong=strong) for walk in walks]
            for page in await asyncio.gather(*pages):
                rows += page.rows
            if len(rows) > limit:
                return RowPage(rows[:limit], (rows[limit][PK],))
        return RowPage(rows)

    async def scan(self, table: str, *, limit: int, after: tuple[str, ...] | None) -> RowPage:
        request: dict[str, Any] = {"TableName": table, "Limit": limit + 1, "ConsistentRead": True}
        if after is not None:
            request["ExclusiveStartKey"] = {PK: text(after[0]), SK: text(after[1])}
        rows: list[Row] = []
        async for item in self._items(Operation.SCAN, request):
            if not is_row(item):
                continue
            if len(rows) == limit:
                return RowPage(rows, (rows[-1][PK], rows[-1][SK]))
            rows.append(await self._scanned(item))
        return RowPage(rows)

    async def _batch(self, keys: Sequence[RowKey], strong: bool) -> Sequence[Item]:
        wanted: dict[str, dict[str, Any]] = {}
        for key in keys:
            asked = wanted.setdefault(key.table, {"Keys": [], "ConsistentRead": strong})
            asked["Keys"].append(key_item(key))
        answer = await self._asked(Operation.BATCH_GET_ITEM, {"RequestItems": wanted})
        return [item for items in answer["Responses"].values() for item in items]

    async def _every(self, operation: Operation, request: Mapping[str, Any]) -> AsyncIterator[Row]:
        async for item in self._items(operation, request):
            if is_row(item):
                yield await self._row(item)

    async def _items(self, operation: Operation, request: Mapping[str, Any]) -> AsyncIterator[Item]:
        """All items, a page of DynamoDB's (1 MB at most) after the other."""
        while True:
            answer = await self._asked(operation, request)
            for item in answer.get("Items", ()):
                yield item
            if "LastEvaluatedKey" not in answer:
                return
            request = {**request, "ExclusiveStartKey": answer["LastEvaluatedKey"]}

    async def _rows(self, items: Sequence[Item]) -> Sequence[Row]:
        return [await self._row(item) for item in items if is_row(item)]

    async def _row(self, item: Item) -> Row:
        try:
            return await self.large.row(item)
        except (Damaged, TypeError, ValueError) as damaged:
            raise Unreadable("a row", str(damaged)) from damaged

    async def _scanned(self, item: Item) -> Row:
        """The row, and what the item says otherwise than the row that it refers to."""
        key = {PK: text_of(item, PK), SK: text_of(item, SK)}
        try:
            row, beside = await self.large.row(item), self.large.beside(item)
        except (Damaged, TypeError, ValueError) as damaged:
            return {**key, ASIDE: f"it cannot be read: {damaged}"}
        other = {name: value for name, value in beside.items() if row.get(name) != value}
        return {**row, **key, ASIDE: other} if other else row

    async def _asked(self, operation: Operation, request: Mapping[str, Any]) -> dict[str, Any]:
        with surroundings("a table of the read models"):
            return await self.transport.call(operation, request)
