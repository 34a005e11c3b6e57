"""Whatever is sent in streams: each message is answered, or is the caller's mistake."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import grpc
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from entrypoints.grpc.messages import signals_pb2 as m
from entrypoints.grpc.server.services import REFLECTION
from tests.entrypoints.grpc.support.any_message import any_message
from tests.entrypoints.grpc.support.served import SIGNALS, Served, served, token
from tests.support.scale import scaled

hostile = settings(max_examples=scaled(100, 2_000), suppress_health_check=list(HealthCheck))
REFLECTING = REFLECTION.methods_by_name["ServerReflectionInfo"]


@pytest.fixture(scope="module")
def busy() -> Iterator[Served]:
    with served("memory") as store:
        store.api.registered()
        yield store


async def _streamed(
    store: Served, path: str, messages: list[bytes]
) -> tuple[grpc.StatusCode, list[bytes]]:
    async def sent() -> AsyncIterator[bytes]:
        for message in messages:
            yield message

    call: Any = store.channel.stream_stream(path, None, None)
    stream = call(sent(), metadata=token(), timeout=30)
    told = [answer async for answer in stream]
    return await stream.code(), told


@hostile
@given(data=st.data())
def test_any_updates(busy: Served, data: st.DataObject) -> None:
    kind: Any = m.StreamSignalStateUpdatesRequest.DESCRIPTOR
    messages: list[Any] = data.draw(st.lists(any_message(kind), max_size=3))
    head, sent = busy.head(), [one.SerializeToString() for one in messages]
    code, told = busy.run(_streamed(busy, f"{SIGNALS}StreamSignalStateUpdates", sent))
    answers = map(m.StreamSignalStateUpdatesResponse.FromString, told)
    results = [result for answer in answers for result in answer.results]
    assert code is grpc.StatusCode.OK
    assert len(results) == sum(len(one.updates) for one in messages)
    if not any(result.success for result in results):
        assert busy.head() == head


@hostile
@given(data=st.data())
def test_any_questions_about_the_contract(busy: Served, data: st.DataObject) -> None:
    messages = data.draw(st.lists(any_message(REFLECTING.input_type), max_size=3))
    path = f"/{REFLECTION.full_name}/{REFLECTING.name}"
    code, told = busy.run(_streamed(busy, path, [one.SerializeToString() for one in messages]))
    assert (code, len(told)) == (grpc.StatusCode.OK, len(messages))
