"""What a reply means, from its status, body and checksum (S2-62 to S2-66)."""

from typing import Any
from zlib import crc32

import orjson
import pytest

from adapters.dynamodb.transport.errors import (
    Away,
    Canceled,
    ConditionFailed,
    DynamoError,
    Expired,
    NotApplied,
    OutcomeUnknown,
    Reason,
    Rejected,
    Throttled,
)
from adapters.dynamodb.transport.replies import answer

PREFIX = "com.amazonaws.dynamodb.v20120810#"
ITEM = {"PK": {"S": "a"}}


def error_of(status: int, code: str, **told: Any) -> DynamoError:
    body = orjson.dumps({"__type": f"{PREFIX}{code}", **told})
    with pytest.raises(DynamoError) as caught:
        answer(status, body, str(crc32(body)))
    return caught.value


def test_an_answer_is_the_body() -> None:
    assert answer(200, b'{"Item":{}}', str(crc32(b'{"Item":{}}'))) == {"Item": {}}


def test_an_answer_without_a_checksum_is_accepted() -> None:
    assert answer(200, b"{}", None) == {}


@pytest.mark.parametrize(("body", "checksum"), [(b"{}", "1"), (b"[]", None), (b"{", None)])
def test_a_damaged_answer_decides_nothing(body: bytes, checksum: str | None) -> None:
    with pytest.raises(OutcomeUnknown):
        answer(200, body, checksum)


def test_a_damaged_error_decides_nothing() -> None:
    with pytest.raises(OutcomeUnknown):
        answer(400, b'{"__type":"ValidationException"}', "1")


def test_a_throttle_tells_its_reasons() -> None:
    reasons = [{"reason": "TableWriteKeyRangeThroughputExceeded", "resource": "arn:…"}]
    named = error_of(400, "ProvisionedThroughputExceededException", ThrottlingReasons=reasons)
    assert isinstance(named, Throttled)
    assert named.reasons == ("TableWriteKeyRangeThroughputExceeded",)
    other = error_of(400, "ThrottlingException", throttlingReasons=reasons)
    assert isinstance(other, Throttled)
    assert other.reasons == named.reasons
    assert "KeyRange" in str(other)


def test_a_cancellation_tells_why_in_the_order_of_the_items() -> None:
    reasons = [{"Code": "None"}, {"Code": "ConditionalCheckFailed", "Item": ITEM}, {}]
    error = error_of(400, "TransactionCanceledException", CancellationReasons=reasons)
    assert isinstance(error, Canceled)
    assert error.reasons == (Reason("None"), Reason("ConditionalCheckFailed", ITEM), Reason("None"))


def test_a_failed_condition_shows_the_item() -> None:
    error = error_of(400, "ConditionalCheckFailedException", Item=ITEM)
    assert isinstance(error, ConditionFailed)
    assert error.item == ITEM


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, "RequestLimitExceeded", Throttled),
        (400, "TransactionConflictException", Throttled),
        (400, "ExpiredTokenException", Expired),
        (400, "UnrecognizedClientException", Expired),
        (400, "MissingAuthenticationTokenException", Away),
        (400, "ValidationException", Rejected),
        (400, "ResourceNotFoundException", Rejected),
        (400, "AccessDeniedException", Rejected),
        (400, "IdempotentParameterMismatchException", Rejected),
        (400, "TransactionInProgressException", OutcomeUnknown),
        (500, "InternalServerError", OutcomeUnknown),
        (503, "ServiceUnavailable", OutcomeUnknown),
        (503, "ThrottlingException", Throttled),
    ],
)
def test_a_code_has_a_meaning(status: int, code: str, kind: type[DynamoError]) -> None:
    error = error_of(status, code, message="reason")
    assert type(error) is kind
    assert code in str(error)


@pytest.mark.parametrize(("status", "applied"), [(413, False), (502, None)])
def test_a_stranger_on_the_way_is_named_by_its_status(status: int, applied: bool | None) -> None:
    with pytest.raises(DynamoError, match=f"HTTP {status}") as caught:
        answer(status, b"<html>", None)
    assert isinstance(caught.value, NotApplied) is (applied is False)
