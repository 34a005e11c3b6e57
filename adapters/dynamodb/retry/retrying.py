"""Calls that are sent again until they are decided."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from random import Random
from typing import Any
from uuid import uuid4

from attrs import define, field

from adapters.dynamodb.retry.call_outcome import Course
from adapters.dynamodb.retry.partial_batches import LEFT, Batch
from adapters.dynamodb.retry.retry_policy import Patience, RetryBudget
from adapters.dynamodb.transport.errors import Away, DynamoError, Expired, OutcomeUnknown, Throttled
from adapters.dynamodb.transport.transport import Operation, Transport


@define
class Retrying:
    """Sends again what may still be decided, after pauses with full jitter.

    What surely changed nothing is tried a bounded number of times and as the shared budget allows;
    then its last error is raised. A write whose outcome is unknown is sent again until the
    deadline, the same request each time: giving up earlier would only leave the question to the
    caller. A transaction always carries a token, so that it is applied at most once.

    A conditional Put, Update or Delete has no token. Sent again after a lost reply, it may meet
    its own write and raise ConditionFailed: the caller looks whether the item is its own.
    """

    inner: Transport
    refresh: Callable[[], Awaitable[None]]
    """Fetches fresh credentials after some were refused."""
    patience: Patience = field(factory=Patience)
    budget: RetryBudget = field(factory=RetryBudget)
    dice: Random = field(factory=Random)
    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    token: Callable[[], str] = lambda: str(uuid4())

    async def call(
        self, operation: Operation, request: Mapping[str, Any], *, deadline: float | None = None
    ) -> dict[str, Any]:
        ends = self.now() + (self.patience.deadline if deadline is None else deadline)
        if operation in LEFT:
            return await self._whole_batch(Batch(operation, request), ends)
        if operation is Operation.TRANSACT_WRITE_ITEMS and "ClientRequestToken" not in request:
            request = {**request, "ClientRequestToken": self.token()}
        return await self._decided(Course.of(operation, request), request, ends)

    async def close(self) -> None:
        await self.inner.close()

    async def _decided(
        self, course: Course, request: Mapping[str, Any], ends: float
    ) -> dict[str, Any]:
        while True:
            course.attempts += 1
            try:
                answer = await self._sent(course.operation, request, ends)
            except DynamoError as error:
                await self._before_the_next(course, error, ends)
            else:
                self.budget.earn()
                return answer

    async def _sent(
        self, operation: Operation, request: Mapping[str, Any], ends: float
    ) -> dict[str, Any]:
        left = min(ends - self.now(), self.patience.reply)
        if left <= 0:
            raise Away("no time was left to send the request")
        return await self.inner.call(operation, request, deadline=left)

    async def _before_the_next(self, course: Course, error: DynamoError, ends: float) -> None:
        """Wait until the next attempt.

        Raises:
            DynamoError: There is none.
        """
        if not course.goes_on(error):
            raise course.ending(error)
        if isinstance(error, Expired):
            await self._refreshed(course, ends)
            return
        pause = self.patience.pause(course.attempts, self.dice)
        if self.now() + pause >= ends or not self._affordable(course):
            raise course.ending(error)
        await self.sleep(pause)

    def _affordable(self, course: Course) -> bool:
        paid = course.attempts < self.patience.attempts and self.budget.take()
        return paid or course.undecided is not None

    async def _refreshed(self, course: Course, ends: float) -> None:
        course.refreshed = True
        try:
            async with asyncio.timeout(ends - self.now()):
                await self.refresh()
        except TimeoutError as error:
            raise course.ending(Away("no fresh credentials in time")) from error
        except DynamoError as error:
            raise course.ending(error) from error

    # Batches.

    async def _whole_batch(self, batch: Batch, ends: float) -> dict[str, Any]:
        idle = 0
        while True:
            idle = 0 if await self._part(batch, ends) else idle + 1
            if not batch.size:
                return batch.answer
            pause = self.patience.pause(idle + 1, self.dice)
            if self.now() + pause >= ends or idle >= self.patience.attempts:
                raise _left_over(batch)
            await self.sleep(pause)

    async def _part(self, batch: Batch, ends: float) -> bool:
        """Send what is left; False when DynamoDB did none of it."""
        course = Course.of(batch.operation, batch.request)
        try:
            return batch.add(await self._decided(course, batch.request, ends))
        except DynamoError as error:
            if batch.applied and not batch.operation.only_reads:
                raise OutcomeUnknown(f"a part was applied, then: {error}") from error
            raise


def _left_over(batch: Batch) -> DynamoError:
    if batch.applied and not batch.operation.only_reads:
        return OutcomeUnknown(f"{batch.size} items of a batch were not processed, others were")
    return Throttled(LEFT[batch.operation])
