"""Whatever happens on the way, the caller is never told something untrue."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from attrs import define
from hypothesis import given, settings
from hypothesis import strategies as st

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
from adapters.dynamodb.transport.transport import Operation, Transport
from tests.adapters.dynamodb.support.scripted_transport import Time, retrying
from tests.support.scale import scaled

ERRORS: Mapping[str, DynamoError] = {
    "throttle": Throttled("ThrottlingException"),
    "conflict": Canceled((Reason("TransactionConflict"),)),
    "throttled cancel": Canceled((Reason("ThrottlingError"),)),
    "in progress": OutcomeUnknown("TransactionInProgressException"),
    "not sent": Away("refused"),
    "expired": Expired("old"),
    "denied": Rejected("AccessDeniedException", "no"),
    "lost before": OutcomeUnknown("InternalServerError"),
}
HAPPENINGS = [*ERRORS, "applied", "lost after", "someone else writes"]


@define
class Server:
    """Keeps one item, put if absent. It knows tokens as DynamoDB does."""

    happenings: list[str]
    time: Time
    applied: int = 0
    others: bool = False
    token: object = None

    async def call(
        self, operation: Operation, request: Mapping[str, Any], *, deadline: float | None = None
    ) -> dict[str, Any]:
        self.time.at += 0.02
        happening = self.happenings.pop() if self.happenings else "applied"
        if happening in ERRORS:
            raise ERRORS[happening]
        if happening == "someone else writes" and not self.applied:
            self.others = True
        self._put(operation, request.get("ClientRequestToken"))
        if happening == "lost after":
            raise OutcomeUnknown("the reply was lost")
        return {}

    async def close(self) -> None: ...

    def _put(self, operation: Operation, token: object) -> None:
        transaction = operation is Operation.TRANSACT_WRITE_ITEMS
        if transaction and token is not None and token == self.token:
            return
        if self.others or self.applied:
            raise Canceled((Reason("ConditionalCheckFailed"),)) if transaction else self._failed()
        self.applied += 1
        self.token = token

    def _failed(self) -> ConditionFailed:
        return ConditionFailed({"by": {"S": "others" if self.others else "me"}})


@given(
    st.lists(st.sampled_from(HAPPENINGS), max_size=25),
    st.sampled_from([Operation.TRANSACT_WRITE_ITEMS, Operation.PUT_ITEM]),
    st.integers(0, 2**32),
    st.sampled_from([0.1, 1.0, 30.0]),
)
@settings(max_examples=scaled(400, 20_000), deadline=None)
def test_what_the_caller_is_told_is_true(
    happenings: list[str], operation: Operation, seed: int, deadline: float
) -> None:
    time = Time()
    server = Server(happenings, time)
    started = time.at
    match outcome(retrying(server, time, seed=seed), operation, deadline):
        case None:
            assert server.applied == 1
        case ConditionFailed(item):
            assert item == {"by": {"S": "me" if server.applied else "others"}}
        case NotApplied():
            assert server.applied == 0
        case OutcomeUnknown():
            assert server.applied <= 1
    assert time.at - started <= deadline + 0.02


def outcome(transport: Transport, operation: Operation, deadline: float) -> DynamoError | None:
    try:
        asyncio.run(transport.call(operation, {}, deadline=deadline))
    except DynamoError as error:
        return error
    return None


def test_a_fresh_token_for_every_send_would_be_found_out() -> None:
    """The model can tell a right answer from a wrong one."""
    server = Server(["applied", "lost after"], Time())
    with pytest.raises(OutcomeUnknown):
        asyncio.run(server.call(Operation.TRANSACT_WRITE_ITEMS, {"ClientRequestToken": "1"}))
    with pytest.raises(Canceled):
        asyncio.run(server.call(Operation.TRANSACT_WRITE_ITEMS, {"ClientRequestToken": "2"}))
