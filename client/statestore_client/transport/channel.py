"""Calls as they go over the wire, once each: with the token, and with a key if they have one."""

import asyncio
from typing import Any, TypeVar

import grpc
from google.protobuf.message import Message

from statestore_client.transport.connection import Connection

PACKAGE = "observability.statestore.v1"

A = TypeVar("A", bound=Message)


class Closed(RuntimeError):
    """`midway` if the call was on its way: nobody knows whether it was done."""

    def __init__(self, *, midway: bool = False) -> None:
        super().__init__("the client was closed" if midway else "the client is closed")
        self.midway = midway


class Channel:
    """Connected at the first call, and from then on kept."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._channel: grpc.aio.Channel | None = None
        self._stubs: dict[str, Any] = {}
        self.closed = False

    async def answer(
        self, path: str, request: Message, answer: type[A], *, timeout: float, key: str | None
    ) -> A:
        """Raises grpc.aio.AioRpcError or Closed."""
        stub = self._stubs.get(path)
        if stub is None:
            stub = self._stubs[path] = self._open().unary_unary(
                f"/{PACKAGE}.{path}",
                request_serializer=type(request).SerializeToString,
                response_deserializer=answer.FromString,
            )
        try:
            answered: A = await stub(request, timeout=timeout, metadata=self._metadata(key))
        except asyncio.CancelledError:
            # Who calls was not cancelled, but the call.
            if self.closed:
                raise Closed(midway=True) from None
            raise
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
        """What is on its way is cancelled."""
        self.closed = True
        self._stubs.clear()
        if self._channel is not None:
            await self._channel.close(None)

    def _open(self) -> grpc.aio.Channel:
        if self.closed:
            raise Closed
        if self._channel is None:
            self._channel = self._connection.channel()
        return self._channel

    def _metadata(self, key: str | None) -> tuple[tuple[str, str], ...]:
        token = self._connection.token
        said = {"authorization": token and f"Bearer {token}", "idempotency-key": key}
        return tuple((name, value) for name, value in said.items() if value)
