"""Appends of which DynamoDB does not say whether they were stored."""

import asyncio

import pytest

from adapters.dynamodb.transport.errors import OutcomeUnknown as Undecided
from adapters.dynamodb.transport.errors import Rejected
from application.errors import OutcomeUnknown, Unavailable
from tests.adapters.dynamodb.log.logs import open_log, retrying, sends_once
from tests.adapters.dynamodb.log.scenes import Between, recover, scene
from tests.adapters.dynamodb.support.faulty_transport import Fault, FaultyTransport
from tests.adapters.eventstore.log.appends import append


@scene
async def test_a_lost_reply_is_asked_for_again(app: str) -> None:
    faulty = FaultyTransport(sends_once(), seed=1)
    async with open_log(app, retrying(faulty)) as log:
        faulty.coming = [Fault.REPLY_LOST, Fault.THROTTLE, Fault.CONFLICT]
        receipt = await log.append(append("a-1", 1))
        assert (receipt.first, receipt.last) == (1, 1)
        assert await log.head() == 1


@scene
async def test_a_batch_that_was_stored_after_all_is_found_by_its_id(app: str) -> None:
    faulty = FaultyTransport(sends_once(), seed=1)
    async with open_log(app, faulty) as log:
        faulty.coming = [Fault.REPLY_LOST]
        assert (await log.append(append("a-1", 1))).first == 1
        assert (await log.append(append("a-1", 2))).first == 2


@scene
async def test_a_batch_whose_place_was_taken_was_surely_not_stored(app: str) -> None:
    lossy = Between(sends_once())
    async with open_log(app) as other, open_log(app, lossy) as log:

        async def somebody_else() -> None:
            await other.append(append("b-1", 1))
            lossy.fail_with = Undecided("no reply")
            asyncio.get_running_loop().call_soon(recover, lossy)

        lossy.before_transaction = somebody_else
        assert (await log.append(append("a-1", 1))).first == 2


@scene
async def test_what_stays_unknown_is_an_error_of_its_own(app: str) -> None:
    lossy = Between(sends_once(), fail_with=Undecided("no reply"))
    async with open_log(app, lossy) as log:
        with pytest.raises(OutcomeUnknown, match=r"may or may not have stored it: .*no reply"):
            await log.append(append("a-1", 1))
        lossy.fail_with = None
        assert (await log.append(append("a-1", 1))).first == 1


@scene
async def test_what_dynamodb_refuses_was_not_stored(app: str) -> None:
    refusing = Between(sends_once(), fail_with=Rejected("AccessDeniedException", "no"))
    async with open_log(app, refusing) as log:
        with pytest.raises(Unavailable, match="AccessDenied"):
            await log.append(append("a-1", 1))
        assert await log.head() == 0
