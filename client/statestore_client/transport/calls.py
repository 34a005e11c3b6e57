"""What all calls have in common: how they are asked for, and the positions they tell."""

import time
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, TypeVar

from google.protobuf.message import Message

from statestore_client.errors import DeadlineExceeded, InvalidRequest
from statestore_client.messages.common_pb2 import ReadOptions
from statestore_client.options import (
    NEW_KEY,
    Key,
    Reading,
    Writing,
    must_be_known,
    must_be_time,
    options,
)
from statestore_client.transport.attempts import Answered, Call, Trying
from statestore_client.transport.channel import Channel
from statestore_client.transport.connection import Connection
from statestore_client.transport.headers import must_be_sendable
from statestore_client.transport.idempotency_keys import new_key
from statestore_client.transport.positions import Positions
from statestore_client.transport.retry_policy import Retrying

MOST_AT_ONCE = 500
"""How much may be asked for, or reported, in one call."""

A = TypeVar("A", bound=Message)
Name = TypeVar("Name")


class Calls:
    def __init__(
        self, connection: Connection, retrying: Retrying, timeout: float, positions: Positions
    ) -> None:
        self.positions = positions
        self.retrying = retrying
        self.timeout = must_be_time(timeout)
        self.channel = Channel(connection)
        self._trying = Trying(self.channel, retrying)

    async def read(self, path: str, request: Any, answer: type[A], how: Reading) -> A:
        return await self._read(path, request, answer, how, self.positions.latest)

    async def pages(
        self, path: str, request: Any, answer: type[A], how: Reading
    ) -> AsyncIterator[A]:
        """All pages of a list, with the same demands; each within the timeout."""
        own = self.positions.latest
        while True:
            page: Any = await self._read(path, request, answer, how, own)
            yield page
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token
            own = own if self.positions.latest else None

    async def _read(
        self, path: str, request: Any, answer: type[A], how: Reading, own: str | None
    ) -> A:
        must_be_known(how, Reading)
        deadline = time.monotonic() + self._timeout(how)
        own = None if how.get("min_position") else own
        while True:
            _put_options(request, options(how, own))
            left = max(deadline - time.monotonic(), 0.0)
            call = Call(path, request, answer, left, reads=True)
            try:
                return (await self._trying.answer(call)).message
            except InvalidRequest as refused:
                if not self.positions.is_gone(own, refused):
                    raise
            own = None

    def parts(
        self, names: Sequence[Name], how: Reading
    ) -> Iterator[tuple[Sequence[Name], Reading]]:
        """As many as one call may ask for at a time, and all of them within the timeout."""
        deadline = time.monotonic() + self._timeout(how)
        for start in range(0, len(names), MOST_AT_ONCE):
            yield names[start : start + MOST_AT_ONCE], {**how, "timeout": left_until(deadline)}

    async def write(
        self,
        path: str,
        request: Message,
        answer: type[A],
        how: Writing,
        *,
        repeatable: bool = False,
    ) -> Answered[A]:
        must_be_known(how, Writing)
        call = Call(
            path,
            request,
            answer,
            self._timeout(how),
            reads=False,
            key=_key(how.get("idempotency_key", NEW_KEY)),
            repeatable=repeatable,
        )
        answered = await self._trying.answer(call)
        self.positions.told(position_of(answered.message))
        return answered

    def _timeout(self, how: Reading | Writing) -> float:
        return must_be_time(how.get("timeout", self.timeout))


def left_until(deadline: float) -> float:
    """Seconds, by the monotonic clock. Raises DeadlineExceeded if there are none."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise DeadlineExceeded("it took too long", "DEADLINE_EXCEEDED")
    return left


def _put_options(request: Any, said: ReadOptions | None) -> None:
    if "options" in request.DESCRIPTOR.fields_by_name:
        request.ClearField("options")
        if said is not None:
            request.options.CopyFrom(said)


def position_of(message: Any) -> str:
    """Where the log stood after a write; empty if it wrote nothing there."""
    known = message.DESCRIPTOR.fields_by_name
    if "answer" in known:
        return str(message.answer.position)
    return str(message.position) if "position" in known else ""


def _key(said: str | Key | None) -> str | None:
    if isinstance(said, Key):
        return new_key()
    must_be_sendable("the idempotency key", said or "")
    return said
