"""Events posted to webhooks: signed, bounded, and every answer understood."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import orjson
import pytest
from attrs import frozen

from adapters.webhooks.configuration import Webhook
from adapters.webhooks.sink import AT_ONCE, WebhookSink
from application.delivery.sink import Answer, Away, Refusal
from tests.adapters.sample_events import NOON, event
from tests.adapters.webhooks.receiver import Receiver, receiving

SECRET = "a secret of some length"
PAGE = Path(__file__).parents[3] / "docs" / "events.md"


@frozen
class Noon:
    def now(self) -> Any:
        return NOON


@asynccontextmanager
async def posting(url: str, timeout: float = 10.0) -> AsyncIterator[WebhookSink]:
    sink = WebhookSink(Webhook("oncall", url, SECRET), Noon(), timeout)
    try:
        yield sink
    finally:
        await sink.close()


def answered(*statuses: int, timeout: float = 10.0) -> tuple[Answer, Receiver]:
    async def story() -> tuple[Answer, Receiver]:
        async with receiving(*statuses) as receiver, posting(receiver.url, timeout) as sink:
            return (await sink.send([event()]))[0], receiver

    return asyncio.run(story())


def test_an_event_arrives_with_its_id_and_type() -> None:
    answer, receiver = answered()
    (request,) = receiver.requests
    assert answer is None
    assert orjson.loads(request.body) == event().document()
    assert request.headers["Content-Type"] == "application/json"
    assert request.headers["Statestore-Event-Id"] == event().event_id
    assert request.headers["Statestore-Event-Type"] == "SIGNAL_STATE_CHANGED"


def verify() -> Any:
    """The function that the documentation shows."""
    (snippet,) = re.findall(r"```python\n(.*?def is_genuine.*?)```", PAGE.read_text(), re.DOTALL)
    namespace: dict[str, Any] = {}
    exec(snippet, namespace)
    return namespace["is_genuine"]


def test_the_signature_is_verified_as_the_documentation_says() -> None:
    _, receiver = answered()
    (request,) = receiver.requests
    is_genuine, now = verify(), NOON.timestamp()
    assert is_genuine(SECRET, request.headers, request.body, now=now + 299)
    assert is_genuine(SECRET, request.headers, request.body, now=now - 299)
    assert not is_genuine(SECRET, request.headers, request.body, now=now + 301)
    assert not is_genuine("another secret", request.headers, request.body, now=now)
    assert not is_genuine(SECRET, request.headers, request.body + b" ", now=now)
    later = {**request.headers, "Statestore-Timestamp": str(int(now) + 1)}
    assert not is_genuine(SECRET, later, request.body, now=now)


@pytest.mark.parametrize("status", [200, 201, 202, 204])
def test_what_is_taken(status: int) -> None:
    assert answered(status)[0] is None


@pytest.mark.parametrize("status", [301, 307, 400, 401, 403, 404, 409, 410, 413, 422])
def test_what_is_refused_for_good(status: int) -> None:
    answer, receiver = answered(status)
    assert answer == Refusal(f"it answered with {status}", for_good=True)
    assert len(receiver.requests) == 1  # a redirect is not followed


@pytest.mark.parametrize("status", [408, 425, 500, 501, 507])
def test_what_is_refused_for_now(status: int) -> None:
    assert answered(status)[0] == Refusal(f"it answered with {status}", for_good=False)


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_who_is_away(status: int) -> None:
    assert answered(status)[0] == Away(f"it answered with {status}")


def test_nobody_is_waited_for_without_an_end() -> None:
    assert answered(0, timeout=0.3)[0] == Refusal("no answer within 0.3 s")


def test_nobody_there_is_away() -> None:
    async def story() -> Answer:
        async with receiving() as receiver:
            url = receiver.url
        async with posting(url) as sink:
            return (await sink.send([event()]))[0]

    assert asyncio.run(story()) == Away("no connection (ClientConnectorError)")


def test_a_broken_connection_is_a_try() -> None:
    async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    async def story() -> Answer:
        server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server, posting(f"http://127.0.0.1:{port}/") as sink:
            return (await sink.send([event()]))[0]

    answer = asyncio.run(story())
    assert isinstance(answer, Refusal)
    assert not answer.for_good


def test_so_many_at_once_and_no_more() -> None:
    async def story() -> Receiver:
        full = asyncio.Barrier(AT_ONCE)
        async with receiving() as receiver, posting(receiver.url) as sink:
            receiver.pace = full.wait
            answers = await sink.send([event(number) for number in range(3 * AT_ONCE)])
            assert answers == [None] * 3 * AT_ONCE
            return receiver

    assert asyncio.run(story()).most_at_once == AT_ONCE


def test_what_becomes_of_each_is_told_in_turn() -> None:
    async def story() -> list[Answer]:
        async with receiving(204, 400, 503) as receiver, posting(receiver.url) as sink:
            sink._turns = asyncio.Semaphore(1)
            return list(await sink.send([event(1), event(2), event(3)]))

    told = [None, Refusal("it answered with 400", for_good=True), Away("it answered with 503")]
    assert asyncio.run(story()) == told


def test_nobody_sees_the_secret() -> None:
    sink = WebhookSink(Webhook("oncall", "https://example.com", SECRET), Noon())
    assert SECRET not in repr(sink)
