"""
The course of one call: what its errors mean, given what happened before.

    reads            nothing can have been applied; tried again unless refused
    Put, Delete      the same write again has the same effect; tried again
    Update           tried again only with a condition: another one may count twice
    BatchWriteItem   puts and deletes
    TransactWrite    carries a token: sent again, it is applied at most once

As soon as one send of a write had an unknown outcome, only an answer or a failed condition decides
the call. A throttle, a conflict with another transaction, or a refusal of the second send says
nothing about the first.
"""

from collections.abc import Mapping
from typing import Any

from attrs import define

from adapters.dynamodb.transport.errors import (
    Away,
    Canceled,
    ConditionFailed,
    DynamoError,
    Expired,
    OutcomeUnknown,
    Throttled,
)
from adapters.dynamodb.transport.transport import Operation

PASSING = frozenset(
    {
        "None",
        "ProvisionedThroughputExceeded",
        "RequestLimitExceeded",
        "ThrottlingError",
        "TransactionConflict",
        "TransactionInProgress",
    }
)
"""Reasons for a cancellation that pass by themselves."""


@define
class Course:
    operation: Operation
    repeatable: bool
    """Whether sending it again after an unknown outcome is harmless."""
    attempts: int = 0
    undecided: OutcomeUnknown | None = None
    """The first send whose outcome is unknown."""
    refreshed: bool = False

    @classmethod
    def of(cls, operation: Operation, request: Mapping[str, Any]) -> "Course":
        return cls(
            operation, operation is not Operation.UPDATE_ITEM or "ConditionExpression" in request
        )

    def goes_on(self, error: DynamoError) -> bool:
        """Whether sending again may decide the call; if not, `ending` is how it ends."""
        if isinstance(error, OutcomeUnknown) and not self.operation.only_reads:
            self.undecided = self.undecided or error
            return self.repeatable
        if isinstance(error, Canceled):
            return self._may_pass(error)
        if isinstance(error, Expired):
            return not self.refreshed
        return isinstance(error, Throttled | Away | OutcomeUnknown)

    def ending(self, error: DynamoError) -> DynamoError:
        """What the caller is told when there is no more trying."""
        if self.undecided is not None:
            return error if _decides(error) else self.undecided
        if isinstance(error, OutcomeUnknown) and self.operation.only_reads:
            return Away(error.reason)
        return error

    def _may_pass(self, canceled: Canceled) -> bool:
        """A transaction that only met others is its caller's to regroup, unless an earlier send
        of it may have been applied."""
        patient = self.operation.only_reads or self.undecided is not None
        return patient and not _decides(canceled)


def _decides(error: DynamoError) -> bool:
    if isinstance(error, Canceled):
        return not PASSING.issuperset(error.codes)
    return isinstance(error, ConditionFailed)
