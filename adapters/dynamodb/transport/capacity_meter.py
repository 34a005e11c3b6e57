"""Counting what calls to DynamoDB cost, for metrics, tests and benchmarks."""

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import define, field, frozen

from adapters.dynamodb.transport.capacity import (
    Charge,
    Indexes,
    Units,
    charges_of_answer,
    charges_of_error,
)
from adapters.dynamodb.transport.errors import DynamoError
from adapters.dynamodb.transport.transport import Operation, Transport


@frozen
class Usage:
    """What one operation has cost one table so far; a transaction calls each of its tables."""

    calls: int
    units: Units


_UNUSED = Usage(0, Units())

Usages = Mapping[tuple[str, Operation], Usage]


@define
class CapacityMeter:
    """Adds up the units of every call, by table and operation.

    Above Retrying it counts calls, below it sends. Throttled calls cost nothing.
    """

    inner: Transport
    indexes: Indexes = field(factory=dict)
    _usages: dict[tuple[str, Operation], Usage] = field(factory=dict, init=False)

    async def call(
        self, operation: Operation, request: Mapping[str, Any], *, deadline: float | None = None
    ) -> dict[str, Any]:
        try:
            answer = await self.inner.call(operation, request, deadline=deadline)
        except DynamoError as error:
            self._add(operation, charges_of_error(operation, request, error, self.indexes))
            raise
        self._add(operation, charges_of_answer(operation, request, answer, self.indexes))
        return answer

    async def close(self) -> None:
        await self.inner.close()

    def snapshot(self) -> Usages:
        """What was counted since the last reset."""
        return dict(self._usages)

    def total(self) -> Units:
        return sum((usage.units for usage in self._usages.values()), Units())

    def reset(self) -> None:
        self._usages.clear()

    def _add(self, operation: Operation, charges: Iterable[Charge]) -> None:
        by_table: dict[str, Units] = {}
        for table, units in charges:
            by_table[table] = by_table.get(table, Units()) + units
        for table, units in by_table.items():
            before = self._usages.get((table, operation), _UNUSED)
            self._usages[table, operation] = Usage(before.calls + 1, before.units + units)
