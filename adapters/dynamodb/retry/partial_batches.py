"""
Batches that DynamoDB answers in part: what is left to send, and the parts as one answer.

It may leave out any of a batch's items when it is throttled or the answer would exceed 16 MB.
"""

from collections.abc import Mapping
from typing import Any

from attrs import define, field

from adapters.dynamodb.transport.transport import Operation

LEFT = {
    Operation.BATCH_GET_ITEM: "UnprocessedKeys",
    Operation.BATCH_WRITE_ITEM: "UnprocessedItems",
}
"""The operations that can be answered in part, and where they tell what is left."""


@define
class Batch:
    operation: Operation
    request: Mapping[str, Any]
    """What is still to be sent."""
    answer: dict[str, Any] = field(factory=dict)
    applied: bool = False
    """Whether any of its items was taken care of."""

    @property
    def size(self) -> int:
        return _size(self.request["RequestItems"])

    def add(self, part: Mapping[str, Any]) -> bool:
        """Take in a part of the answer; False when nothing was done."""
        left = part.get(LEFT[self.operation]) or {}
        moved = _size(left) < self.size
        self.request = {**self.request, "RequestItems": left}
        self.applied |= moved
        for name, value in part.items():
            self.answer[name] = _joined(self.answer.get(name), value)
        self.answer[LEFT[self.operation]] = left
        return moved


def _size(items: Mapping[str, Any]) -> int:
    return sum(
        len(wanted["Keys"] if isinstance(wanted, Mapping) else wanted) for wanted in items.values()
    )


def _joined(before: Any, value: Any) -> Any:
    """Lists follow each other, also those of the same table; anything else is the newer one."""
    if isinstance(before, list) and isinstance(value, list):
        return [*before, *value]
    if isinstance(before, dict) and isinstance(value, dict):
        return before | {name: _joined(before.get(name), more) for name, more in value.items()}
    return value
