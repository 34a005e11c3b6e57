"""Reads that are as old as DynamoDB may show them: of an index, and all that are not strong."""

from collections.abc import Mapping
from typing import Any

from attrs import define

from adapters.dynamodb.transport.transport import Operation, Transport


@define
class StaleReads:
    """Shows nothing yet of what was written, wherever DynamoDB is allowed to."""

    inner: Transport
    stale: int = 0

    async def call(
        self, operation: Operation, request: Mapping[str, Any], *, deadline: float | None = None
    ) -> dict[str, Any]:
        if not operation.only_reads or is_strong(operation, request):
            return await self.inner.call(operation, request, deadline=deadline)
        self.stale += 1
        tables = request.get("RequestItems", {})
        return {"Items": [], "Responses": {table: [] for table in tables}}

    async def close(self) -> None:
        await self.inner.close()


def is_strong(operation: Operation, request: Mapping[str, Any]) -> bool:
    if operation is Operation.BATCH_GET_ITEM:
        return all(one.get("ConsistentRead") for one in request["RequestItems"].values())
    return bool(request.get("ConsistentRead"))
