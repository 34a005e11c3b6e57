"""The application through a real gRPC server and a real channel, beside HTTP (as `api` is)."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import grpc
import grpc.aio
from attrs import define, frozen
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from entrypoints.container import Container
from entrypoints.grpc.fields.timestamps import timestamp
from entrypoints.grpc.messages import common_pb2, signals_pb2
from entrypoints.grpc.server.errors import DETAILS
from entrypoints.grpc.server.server import GrpcServer, listen
from tests.entrypoints.http.api import ENGINE, EVIDENCE, NOON, ORDERS, TOKEN, Api, serving
from tests.support.event_loop_turns import others_go_on

SIGNALS = "/observability.statestore.v1.SignalStateService/"
PATIENCE = 30.0
"""Seconds; no call of these tests takes nearly as long."""

Metadata = Sequence[tuple[str, str]]
T = TypeVar("T")
M = TypeVar("M", bound=Message)


def token(secret: str = TOKEN) -> Metadata:
    return [("authorization", f"Bearer {secret}")]


@frozen
class Refused:
    """What is told of an error."""

    code: grpc.StatusCode
    text: str
    reason: str
    data: Mapping[str, str]
    violations: Mapping[str, str]
    """By field: their codes."""
    retry_after: float | None
    trailing: Mapping[str, Any]


@define
class Served:
    api: Api
    server: GrpcServer
    channel: grpc.aio.Channel

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.api.run(asyncio.wait_for(work, PATIENCE))

    def ask(
        self,
        method: str,
        request: Message | bytes,
        answer: type[M],
        metadata: Metadata = (),
        **more: Any,
    ) -> M:
        return self.run(self.asking(method, request, answer, metadata, **more))

    async def asking(
        self,
        method: str,
        request: Message | bytes,
        answer: type[M],
        metadata: Metadata = (),
        **more: Any,
    ) -> M:
        """Raises AioRpcError."""
        sent = request if isinstance(request, bytes) else request.SerializeToString()
        call = self.channel.unary_unary(path(method), None, answer.FromString)
        told: M = await call(sent, metadata=[*token(), *metadata], timeout=PATIENCE, **more)
        return told

    def refused(
        self, method: str, request: Message | bytes, metadata: Metadata | None = None, **more: Any
    ) -> Refused:
        """What is told of the error that the call ends with."""
        sent = request if isinstance(request, bytes) else request.SerializeToString()
        said = token() if metadata is None else metadata

        async def asked() -> Refused:
            call = self.channel.unary_unary(path(method), None, None)
            try:
                await call(sent, metadata=said, **({"timeout": PATIENCE} | more))
            except grpc.aio.AioRpcError as error:
                return refused(error)
            raise AssertionError("it was not refused")

        return self.run(asked())

    def update(self, *args: Any, **more: Any) -> signals_pb2.UpdateSignalStateResponse:
        return self.ask(
            "UpdateSignalState", update(*args, **more), signals_pb2.UpdateSignalStateResponse
        )

    def head(self) -> int:
        return self.api.head()


def path(method: str) -> str:
    return method if method.startswith("/") else SIGNALS + method


def refused(error: grpc.aio.AioRpcError) -> Refused:
    untyped: Any = error.trailing_metadata() or ()
    trailing: dict[str, Any] = dict(untyped)
    status = Status.FromString(trailing.get(DETAILS, b""))
    told, wrong, later = ErrorInfo(), BadRequest(), RetryInfo()
    has_info, has_wrong, has_later = (_unpacked(status, one) for one in (told, wrong, later))
    if has_info:
        assert told.domain == "statestore"
        assert (status.code, status.message) == (error.code().value[0], error.details())
    return Refused(
        error.code(),
        error.details() or "",
        told.reason,
        dict(told.metadata),
        {one.field: one.reason for one in wrong.field_violations} if has_wrong else {},
        later.retry_delay.ToNanoseconds() / 1e9 if has_later else None,
        trailing,
    )


def _unpacked(status: Status, into: Message) -> bool:
    return any(detail.Unpack(into) for detail in status.details)


@contextmanager
def served(
    engine: str = ENGINE,
    prepare: Callable[[Container], None] = lambda container: None,
    folder: Path | None = None,
    **settings: str,
) -> Iterator[Served]:
    more = {"STATESTORE_GRPC_PORT": "0", **settings}
    if engine == "embedded":
        more["STATESTORE_DATA_DIR"] = str(folder)
    with serving(engine, prepare, **more) as api:
        server = api.loop.run(_started(api))
        channel = api.loop.run(_channel(server))
        try:
            yield Served(api, server, channel)
        finally:
            api.loop.run(channel.close(None))
            server.drain_seconds = 0
            api.loop.run(server.ended())


async def _started(api: Api) -> GrpcServer:
    server = listen(api.container, "127.0.0.1")
    await server.start()
    return server


async def _channel(server: GrpcServer) -> grpc.aio.Channel:
    return grpc.aio.insecure_channel(server.address)


def update(
    window: int,
    state: str = "OK",
    signal_type: str = "VOLUME",
    expected_version: int = -1,
    dataset_urn: str = ORDERS,
    **other: Any,
) -> signals_pb2.UpdateSignalStateRequest:
    """A report on the n-th window of five minutes after noon."""
    end = NOON + timedelta(minutes=5 * (window + 1))
    explained: dict[str, Any] = {
        "failure_signature": "MISSING_FIELD:customer_id",
        "top_producer": common_pb2.ProducerInfo(
            producer_id="orders-svc", version="v3.17", confidence="HIGH"
        ),
        "evidence_sample": [EVIDENCE],
    }
    said: dict[str, Any] = {
        "state": state,
        "score": 0.5,
        "slo_threshold": 0.95,
        "window_start": timestamp(end - timedelta(minutes=5)),
        "window_end": timestamp(end),
        "window_type": "TUMBLING_5MIN",
        "metrics": signals_pb2.SignalMetrics(evidence_count=10, pass_count=5, fail_count=5),
        **({} if state == "OK" else explained),
        **other,
    }
    return signals_pb2.UpdateSignalStateRequest(
        dataset_urn=dataset_urn,
        signal_type=signal_type,
        state=signals_pb2.SignalStateValue(**said),
        expected_version=expected_version,
    )


def options(
    as_of: datetime | None = None, min_position: str = "", strong: bool = False
) -> common_pb2.ReadOptions:
    return common_pb2.ReadOptions(
        as_of=timestamp(as_of) if as_of else None, min_position=min_position, strong=strong
    )


async def until(true: Callable[[], bool]) -> None:
    """Let everything else go on until something is so."""
    while not true():  # nobody tells when it is
        await others_go_on()
