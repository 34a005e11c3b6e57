"""What a socket leaves behind, and readers that read nothing; without a network."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

import orjson
import pytest
from attrs import define, field
from dependency_injector import providers
from starlette.websockets import WebSocket

from application.errors import Unavailable
from application.events_out.event import Event
from entrypoints.graphql import sockets
from entrypoints.graphql.routes import answering_of
from entrypoints.graphql.sockets import Sockets
from tests.adapters.some_events import event
from tests.entrypoints.http.api import TOKEN, Api, serving
from tests.entrypoints.http.test_reading import peopled

INIT = {"type": "connection_init", "payload": {"Authorization": f"Bearer {TOKEN}"}}
BEGINNING = "MS4wLjA"


def subscribe(name: str, after: str = BEGINNING) -> dict[str, Any]:
    query = f'subscription {{ signalChanges(after: "{after}") {{ state signal {{ state }} }} }}'
    return {"type": "subscribe", "id": name, "payload": {"query": query}}


@define
class Line:
    """The server's end of a websocket. Whoever `reads` nothing lets it wait."""

    reads: Callable[[], Awaitable[None]]
    sent: list[dict[str, Any]] = field(factory=list)
    coming: asyncio.Queue[dict[str, Any]] = field(factory=asyncio.Queue)
    news: asyncio.Condition = field(factory=asyncio.Condition)

    def say(self, *messages: dict[str, Any]) -> None:
        self.coming.put_nowait({"type": "websocket.connect"})
        for message in messages:
            text = orjson.dumps(message).decode()
            self.coming.put_nowait({"type": "websocket.receive", "text": text})

    def leave(self) -> None:
        self.coming.put_nowait({"type": "websocket.disconnect", "code": 1006})

    async def send(self, message: Any) -> None:
        if message["type"] == "websocket.send":
            await self.reads()
        self.sent.append(message)
        async with self.news:
            self.news.notify_all()

    def socket(self) -> WebSocket:
        scope = {"type": "websocket", "headers": [], "subprotocols": [sockets.PROTOCOL]}
        return WebSocket(scope, self.coming.get, self.send)

    def told(self) -> list[dict[str, Any]]:
        texts = [one["text"] for one in self.sent if one["type"] == "websocket.send"]
        return [orjson.loads(one) for one in texts]


async def at_once() -> None:
    await asyncio.sleep(0)


async def never() -> None:
    await asyncio.Event().wait()


def served(api: Api) -> Sockets:
    container = api.container
    return Sockets(
        lambda: answering_of(container),
        container.identities,
        container.event_streams,
        container.new_id(),
    )


def tasks() -> set[asyncio.Task[Any]]:
    return {task for task in asyncio.all_tasks() if not task.done()}


async def heard(line: Line, messages: int) -> None:
    """Until so many were told."""
    async with asyncio.timeout(30), line.news:
        await line.news.wait_for(lambda: len(line.told()) >= messages)


def test_whoever_leaves_leaves_nothing_behind(api: Api) -> None:
    peopled(api)
    line_of = served(api)

    async def story() -> None:
        streams = api.container.event_streams()
        before = tasks()
        for number in range(60):
            line = Line(at_once)
            line.say(INIT, subscribe("a"), subscribe("b"), {"type": "complete", "id": "a"})
            listening = asyncio.create_task(line_of.listen(line.socket()))
            # Some leave at once, some while they are told something.
            await heard(line, number % 3)
            line.leave()
            await listening
        assert (streams.listening, line_of.open) == (0, 0)
        assert tasks() - {asyncio.current_task()} <= before

    api.loop.run(story())


def test_a_reader_that_reads_nothing_is_let_go(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "LAST_WORD", 0.05)
    peopled(api)
    line_of = served(api)

    async def story() -> None:
        streams = api.container.event_streams()
        streams.slowest = 0.05
        line = Line(at_once)
        line.say(INIT, subscribe("a"))
        listening = asyncio.create_task(line_of.listen(line.socket()))
        await heard(line, 2)
        assert streams.listening == 1
        line.reads = never
        line.coming.put_nowait({"type": "websocket.receive", "text": '{"type": "ping"}'})
        async with asyncio.timeout(30):
            await listening
        assert (streams.listening, line_of.open) == (0, 0)

    api.loop.run(story())


def test_a_reader_that_stops_while_it_is_told_something_is_let_go(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "LAST_WORD", 0.05)
    peopled(api)
    line_of = served(api)

    async def story() -> None:
        streams = api.container.event_streams()
        streams.slowest = 0.05
        line = Line(at_once)

        async def reads() -> None:
            # The acknowledgement is read, and nothing after it.
            await (never() if line.told() else at_once())

        line.reads = reads
        line.say(INIT, subscribe("a"))
        async with asyncio.timeout(30):
            await line_of.listen(line.socket())
        assert [one["type"] for one in line.told()] == ["connection_ack"]
        assert line.sent[-1] == {
            "type": "websocket.close",
            "code": 1013,
            "reason": "what was said was not read",
        }
        assert streams.listening == 0

    api.loop.run(story())


def test_who_says_nothing_is_let_go(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "INIT_SECONDS", 0.05)
    line = Line(at_once)
    line.say()
    api.loop.run(served(api).listen(line.socket()))
    assert line.sent[-1]["code"] == 4408


def test_only_so_many_operations_run_at_once(api: Api) -> None:
    line = Line(at_once)
    line.say(INIT, *(subscribe(str(number), "") for number in range(101)))
    with serving(STATESTORE_EVENT_STREAMS="1000") as roomy:
        roomy.loop.run(served(roomy).listen(line.socket()))
        assert roomy.container.event_streams().listening == 0
    assert line.sent[-1]["code"] == 4429


class Breaking:
    """A log of which one event can be read."""

    async def start(self, *_: Any, **__: Any) -> int:
        return 0

    async def follow(self, *_: Any, **__: Any) -> AsyncIterator[tuple[Sequence[Event], int]]:
        yield [event()], 1
        raise Unavailable("the log", "it is gone")


def test_a_log_that_cannot_be_read_ends_the_subscription(api: Api) -> None:
    line = Line(at_once)
    query = "subscription { signalChanges { state } }"
    line.say(INIT, {"type": "subscribe", "id": "a", "payload": {"query": query}})

    async def story() -> None:
        listening = asyncio.create_task(served(api).listen(line.socket()))
        await heard(line, 3)
        assert api.container.event_streams().listening == 0
        line.leave()
        await listening

    with api.container.listen_to_events.override(providers.Object(Breaking())):
        api.loop.run(story())
    _, told, ended = line.told()
    assert (told["type"], ended["type"]) == ("next", "error")
    assert ended["payload"][0]["extensions"]["code"] == "UNAVAILABLE"
