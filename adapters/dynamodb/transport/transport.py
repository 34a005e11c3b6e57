"""
How DynamoDB is called: one method for the few hot operations.

Requests and answers are DynamoDB's own JSON as dictionaries. Layers have the same shape and wrap
each other; the lowest sends over HTTP exactly once.

    CapacityMeter      counts the units that calls cost
    └── Retrying       sends again until a call is decided
        └── HttpTransport
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Protocol

Item = Mapping[str, Any]
"""An item in DynamoDB's JSON: every value says its type, as in `{"PK": {"S": "…"}}`."""


class Operation(StrEnum):
    GET_ITEM = "GetItem"
    BATCH_GET_ITEM = "BatchGetItem"
    QUERY = "Query"
    SCAN = "Scan"
    PUT_ITEM = "PutItem"
    UPDATE_ITEM = "UpdateItem"
    DELETE_ITEM = "DeleteItem"
    BATCH_WRITE_ITEM = "BatchWriteItem"
    TRANSACT_WRITE_ITEMS = "TransactWriteItems"
    TRANSACT_GET_ITEMS = "TransactGetItems"

    @property
    def only_reads(self) -> bool:
        return self in _READS


_READS = frozenset(
    {
        Operation.GET_ITEM,
        Operation.BATCH_GET_ITEM,
        Operation.QUERY,
        Operation.SCAN,
        Operation.TRANSACT_GET_ITEMS,
    }
)


class Transport(Protocol):
    async def call(
        self, operation: Operation, request: Mapping[str, Any], *, deadline: float | None = None
    ) -> dict[str, Any]:
        """Send until decided or until the deadline, and return DynamoDB's answer.

        The deadline is in seconds from now; without one the transport's usual counts. The request
        must not be changed while the call runs.

        Raises:
            NotApplied: One of its kinds; the request surely changed nothing.
            OutcomeUnknown: A write may or may not have been applied.
        """
        ...

    async def close(self) -> None:
        """Let go of the connections. Calls that run fail."""
        ...
