"""What DynamoDB's replies mean: an answer, or which error."""

from typing import Any
from zlib import crc32

import orjson

from adapters.dynamodb.transport.errors import (
    Away,
    Canceled,
    ConditionFailed,
    DynamoError,
    Expired,
    OutcomeUnknown,
    Reason,
    Rejected,
    Throttled,
)

OK = 200
SERVER_ERRORS = 500

THROTTLES = frozenset(
    {
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "ThrottlingException",
        # A single write that met a transaction: nothing was applied, and later it will be free.
        "ReplicatedWriteConflictException",
        "TransactionConflictException",
    }
)
EXPIRED = frozenset({"ExpiredTokenException", "UnrecognizedClientException"})
UNSIGNED = frozenset({"IncompleteSignatureException", "MissingAuthenticationTokenException"})
UNDECIDED = frozenset(
    {"InternalServerError", "ServiceUnavailable", "TransactionInProgressException"}
)


def answer(status: int, body: bytes, checksum: str | None) -> dict[str, Any]:
    """The answer in a reply.

    Raises:
        DynamoError: The reply tells of an error, or was damaged on the way.
    """
    if checksum is not None and checksum != str(crc32(body)):
        raise OutcomeUnknown("the reply does not match its checksum")
    told = _told(status, body)
    if status == OK:
        return told
    raise _error(status, told)


def _told(status: int, body: bytes) -> dict[str, Any]:
    try:
        told = orjson.loads(body)
    except orjson.JSONDecodeError:
        told = None
    if isinstance(told, dict):
        return told
    if status == OK:
        raise OutcomeUnknown("the reply is not JSON")
    # Not DynamoDB itself but something on the way: the status is all it tells.
    return {}


def _error(status: int, told: dict[str, Any]) -> DynamoError:
    code = str(told.get("__type", "")).rpartition("#")[2] or f"HTTP {status}"
    message = str(told.get("message") or told.get("Message") or "no message")
    if code == "TransactionCanceledException":
        return Canceled(tuple(map(_reason, told.get("CancellationReasons", ()))))
    if code == "ConditionalCheckFailedException":
        return ConditionFailed(told.get("Item"))
    if code in THROTTLES:
        return Throttled(code, _throttling_reasons(told))
    if code in EXPIRED:
        return Expired(f"{message} ({code})")
    if code in UNSIGNED:
        return Away(f"{message} ({code})")
    if code in UNDECIDED or status >= SERVER_ERRORS:
        return OutcomeUnknown(f"{message} ({code})")
    return Rejected(code, message)


def _reason(told: dict[str, Any]) -> Reason:
    return Reason(str(told.get("Code") or "None"), told.get("Item"))


def _throttling_reasons(told: dict[str, Any]) -> tuple[str, ...]:
    # The name differs between the errors of the same service.
    listed = told.get("ThrottlingReasons") or told.get("throttlingReasons") or ()
    return tuple(str(one.get("reason")) for one in listed)
