"""Reads of a replica that lags behind: whatever DynamoDB may answer that is not strong."""

import asyncio
from collections.abc import Mapping
from random import Random
from typing import Any

from attrs import define

from adapters.dynamodb.transport.transport import Item, Operation, Transport
from adapters.row_layouts.catalogue import CATALOGUE, EVENT_LOG
from tests.adapters.dynamodb.support.stale_reads import is_strong


@define
class LaggingReads:
    """All reads that are not strong, and so all of an index, are answered by other tables.

    They lie under a prefix of their own and learn of what was written only by `catch_up`.
    """

    inner: Transport
    prefix: str
    replica: str
    lagged: int = 0

    async def call(
        self, operation: Operation, request: Mapping[str, Any], *, deadline: float | None = None
    ) -> dict[str, Any]:
        if not operation.only_reads or is_strong(operation, request):
            return await self.inner.call(operation, request, deadline=deadline)
        self.lagged += 1
        answer = await self.inner.call(operation, self._moved(request), deadline=deadline)
        return {
            **answer,
            **self._back("Responses", answer),
            **self._back("UnprocessedKeys", answer),
        }

    async def close(self) -> None:
        await self.inner.close()

    async def catch_up(self, dice: Random | None = None) -> None:
        """Learn of all that was written, or of what the dice say: items come in any order."""
        names = [self.prefix + table.name for table in (*CATALOGUE, EVENT_LOG)]
        await asyncio.gather(*(self._copy(name, dice) for name in names))

    async def _copy(self, table: str, dice: Random | None) -> None:
        asked = {"TableName": table, "ConsistentRead": True}
        items: list[Item] = (await self.inner.call(Operation.SCAN, asked))["Items"]
        for item in items:
            if dice is None or dice.random() < 0.5:
                put = {"TableName": self._name(table), "Item": item}
                await self.inner.call(Operation.PUT_ITEM, put)

    def _name(self, table: str) -> str:
        assert table.startswith(self.prefix), f"{table} is read, and must not lag"
        return self.replica + table.removeprefix(self.prefix)

    def _moved(self, request: Mapping[str, Any]) -> dict[str, Any]:
        if "RequestItems" in request:
            wanted = request["RequestItems"].items()
            return {**request, "RequestItems": {self._name(t): keys for t, keys in wanted}}
        return {**request, "TableName": self._name(request["TableName"])}

    def _back(self, part: str, answer: Mapping[str, Any]) -> dict[str, Any]:
        if part not in answer:
            return {}
        ours = {self.prefix + t.removeprefix(self.replica): got for t, got in answer[part].items()}
        return {part: ours}
