"""What calls to DynamoDB cost, item by item, so that it can be told what the units went into."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from attrs import define, field

from adapters.dynamodb.transport.capacity import Charge, charges_of_answer, charges_of_error
from adapters.dynamodb.transport.errors import DynamoError
from adapters.dynamodb.transport.transport import Operation, Transport
from adapters.row_layouts.catalogue import CATALOGUE, EVENT_LOG, Index

OF_THE_LOG = {
    "L": "batches of the log",
    "S": "spans of streams",
    "N": "snapshots",
    "W": "leases",
}
CHECKS = "checks of datasets"
OF_PROJECTIONS = {
    "checkpoint": "checkpoints",
    "progress": "progress",
}
INDEXES = "indexes of rows"


@define
class Bill:
    """Counts write units by what they were spent on; at the place of a CapacityMeter.

    Rows that lie in an index are asked for what they were before (which costs nothing): leaving
    an index, or moving in it, costs as much as entering it.
    """

    inner: Transport
    prefix: str
    units: defaultdict[str, float] = field(factory=lambda: defaultdict(float))

    async def call(
        self, operation: Operation, request: Mapping[str, Any], *, deadline: float | None = None
    ) -> dict[str, Any]:
        if operation is Operation.PUT_ITEM and self._indexes.get(request["TableName"]):
            request = {**request, "ReturnValues": "ALL_OLD"}
        try:
            answer = await self.inner.call(operation, request, deadline=deadline)
        except DynamoError as error:
            bare = whole = [*charges_of_error(operation, request, error, {})]
            self._add(operation, request, {}, bare, whole)
            raise
        bare = [*charges_of_answer(operation, request, answer, {})]
        whole = [*charges_of_answer(operation, request, answer, self._indexes)]
        self._add(operation, request, answer, bare, whole)
        return answer

    async def close(self) -> None:
        await self.inner.close()

    @property
    def total(self) -> float:
        return sum(self.units.values())

    @property
    def _indexes(self) -> Mapping[str, tuple[Index, ...]]:
        return {self.prefix + table.name: table.indexes for table in CATALOGUE}

    def _add(
        self,
        operation: Operation,
        request: Mapping[str, Any],
        answer: Mapping[str, Any],
        bare: list[Charge],
        whole: list[Charge],
    ) -> None:
        if operation.only_reads:
            return
        for item, (table, alone), (_, all_in) in zip(
            _written(operation, request, answer), bare, whole, strict=False
        ):
            self.units[self._what(table, item)] += alone.write
            self.units[INDEXES] += all_in.write - alone.write

    def _what(self, table: str, item: Mapping[str, Any]) -> str:
        name = table.removeprefix(self.prefix)
        # Evidence has keys of its own.
        begins = item["PK"]["S"].partition("#")[0] if "PK" in item else ""
        if name == EVENT_LOG.name:
            return CHECKS if len(item) == 2 else OF_THE_LOG.get(begins, "the log otherwise")
        return OF_PROJECTIONS.get(begins, _rows(name))


def _rows(name: str) -> str:
    return f"rows of {name.removeprefix('observability-')}"


def _written(
    operation: Operation, request: Mapping[str, Any], answer: Mapping[str, Any]
) -> Iterator[Mapping[str, Any]]:
    """The items, or the keys where that is all there is, in the order in which they are charged."""
    if operation is Operation.BATCH_WRITE_ITEM:
        # What was left undone is taken off first.
        for tables in (answer.get("UnprocessedItems", {}), request["RequestItems"]):
            for write in chain.from_iterable(tables.values()):
                yield write["PutRequest"]["Item"] if "PutRequest" in write else _key(write)
        return
    if operation is not Operation.TRANSACT_WRITE_ITEMS:
        yield request.get("Item") or request["Key"]
        return
    for action in request["TransactItems"]:
        ((_, write),) = action.items()
        yield write.get("Item") or write["Key"]


def _key(write: Mapping[str, Any]) -> Mapping[str, Any]:
    key: Mapping[str, Any] = write["DeleteRequest"]["Key"]
    return key
