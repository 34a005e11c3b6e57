"""The layers above a faulty transport for trials: deadlines pass in no time."""

from collections.abc import Mapping
from random import Random
from typing import Any

from attrs import define, frozen

from adapters.dynamodb.retry.retry_policy import Patience, RetryBudget
from adapters.dynamodb.retry.retrying import Retrying
from adapters.dynamodb.transport.transport import Operation, Transport
from tests.adapters.dynamodb.support.scripted_transport import Refreshes
from tests.support.event_loop_turns import others_go_on

HURRY = 0.05
"""Seconds after which a transaction's outcome stays unknown."""


@define
class Pauses:
    """Time that passes when it is slept, and hardly takes any."""

    at: float = 1_000.0

    def now(self) -> float:
        return self.at

    async def sleep(self, seconds: float) -> None:
        self.at += seconds
        await others_go_on()


def usual_layers(sends_once: Transport, dice: Random) -> Transport:
    clock = Pauses()
    return Retrying(
        sends_once,
        Refreshes(),
        Patience(attempts=8),
        RetryBudget(left=1e9, most=1e9),
        dice,
        now=clock.now,
        sleep=clock.sleep,
    )


@frozen
class Lent:
    """A transport that others go on using when one of them closes it; it is in a hurry."""

    inner: Transport

    async def call(
        self, operation: Operation, request: Mapping[str, Any], *, deadline: float | None = None
    ) -> dict[str, Any]:
        hurry = HURRY if operation is Operation.TRANSACT_WRITE_ITEMS else deadline
        return await self.inner.call(operation, request, deadline=hurry)

    async def close(self) -> None: ...
