"""What is sent again, how often, and what the caller is told in the end (S2-52, S2-62, S2-63)."""

import asyncio
from typing import Any

import orjson
import pytest

from adapters.dynamodb.retry.retry_policy import Patience, RetryBudget
from adapters.dynamodb.retry.retrying import Retrying
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
from adapters.dynamodb.transport.transport import Operation
from tests.adapters.dynamodb.support.scripted_transport import Refreshes, Scripted, over, script

THROTTLE = Throttled("ThrottlingException", ("TableWriteAccountLimitExceeded",))
LOST = OutcomeUnknown("the reply was lost")
AWAY = Away("refused")
REFUSED = Rejected("AccessDeniedException", "no")
CONFLICT = Canceled((Reason("TransactionConflict"), Reason("None")))
TAKEN = Canceled((Reason("TransactionConflict"), Reason("ConditionalCheckFailed")))
DONE = {"done": True}

READS = [o for o in Operation if o.only_reads and o is not Operation.BATCH_GET_ITEM]
WRITES = [Operation.PUT_ITEM, Operation.DELETE_ITEM, Operation.TRANSACT_WRITE_ITEMS]
TRANSACT = Operation.TRANSACT_WRITE_ITEMS


def call(
    inner: Scripted,
    operation: Operation,
    request: dict[str, Any] | None = None,
    *,
    deadline: float | None = None,
    **more: Any,
) -> dict[str, Any]:
    return asyncio.run(over(inner, **more).call(operation, request or {}, deadline=deadline))


def failure(inner: Scripted, operation: Operation, **more: Any) -> DynamoError:
    with pytest.raises(DynamoError) as caught:
        call(inner, operation, **more)
    return caught.value


# What is tried again.


@pytest.mark.parametrize("operation", READS)
@pytest.mark.parametrize("error", [THROTTLE, LOST, AWAY])
def test_a_read_is_tried_again(operation: Operation, error: DynamoError) -> None:
    inner = script(error, error, DONE)
    assert call(inner, operation) == DONE
    assert len(inner.sent) == 3


@pytest.mark.parametrize("operation", WRITES)
@pytest.mark.parametrize("error", [THROTTLE, LOST, AWAY])
def test_a_write_is_tried_again(operation: Operation, error: DynamoError) -> None:
    inner = script(error, error, DONE)
    assert call(inner, operation) == DONE
    assert len(inner.sent) == 3


@pytest.mark.parametrize("operation", [*READS, *WRITES])
@pytest.mark.parametrize("error", [REFUSED, ConditionFailed()])
def test_a_refusal_is_told_at_once(operation: Operation, error: DynamoError) -> None:
    inner = script(error, DONE)
    assert failure(inner, operation) is error
    assert len(inner.sent) == 1


def test_an_update_without_a_condition_is_not_applied_twice() -> None:
    inner = script(LOST, DONE)
    assert failure(inner, Operation.UPDATE_ITEM) is LOST
    assert len(inner.sent) == 1


def test_an_update_with_a_condition_is_sent_again() -> None:
    inner = script(LOST, ConditionFailed({"PK": {"S": "mine?"}}))
    error = failure(inner, Operation.UPDATE_ITEM, request={"ConditionExpression": "v = :v"})
    assert isinstance(error, ConditionFailed)
    assert error.item == {"PK": {"S": "mine?"}}


def test_a_read_conflict_passes() -> None:
    assert call(script(CONFLICT, DONE), Operation.TRANSACT_GET_ITEMS) == DONE


# How often.


@pytest.mark.parametrize("operation", [Operation.GET_ITEM, Operation.PUT_ITEM, TRANSACT])
def test_a_throttle_is_tried_a_bounded_number_of_times(operation: Operation) -> None:
    inner = script(THROTTLE)
    assert failure(inner, operation, patience=Patience(attempts=4)) is THROTTLE
    assert len(inner.sent) == 4


def test_a_read_that_gets_no_reply_says_that_dynamodb_is_away() -> None:
    inner = script(LOST)
    error = failure(inner, Operation.QUERY, patience=Patience(attempts=3))
    assert isinstance(error, Away)
    assert error.reason == LOST.reason


def test_retries_are_bounded_by_a_budget_that_all_calls_share() -> None:
    budget = RetryBudget(most=5, left=5)
    inner = script(THROTTLE)
    for _ in range(4):
        failure(inner, Operation.GET_ITEM, budget=budget, patience=Patience(attempts=4))
    assert len(inner.sent) == 4 + 5


def test_what_succeeds_earns_retries() -> None:
    budget = RetryBudget(most=5, left=0, earned=0.5)
    for _ in range(2):
        call(script(DONE), Operation.GET_ITEM, budget=budget)
    assert call(script(THROTTLE, DONE), Operation.GET_ITEM, budget=budget) == DONE
    assert failure(script(THROTTLE, DONE), Operation.GET_ITEM, budget=budget) is THROTTLE


def test_earning_ends_at_the_most() -> None:
    budget = RetryBudget(most=1, left=1)
    budget.earn()
    assert budget.take()
    assert not budget.take()


