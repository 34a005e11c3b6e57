"""
Methods of the contract as gRPC serves them, made of the descriptors.

gRPC hands over bytes: what cannot be read is the caller's mistake, and is told as one.
"""

import re
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import aclosing
from typing import Any, TypeAlias

import grpc
from attrs import frozen
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.descriptor_pb2 import MethodOptions
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from entrypoints.grpc.server.call import Call
from entrypoints.grpc.server.call_handling import Context, Surroundings
from entrypoints.grpc.server.errors import Malformed
from entrypoints.grpc.server.metadata import Heard

Answer = Callable[[Any, Call], Coroutine[Any, Any, Message]]
Answers = Callable[[Any, Call], Any]
Handler: TypeAlias = "grpc.RpcMethodHandler[bytes, bytes]"

_WORD_BEGINS = re.compile(r"(?<!^)(?=[A-Z])")


def handlers(
    service: ServiceDescriptor, serves: object, around: Surroundings
) -> dict[str, Handler]:
    """For each method of the contract the one in snake case of the object that serves it."""
    return {
        method.name: _handler(method, getattr(serves, _snake_case(method.name)), around)
        for method in service.methods
    }


def _handler(method: MethodDescriptor, answer: Any, around: Surroundings) -> Handler:
    name = f"/{method.containing_service.full_name}/{method.name}"
    taken = Taken(GetMessageClass(method.input_type))
    if method.client_streaming:
        return grpc.stream_stream_rpc_method_handler(Streamed(name, taken, answer, around).handle)
    if method.server_streaming:
        return grpc.unary_stream_rpc_method_handler(Streamed(name, taken, answer, around).one)
    writes = around.identities is not None and not _only_reads(method)
    return grpc.unary_unary_rpc_method_handler(Unary(name, taken, answer, writes, around).handle)


def _only_reads(method: MethodDescriptor) -> bool:
    return bool(method.GetOptions().idempotency_level == MethodOptions.NO_SIDE_EFFECTS)


def _snake_case(name: str) -> str:
    return _WORD_BEGINS.sub("_", name).lower()


@frozen
class Taken:
    """The message that a method takes."""

    kind: type[Message]

    def read(self, sent: bytes) -> Message:
        """Raises Malformed. What is too large does not come here: gRPC refuses it."""
        try:
            return self.kind.FromString(sent)
        except DecodeError:
            raise Malformed(self.kind.DESCRIPTOR.name) from None


@frozen
class Unary:
    name: str
    taken: Taken
    answer: Answer
    writes: bool
    around: Surroundings

    async def handle(self, sent: bytes, context: Context) -> bytes:
        return await self.around.surround(
            self.name, context, lambda heard: self._answered(sent, heard), b""
        )

    async def _answered(self, sent: bytes, heard: Heard) -> bytes:
        by = self.around.identified(heard)
        request = self.taken.read(sent)
        if not self.writes:
            return (await self.answer(request, self.around.call(by))).SerializeToString()
        call = self.around.call(heard.writer(by, self.name, request))
        answer = await self.around.calls.to_the_end(self.answer(request, call))
        return answer.SerializeToString()


@frozen
class Streamed:
    """Messages out, without waiting for the end of those that come in."""

    name: str
    taken: Taken
    answers: Answers
    around: Surroundings

    async def handle(self, sent: AsyncIterator[bytes], context: Context) -> None:
        await self._surrounded(context, lambda: self._requests(sent))

    async def one(self, sent: bytes, context: Context) -> None:
        """Of a method that takes a single message."""
        await self._surrounded(context, lambda: self.taken.read(sent))

    async def _surrounded(self, context: Context, asked: Callable[[], Any]) -> None:
        await self.around.surround(
            self.name, context, lambda heard: self._answered(asked, context, heard), None
        )

    async def _answered(self, asked: Callable[[], Any], context: Context, heard: Heard) -> None:
        by = self.around.identified(heard)
        heard.refuse_key()
        async with aclosing(self.answers(asked(), self.around.call(by))) as answers:
            async for answer in answers:
                # Returns once there is room for it: a slow reader slows down whoever answers.
                await context.write(answer.SerializeToString())

    async def _requests(self, sent: AsyncIterator[bytes]) -> AsyncIterator[Message]:
        async for message in sent:
            yield self.taken.read(message)
