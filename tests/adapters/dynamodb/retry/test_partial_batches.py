"""Batches that are answered in part are sent on until they are whole (S2-50)."""

import asyncio
from typing import Any

import orjson
import pytest

from adapters.dynamodb.retry.retry_policy import Patience
from adapters.dynamodb.transport.errors import DynamoError, OutcomeUnknown, Rejected, Throttled
from adapters.dynamodb.transport.transport import Operation
from tests.adapters.dynamodb.support.scripted_transport import Scripted, over, script

WRITE, READ = Operation.BATCH_WRITE_ITEM, Operation.BATCH_GET_ITEM
A, B, C = ({"PutRequest": {"Item": {"PK": {"S": name}}}} for name in "abc")
KEY_A, KEY_B, KEY_C = ({"PK": {"S": name}} for name in "abc")
WRITES = {"RequestItems": {"t": [A, B], "u": [C]}}
READS = {"RequestItems": {"t": {"Keys": [KEY_A, KEY_B], "ConsistentRead": True}}}
REFUSED = Rejected("ValidationException", "no")


def call(inner: Scripted, operation: Operation, request: dict[str, Any]) -> dict[str, Any]:
    return asyncio.run(over(inner, patience=Patience(attempts=3)).call(operation, request))


def failure(inner: Scripted, operation: Operation, request: dict[str, Any]) -> DynamoError:
    with pytest.raises(DynamoError) as caught:
        call(inner, operation, request)
    return caught.value


def left(**items: list[Any]) -> dict[str, Any]:
    return {"UnprocessedItems": items, "ConsumedCapacity": [{"CapacityUnits": 1.0}]}


def test_a_batch_that_is_done_at_once_is_sent_once() -> None:
    inner = script({"UnprocessedItems": {}})
    assert call(inner, WRITE, WRITES) == {"UnprocessedItems": {}}
    assert len(inner.sent) == 1


def test_only_what_is_left_is_sent_again() -> None:
    inner = script(left(t=[B], u=[C]), left(u=[C]), left())
    answer = call(inner, WRITE, WRITES)
    assert answer == {"UnprocessedItems": {}, "ConsumedCapacity": [{"CapacityUnits": 1.0}] * 3}
    requests = [orjson.loads(sent)["RequestItems"] for sent in inner.sent]
    assert requests == [WRITES["RequestItems"], {"t": [B], "u": [C]}, {"u": [C]}]
    assert len(inner.time.pauses) == 2


def test_parts_of_an_answer_become_one() -> None:
    wanted = {"Keys": [KEY_B], "ConsistentRead": True}
    inner = script(
        {"Responses": {"t": [KEY_A]}, "UnprocessedKeys": {"t": wanted}},
        {"Responses": {"t": [KEY_B]}, "UnprocessedKeys": {}},
    )
    answer = call(inner, READ, READS)
    assert answer == {"Responses": {"t": [KEY_A, KEY_B]}, "UnprocessedKeys": {}}
    assert orjson.loads(inner.sent[1]) == {"RequestItems": {"t": wanted}}


def test_a_batch_of_which_nothing_is_done_was_throttled() -> None:
    inner = script(left(t=[A, B], u=[C]))
    assert isinstance(failure(inner, WRITE, WRITES), Throttled)
    assert len(inner.sent) == 3


def test_what_moves_on_may_take_longer() -> None:
    still = left(t=[A, B], u=[C])
    inner = script(still, still, left(t=[B], u=[C]), left(t=[B], u=[C]), left(u=[C]), left())
    call(inner, WRITE, WRITES)
    assert len(inner.sent) == 6


@pytest.mark.parametrize("then", [left(u=[C]), REFUSED])
def test_a_batch_that_was_written_in_part_is_not_called_unapplied(then: Any) -> None:
    error = failure(script(left(u=[C]), then), WRITE, WRITES)
    assert isinstance(error, OutcomeUnknown)


def test_a_read_changes_nothing_in_part_either() -> None:
    some = {"Responses": {"t": [KEY_A]}, "UnprocessedKeys": {"t": {"Keys": [KEY_B]}}}
    assert isinstance(failure(script(some), READ, READS), Throttled)
    assert failure(script(some, REFUSED), READ, READS) is REFUSED
