"""
What can come of a call to DynamoDB other than an answer.

    DynamoError
    ├── NotApplied            surely nothing happened
    │   ├── Throttled         too much at once; trying again later helps
    │   ├── Canceled          a transaction's conditions or conflicts
    │   ├── ConditionFailed   a single write's condition
    │   ├── Rejected          the request or its table is wrong; trying again does not help
    │   └── Away              cannot be reached, or there are no credentials
    │       └── Expired       the credentials are no longer valid; fresh ones may be
    └── OutcomeUnknown        it may or may not have been applied
"""

from attrs import define, frozen

from adapters.dynamodb.transport.transport import Item


class DynamoError(Exception):
    """Anything but an answer."""


class NotApplied(DynamoError):
    """Surely nothing happened."""


@define
class Throttled(NotApplied):
    code: str
    reasons: tuple[str, ...] = ()
    """Such as `TableWriteKeyRangeThroughputExceeded`, where DynamoDB names them."""

    def __str__(self) -> str:
        told = f" ({', '.join(self.reasons)})" if self.reasons else ""
        return f"DynamoDB is throttling: {self.code}{told}"


@frozen
class Reason:
    """Why one item of a transaction stopped it, or `None` if that item did not."""

    code: str
    item: Item | None = None
    """The item that stood there, when the request asked for it (`ALL_OLD`)."""


@define
class Canceled(NotApplied):
    reasons: tuple[Reason, ...]
    """One for each item of the request, in its order."""

    @property
    def codes(self) -> tuple[str, ...]:
        return tuple(reason.code for reason in self.reasons)

    def __str__(self) -> str:
        return f"DynamoDB canceled the transaction: {', '.join(self.codes)}"


@define
class ConditionFailed(NotApplied):
    """The write's condition did not hold.

    A write that was sent again after its reply was lost may have met itself: whoever needs to
    know asks for the item (`ReturnValuesOnConditionCheckFailure`) and looks whether it is its own.
    """

    item: Item | None = None

    def __str__(self) -> str:
        return "the condition of the write did not hold"


@define
class Rejected(NotApplied):
    code: str
    message: str

    def __str__(self) -> str:
        return f"DynamoDB refused: {self.message} ({self.code})"


@define
class Away(NotApplied):
    reason: str

    def __str__(self) -> str:
        return f"DynamoDB cannot be reached: {self.reason}"


@define
class Expired(Away):
    pass


@define
class OutcomeUnknown(DynamoError):
    reason: str

    def __str__(self) -> str:
        return f"it is unknown whether DynamoDB applied the request: {self.reason}"
