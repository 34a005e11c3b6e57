"""
Sending a call until it is answered: within its deadline, and again only where that is safe.

A read is always safe to repeat. A write is, if it carries an idempotency key, if it cannot be done
twice (it names the version it rests on, or is known by its content), or if the failure itself says
that nothing was done. What the store refuses is never tried again; a version conflict is the
caller's to decide.
"""

import asyncio
import time
from dataclasses import dataclass
from typing import Generic, TypeVar

import grpc
from google.protobuf.message import Message

from statestore_client.errors import (
    AlreadyExists,
    DeadlineExceeded,
    Impossible,
    InvalidRequest,
    NotFound,
    OutcomeUnknown,
    StateStoreError,
    Unavailable,
    VersionConflict,
)
from statestore_client.transport.channel import Channel, Closed
from statestore_client.transport.failures import Failure, failure
from statestore_client.transport.retry_policy import Budget, Retrying

A = TypeVar("A", bound=Message)


@dataclass(frozen=True, slots=True)
class Call(Generic[A]):
    """What is sent, and what is safe to do when it fails."""

    path: str
    request: Message
    answer: type[A]
    timeout: float
    reads: bool
    key: str | None = None
    repeatable: bool = False
    """Whether it cannot be done twice, even without a key."""

    @property
    def safe(self) -> bool:
        return self.reads or self.repeatable or self.key is not None


@dataclass(frozen=True, slots=True)
class Answered(Generic[A]):
    message: A
    deadline: float
    """Until when the call may take, by the monotonic clock."""
    key: str | None = None
    repeated: bool = False
    """Whether an earlier try may have been done, too."""


class Trying:
    def __init__(self, channel: Channel, retrying: Retrying) -> None:
        self._channel = channel
        self._retrying = retrying
        self._budget = Budget(retrying)

    async def answer(self, call: Call[A]) -> Answered[A]:
        """Raises StateStoreError."""
        deadline = time.monotonic() + call.timeout
        maybe_done = False
        tries = 0
        while True:
            tries += 1
            try:
                message = await self._once(call, deadline - time.monotonic())
            except grpc.aio.AioRpcError as status:
                failed = failure(status)
            except Closed as closed:
                if not maybe_done and not closed.midway:
                    raise
                failed = Failure(Unavailable(str(closed)), undone=not closed.midway)
            else:
                self._budget.succeeded()
                return Answered(message, deadline, call.key, maybe_done)
            maybe_done = maybe_done or not failed.undone
            pause = self._pause(call, failed, tries, deadline - time.monotonic())
            if pause is None:
                raise _last(call, failed, maybe_done)
            await self._wait(pause)

    async def _once(self, call: Call[A], left: float) -> A:
        longest = self._retrying.try_timeout
        timeout = left if longest is None else min(left, longest)
        return await self._channel.answer(
            call.path, call.request, call.answer, timeout=max(timeout, 0.0), key=call.key
        )

    def _pause(self, call: Call[A], failed: Failure, tries: int, left: float) -> float | None:
        """How long to wait before the next try; None if there is none."""
        # One try may have had less time than the whole call.
        temporary = failed.temporary or isinstance(failed.error, DeadlineExceeded)
        if not temporary or not (call.safe or failed.undone):
            return None
        pause = self._retrying.pause(tries, failed.pause)
        if not self._retrying.may_try(tries) or pause >= left or not self._budget.spend():
            return None
        return pause

    async def _wait(self, pause: float) -> None:
        try:
            await asyncio.sleep(pause)
        except asyncio.CancelledError:
            # Who closes the client does not wait for pauses; the next try is told so.
            if not self._channel.closed:
                raise


def is_decided(error: StateStoreError, key: str | None) -> bool:
    """Whether a refusal tells of the earlier tries as well: then none of them was done.

    Whether a key is known is looked up after who calls, and before how things stand. Without a key,
    what stands in the way may be what an earlier try has done.
    """
    if isinstance(error, VersionConflict | AlreadyExists | Impossible):
        return key is not None
    return isinstance(error, InvalidRequest | NotFound)


def unknown(what: str, reason: StateStoreError, key: str | None) -> OutcomeUnknown:
    error = OutcomeUnknown(f"{what}: {reason}", idempotency_key=key)
    error.__cause__ = reason
    return error


def _last(call: Call[A], failed: Failure, maybe_done: bool) -> StateStoreError:
    """What is raised in the end: a write that may have been done is never called failed."""
    if call.reads or not maybe_done or (failed.undone and is_decided(failed.error, call.key)):
        return failed.error
    return unknown(f"{call.path} may or may not have been done", failed.error, call.key)
