"""Whatever is sent about signals: an answer, or the caller's mistake and nothing is written."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from entrypoints.grpc.messages import signals_pb2 as m
from entrypoints.grpc.server.metadata import AUTHORIZATION
from entrypoints.grpc.server.services import HEALTH, SERVICES
from entrypoints.logs import LINES
from tests.entrypoints.grpc.support.any_message import any_message
from tests.entrypoints.grpc.support.served import SIGNALS, Served, served, token, until, update
from tests.support.scale import scaled

METHODS = {
    method.name: method
    for method in m.DESCRIPTOR.services_by_name["SignalStateService"].methods
    if not method.client_streaming
}
EVERY_PATH = [
    f"/{service.full_name}/{method.name}"
    for service in (*SERVICES, HEALTH)
    for method in service.methods
    if not (method.client_streaming or method.server_streaming)
]
MISTAKES = {grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND}
MALFORMED = {*MISTAKES, grpc.StatusCode.OK}

hostile = settings(max_examples=scaled(100, 2_000), suppress_health_check=list(HealthCheck))
many = settings(hostile, max_examples=scaled(400, 2_000))
"""Where a case is a few bytes and soon answered."""


@pytest.fixture(scope="module")
def busy() -> Iterator[Served]:
    with served("memory") as store:
        store.api.registered()
        store.update(0, "CRITICAL", "CONTRACT_COMPLIANCE")
        yield store


async def _asked(store: Served, path: str, sent: bytes) -> tuple[grpc.StatusCode, bytes]:
    call = store.channel.unary_unary(path, None, None)
    try:
        return grpc.StatusCode.OK, await call(sent, metadata=token(), timeout=30)
    except grpc.aio.AioRpcError as error:
        return error.code(), b""


@pytest.mark.parametrize("method", sorted(METHODS))
@hostile
@given(data=st.data())
def test_any_message(busy: Served, method: str, data: st.DataObject) -> None:
    request = data.draw(any_message(METHODS[method].input_type))
    head = busy.head()
    code, told = busy.run(_asked(busy, SIGNALS + method, request.SerializeToString()))
    assert code in MALFORMED
    answer: Any = GetMessageClass(METHODS[method].output_type).FromString(told)
    if not _wrote(answer):
        assert busy.head() == head


def _wrote(answer: Message) -> bool:
    if isinstance(answer, m.UpdateSignalStateResponse):
        return answer.success
    return isinstance(answer, m.BatchUpdateSignalStateResponse) and answer.success_count > 0


@many
@given(path=st.sampled_from(EVERY_PATH), sent=st.binary(max_size=200))
def test_any_bytes(busy: Served, path: str, sent: bytes) -> None:
    head = busy.head()
    code, _ = busy.run(_asked(busy, path, sent))
    assert code in MALFORMED
    assert busy.head() == head


@many
@given(cut=st.integers(0, 300), at=st.integers(0, 300), byte=st.integers(0, 255))
def test_a_good_message_that_was_damaged(busy: Served, cut: int, at: int, byte: int) -> None:
    sent = bytearray(update(0, "CRITICAL", "CONTRACT_COMPLIANCE").SerializeToString())
    sent[at % len(sent)] = byte
    head = busy.head()
    code, told = busy.run(
        _asked(busy, f"{SIGNALS}UpdateSignalState", bytes(sent[: len(sent) - cut % 3]))
    )
    assert code in MALFORMED
    if not m.UpdateSignalStateResponse.FromString(told).success:
        assert busy.head() == head


@hostile
@given(messages=st.lists(st.binary(max_size=60), max_size=5))
def test_any_bytes_in_a_stream(busy: Served, messages: list[bytes]) -> None:
    """The server is asked how it ended: a caller that writes on while it ends may not hear it."""

    async def streamed() -> None:
        call: Any = busy.channel.stream_stream(f"{SIGNALS}StreamSignalStateUpdates", None, None)

        async def sent() -> AsyncIterator[bytes]:
            for message in messages:
                yield message

        await call(sent(), metadata=token(), timeout=30).code()

    head = busy.head()
    with capture_logs() as logs:
        busy.run(streamed())
        busy.run(until(lambda: any(one["event"] == "grpc_call_completed" for one in logs)))
    assert [one["event"] for one in logs] == ["grpc_call_completed"]
    ((line,),) = [one[LINES] for one in logs]
    assert line["status"] in {"OK", "INVALID_ARGUMENT"}
    assert busy.head() == head
    assert busy.server.calls.on_their_way == 0


@pytest.mark.parametrize(
    "name", ["authorization", "idempotency-key", "x-request-id", "traceparent"]
)
@hostile
@given(value=st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=300))
def test_any_metadata(busy: Served, name: str, value: str) -> None:
    said = [*(token() if name != AUTHORIZATION else []), (name, value.strip())]

    async def asked() -> grpc.StatusCode:
        call = busy.channel.unary_unary(f"{SIGNALS}BatchUpdateSignalState", None, None)
        try:
            await call(b"", metadata=said, timeout=30)
        except grpc.aio.AioRpcError as error:
            return error.code()
        return grpc.StatusCode.OK

    assert busy.run(asked()) in {*MALFORMED, grpc.StatusCode.UNAUTHENTICATED}
