"""A gRPC server that answers as a test tells it to: how faults are made."""

import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc
from attrs import define, field, frozen
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message_factory import GetMessageClass
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from statestore_client.messages import (
    datasets_pb2,
    evidence_pb2,
    incidents_pb2,
    lineage_pb2,
    policies_pb2,
    signals_pb2,
)

FILES = (datasets_pb2, evidence_pb2, incidents_pb2, lineage_pb2, policies_pb2, signals_pb2)
METHODS = {
    f"/{service.full_name}/{method.name}": method
    for file in FILES
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
}

Step = Callable[[Any, grpc.ServicerContext], Any]
"""What is answered to a request, or to an iterator of them."""


@frozen
class Heard:
    method: str
    request: Any
    """Nothing for a stream."""
    metadata: dict[str, Any]
    seconds_left: float | None


@define
class Scripted(grpc.GenericRpcHandler):  # type: ignore[type-arg]  # not at runtime
    address: str = ""
    heard: list[Heard] = field(factory=list)
    ended: threading.Event = field(factory=threading.Event)
    """Set when the test is over: what waits for it ends."""
    _steps: dict[str, deque[Step]] = field(factory=dict)

    def on(self, method: str, *steps: Any) -> None:
        """Answer with one after the other, and with the last one from then on."""
        self._steps[method] = deque(one if callable(one) else answer(one) for one in steps)

    def asked(self, method: str) -> list[Heard]:
        return [one for one in self.heard if one.method == method]

    def service(self, call: grpc.HandlerCallDetails) -> Any:
        method, name = METHODS[call.method], call.method.rpartition("/")[2]
        bound = (
            grpc.stream_stream_rpc_method_handler
            if method.client_streaming
            else grpc.unary_unary_rpc_method_handler
        )

        def handle(request: Any, context: grpc.ServicerContext) -> Any:
            said = None if method.client_streaming else request
            metadata = dict(context.invocation_metadata())
            self.heard.append(Heard(name, said, metadata, context.time_remaining()))
            steps = self._steps[name]
            step = steps.popleft() if len(steps) > 1 else steps[0]
            return step(request, context)

        return bound(
            handle,
            request_deserializer=GetMessageClass(method.input_type).FromString,
            response_serializer=lambda message: message.SerializeToString(),
        )


@contextmanager
def scripted() -> Iterator[Scripted]:
    script = Scripted()
    pool = ThreadPoolExecutor(8)
    server = grpc.server(pool, handlers=[script])
    script.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    server.start()
    try:
        yield script
    finally:
        script.ended.set()
        server.stop(None).wait()
        pool.shutdown()


def answer(message: Any) -> Step:
    return lambda request, context: message


def refuse(
    status: grpc.StatusCode,
    reason: str,
    *,
    violations: tuple[tuple[str, str, str], ...] = (),
    after: float | None = None,
    **data: Any,
) -> Step:
    """As the store refuses: with its code and what belongs to it."""
    rich = Status(code=status.value[0], message="no")
    said = {name: str(value) for name, value in data.items()}
    rich.details.add().Pack(ErrorInfo(reason=reason, domain="statestore", metadata=said))
    if after is not None:
        wait = Duration()
        wait.FromNanoseconds(round(after * 1e9))
        rich.details.add().Pack(RetryInfo(retry_delay=wait))
    if violations:
        bad = BadRequest()
        for name, code, text in violations:
            bad.field_violations.add(field=name, reason=code, description=text)
        rich.details.add().Pack(bad)

    def step(request: Any, context: grpc.ServicerContext) -> Any:
        context.set_trailing_metadata((("grpc-status-details-bin", rich.SerializeToString()),))
        context.abort(status, "no")

    step.__name__ = reason
    return step


def lose(request: Any, context: grpc.ServicerContext) -> Any:
    """As a connection that breaks before the answer: nobody says whether it was done."""
    context.abort(grpc.StatusCode.UNAVAILABLE, "Socket closed")


def broken(status: grpc.StatusCode, text: str) -> Step:
    """As gRPC itself tells of a connection that broke."""

    def step(request: Any, context: grpc.ServicerContext) -> Any:
        context.abort(status, text)

    step.__name__ = text
    return step


def hang(script: Scripted) -> Step:
    def step(request: Any, context: grpc.ServicerContext) -> Any:
        script.ended.wait()
        context.abort(grpc.StatusCode.UNAVAILABLE, "the test is over")

    return step
