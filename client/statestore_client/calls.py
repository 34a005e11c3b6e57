"""
The one place where calls are made: with a deadline, and tried again where that is safe.

A read is always safe to repeat. A write is, if it carries an idempotency key, if it cannot be done
twice (it names the version it rests on, or is known by its content), or if the failure itself says
that nothing was done. What the store refuses is never tried again; a version conflict is the
caller's to decide.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import grpc
from google.protobuf.message import Message

from statestore_client.asking import NEW_KEY, Key, Reading, Writing, options
from statestore_client.connection import Connection
from statestore_client.errors import (
    DeadlineExceeded,
    OutcomeUnknown,
    StateStoreError,
    VersionConflict,
)
from statestore_client.failures import Failure, failure
from statestore_client.keys import new_key
from statestore_client.positions import Positions
from statestore_client.retrying import Budget, Retrying

PACKAGE = "observability.statestore.v1"

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
    repeated: bool = False
    """Whether an earlier try may have been done, and no key tells the two apart."""


class Calls:
    def __init__(
        self, connection: Connection, retrying: Retrying, timeout: float, positions: Positions
    ) -> None:
        self.positions = positions
        self.retrying = retrying
        self.timeout = timeout
        self._connection = connection
        self._budget = Budget(retrying)
        self._channel: grpc.aio.Channel | None = None
        self._stubs: dict[str, Any] = {}
        self._closed = False

    async def read(self, path: str, request: Any, answer: type[A], how: Reading) -> A:
        if "options" in request.DESCRIPTOR.fields_by_name:
            said = options(how, self.positions)
            if said is not None:
                request.options.CopyFrom(said)
        timeout = how.get("timeout", self.timeout)
        return (await self._tried(Call(path, request, answer, timeout, reads=True))).message

    async def pages(
        self, path: str, request: Any, answer: type[A], how: Reading
    ) -> AsyncIterator[A]:
        """All pages of a list, with the same demands; each within the timeout."""
        if "min_position" not in how and self.positions.latest is not None:
            how = {**how, "min_position": None if how.get("as_of") else self.positions.latest}
        while True:
            page: Any = await self.read(path, request, answer, how)
            yield page
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def write(
        self,
        path: str,
        request: Message,
        answer: type[A],
        how: Writing,
        *,
        repeatable: bool = False,
    ) -> Answered[A]:
        call = Call(
            path,
            request,
            answer,
            how.get("timeout", self.timeout),
            reads=False,
            key=_key(how.get("idempotency_key", NEW_KEY)),
            repeatable=repeatable,
        )
        answered = await self._tried(call)
        self.positions.told(position_of(answered.message))
        return answered

    def stream(self, path: str, request: type[Message], answer: type[Message]) -> Any:
        """A call that goes on until either side ends it."""
        stub: Any = self._open().stream_stream(
            f"/{PACKAGE}.{path}",
            request_serializer=request.SerializeToString,
            response_deserializer=answer.FromString,
        )
        return stub(metadata=self._metadata(None), wait_for_ready=False)

    async def close(self) -> None:
        self._closed = True
        if self._channel is not None:
            await self._channel.close(None)
        self._stubs.clear()

    async def _tried(self, call: Call[A]) -> Answered[A]:
        deadline = time.monotonic() + call.timeout
        maybe_done: StateStoreError | None = None
        tries = 0
        while True:
            tries += 1
            try:
                message = await self._once(call, deadline - time.monotonic())
            except grpc.aio.AioRpcError as status:
                failed = failure(status)
            else:
                self._budget.succeeded()
                return Answered(message, maybe_done is not None and call.key is None)
            maybe_done = maybe_done if failed.undone else failed.error
            pause = self._pause(call, failed, tries, deadline - time.monotonic())
            if pause is None:
                raise _last(call, failed, maybe_done)
            await asyncio.sleep(pause)

    async def _once(self, call: Call[A], left: float) -> A:
        longest = self.retrying.try_timeout
        timeout = left if longest is None else min(left, longest)
        message: A = await self._stub(call)(
            call.request, timeout=max(timeout, 0.0), metadata=self._metadata(call.key)
        )
        return message

    def _pause(self, call: Call[A], failed: Failure, tries: int, left: float) -> float | None:
        """How long to wait before the next try; None if there is none."""
        # One try may have had less time than the whole call.
        temporary = failed.temporary or isinstance(failed.error, DeadlineExceeded)
        if not temporary or not (call.safe or failed.undone):
            return None
        pause = self.retrying.pause(tries, failed.pause)
        if tries >= self.retrying.most_tries or pause >= left or not self._budget.spend():
            return None
        return pause

    def _stub(self, call: Call[A]) -> Any:
        stub = self._stubs.get(call.path)
        if stub is None:
            stub = self._stubs[call.path] = self._open().unary_unary(
                f"/{PACKAGE}.{call.path}",
                request_serializer=type(call.request).SerializeToString,
                response_deserializer=call.answer.FromString,
            )
        return stub

    def _open(self) -> grpc.aio.Channel:
        if self._closed:
            raise RuntimeError("the client is closed")
        if self._channel is None:
            self._channel = self._connection.channel()
        return self._channel

    def _metadata(self, key: str | None) -> tuple[tuple[str, str], ...]:
        token = self._connection.token
        said = {"authorization": token and f"Bearer {token}", "idempotency-key": key}
        return tuple((name, value) for name, value in said.items() if value)


def position_of(message: Any) -> str:
    """Where the log stood after a write; empty if it wrote nothing."""
    if "answer" in message.DESCRIPTOR.fields_by_name:
        return str(message.answer.position)
    return str(message.position)


def _key(said: str | Key | None) -> str | None:
    return new_key() if isinstance(said, Key) else said


def _last(call: Call[A], failed: Failure, maybe_done: StateStoreError | None) -> StateStoreError:
    """What is raised in the end: a write that may have been done is never called failed."""
    if call.reads or maybe_done is None:
        return failed.error
    refused = failed.undone and not failed.temporary
    own = call.key is None and isinstance(failed.error, VersionConflict)
    if refused and not own:
        return failed.error
    unknown = OutcomeUnknown(
        f"{call.path} may or may not have been done: {failed.error}", idempotency_key=call.key
    )
    unknown.__cause__ = failed.error
    return unknown