def test_pauses_grow_and_are_jittered() -> None:
    inner = script(THROTTLE)
    patience = Patience(deadline=1e6, attempts=400, first_pause=1, longest_pause=8)
    failure(inner, Operation.GET_ITEM, patience=patience, budget=RetryBudget(left=1e3))
    first, second, third, *rest = inner.time.pauses
    assert first <= 1
    assert second <= 2
    assert third <= 4
    assert max(rest) <= 8
    assert 3 < sum(rest) / len(rest) < 5, "full jitter: anything up to the bound, evenly"


def test_a_call_ends_at_its_deadline() -> None:
    inner = script(LOST)
    started = inner.time.at
    assert failure(inner, TRANSACT, deadline=3.0) is LOST
    assert inner.time.at - started <= 3.0
    assert len(inner.sent) > Patience().attempts // 2


def test_a_reply_is_not_waited_for_beyond_the_deadline() -> None:
    inner = script(LOST)
    inner.takes = 1.5
    failure(inner, TRANSACT, deadline=6.0)
    assert inner.deadlines[0] == Patience().reply
    assert all(left is not None and left <= 6.0 - 1.5 for left in inner.deadlines[1:])


def test_a_call_without_time_is_not_sent() -> None:
    inner = script(DONE)
    assert isinstance(failure(inner, TRANSACT, deadline=0.0), Away)
    assert inner.sent == []


# Unknown outcomes of transactions.


@pytest.mark.parametrize("then", [THROTTLE, CONFLICT, AWAY, LOST])
def test_after_a_lost_reply_a_throttle_or_conflict_decides_nothing(then: DynamoError) -> None:
    inner = script(LOST, *[then] * 30, DONE)
    patience = Patience(attempts=3, longest_pause=0.1)
    assert call(inner, TRANSACT, patience=patience, budget=RetryBudget(left=0)) == DONE
    assert len(set(inner.sent)) == 1, "the same request each time"


def test_after_a_lost_reply_a_failed_condition_decides() -> None:
    assert failure(script(LOST, THROTTLE, TAKEN), TRANSACT) is TAKEN


@pytest.mark.parametrize("operation", WRITES)
def test_after_a_lost_reply_a_refusal_tells_nothing_of_the_first_send(operation: Operation) -> None:
    inner = script(LOST, REFUSED)
    assert failure(inner, operation) is LOST
    assert len(inner.sent) == 2


@pytest.mark.parametrize("then", [THROTTLE, CONFLICT, AWAY])
def test_a_transaction_that_stays_undecided_is_unknown(then: DynamoError) -> None:
    assert failure(script(LOST, then), TRANSACT, deadline=5.0) is LOST


@pytest.mark.parametrize("canceled", [CONFLICT, TAKEN])
def test_a_cancellation_is_told_at_once_when_nothing_is_unknown(canceled: Canceled) -> None:
    inner = script(canceled, DONE)
    assert failure(inner, TRANSACT) is canceled
    assert len(inner.sent) == 1


def test_a_transaction_gets_a_token_unless_it_has_one() -> None:
    inner = script(LOST, DONE)
    call(inner, TRANSACT)
    assert {orjson.loads(sent)["ClientRequestToken"] for sent in inner.sent} == {"token-0"}
    inner = script(DONE)
    call(inner, TRANSACT, {"ClientRequestToken": "mine"})
    assert orjson.loads(inner.sent[0])["ClientRequestToken"] == "mine"


def test_other_calls_get_no_token() -> None:
    inner = script(DONE)
    call(inner, Operation.PUT_ITEM)
    assert orjson.loads(inner.sent[0]) == {}


# Expired credentials.


async def never() -> None:
    await asyncio.Event().wait()


def test_fetching_fresh_credentials_does_not_outlast_the_deadline() -> None:
    inner = script(Expired("old"))
    retrying = Retrying(inner, never, now=inner.time.now, sleep=inner.time.sleep)
    with pytest.raises(Away, match="no fresh credentials in time"):
        asyncio.run(asyncio.wait_for(retrying.call(TRANSACT, {}, deadline=0.05), timeout=10))


def test_expired_credentials_are_refreshed_once() -> None:
    refresh = Refreshes()
    inner = script(Expired("old"), DONE)
    assert call(inner, Operation.GET_ITEM, refresh=refresh) == DONE
    assert refresh.count == 1
    assert inner.time.pauses == []
    again = Expired("still")
    assert failure(script(again), Operation.GET_ITEM, refresh=refresh) is again
    assert refresh.count == 2


def test_credentials_that_cannot_be_refreshed_are_told() -> None:
    none = Away("no role")
    refresh = Refreshes(fails=none)
    assert failure(script(Expired("old")), TRANSACT, refresh=refresh) is none
    assert failure(script(LOST, Expired("old")), TRANSACT, refresh=refresh) is LOST


def test_closing_closes_what_is_inside() -> None:
    inner = script(DONE)
    asyncio.run(over(inner).close())
    assert inner.closed
