"""What a socket leaves behind, and readers that read nothing; without a network."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

import orjson
import pytest
from attrs import define, field
from dependency_injector import providers
from starlette.websockets import WebSocket
from structlog.testing import capture_logs

from application.delivery.event import Event
from application.errors import Unavailable
from entrypoints.container import dependencies_of
from entrypoints.graphql.transport import websockets
from entrypoints.graphql.transport.routes import answering_of
from entrypoints.graphql.transport.websockets import Sockets
from tests.adapters.sample_events import event
from tests.entrypoints.http.api import TOKEN, Api, replaced, serving
from tests.entrypoints.http.validation.test_models import peopled
from tests.support.event_loop_turns import others_go_on

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
    coming: asyncio.Queue[dict[str, Any]] = field(factory=asyncio.Queue, init=False)
    news: asyncio.Condition = field(factory=asyncio.Condition)

    def __attrs_post_init__(self) -> None:
        self.coming.put_nowait({"type": "websocket.connect"})

    def say(self, *messages: dict[str, Any]) -> None:
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
        scope = {"type": "websocket", "headers": [], "subprotocols": [websockets.PROTOCOL]}
        return WebSocket(scope, self.coming.get, self.send)

    def told(self) -> list[dict[str, Any]]:
        texts = [one["text"] for one in self.sent if one["type"] == "websocket.send"]
        return [orjson.loads(one) for one in texts]


async def at_once() -> None:
    await others_go_on()


async def never() -> None:
    await asyncio.Event().wait()


def served(api: Api) -> Sockets:
    container = api.container
    return Sockets(
        lambda: answering_of(dependencies_of(container)),
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
    monkeypatch.setattr(websockets, "LAST_WORD", 0.05)
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
        line.say({"type": "ping"})
        async with asyncio.timeout(30):
            await listening
        assert (streams.listening, line_of.open) == (0, 0)

    api.loop.run(story())


def test_a_reader_that_stops_while_it_is_told_something_is_let_go(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websockets, "LAST_WORD", 0.05)
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
    monkeypatch.setattr(websockets, "INIT_SECONDS", 0.05)
    line = Line(at_once)
    api.loop.run(served(api).listen(line.socket()))
    assert line.sent[-1]["code"] == 4408


def test_only_so_many_operations_run_at_once(api: Api) -> None:
    line = Line(at_once)
    line.say(INIT, *(subscribe(str(number), "") for number in range(101)))
    with serving(STATESTORE_MAX_EVENT_STREAMS="1000") as roomy:
        roomy.loop.run(served(roomy).listen(line.socket()))
        assert roomy.container.event_streams().listening == 0
    assert line.sent[-1]["code"] == 4429


def query(name: str, document: str = "{ __typename }") -> dict[str, Any]:
    return {"type": "subscribe", "id": name, "payload": {"query": document}}


def test_a_name_is_free_once_its_operation_is_completed(api: Api) -> None:
    line = Line(at_once)
    again = ({"type": "complete", "id": "a"}, subscribe("a"))
    line.say(INIT, subscribe("a"), *again, *again, *again, {"type": "complete", "id": "a"})

    async def story() -> None:
        listening = asyncio.create_task(served(api).listen(line.socket()))
        line.say(query("a"))
        await heard(line, 3)
        assert api.container.event_streams().listening == 0
        line.leave()
        await listening

    api.loop.run(story())
    assert [one["type"] for one in line.told()] == ["connection_ack", "next", "complete"]


def test_those_who_are_gone_while_they_are_told_something_are_no_error(api: Api) -> None:
    """Whatever they still said before they went."""
    peopled(api)
    line_of = served(api)

    async def story() -> None:
        for left in range(1, 5):
            line, dropped = Line(at_once), asyncio.Event()

            async def reads(line: Line = line, left: int = left, gone: Any = dropped) -> None:
                if len(line.told()) >= left:
                    gone.set()
                    raise OSError("the line is dropped")

            line.reads = reads
            line.say(INIT, subscribe("a"), query("b"), query("c"))
            listening = asyncio.create_task(line_of.listen(line.socket()))
            async with asyncio.timeout(30):
                await dropped.wait()
                line.say({"type": "pong"}, {"type": "pong"})
                line.leave()
                await listening
        assert (api.container.event_streams().listening, line_of.open) == (0, 0)

    with capture_logs() as logs:
        api.loop.run(story())
    assert [one for one in logs if one["log_level"] == "error"] == []


class Broken:
    def __call__(self) -> Any:
        raise RuntimeError("a secret")


def test_what_nobody_expected_is_not_told_and_the_socket_stays(api: Api) -> None:
    line = Line(at_once)

    async def story() -> None:
        line.say(INIT, query("a"))
        listening = asyncio.create_task(served(api).listen(line.socket()))
        await heard(line, 2)
        line.leave()
        await listening

    with capture_logs() as logs, api.container.reads.override(providers.Callable(Broken())):
        api.loop.run(story())
    _, told = line.told()
    assert (told["id"], told["type"]) == ("a", "error")
    assert told["payload"][0]["extensions"]["code"] == "INTERNAL"
    assert "a secret" not in str(line.sent)
    assert [one["event"] for one in logs if one["log_level"] == "error"] == ["request_failed"]


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

    with replaced(api.container, listen_to_events=Breaking()):
        api.loop.run(story())
    _, told, ended = line.told()
    assert (told["type"], ended["type"]) == ("next", "error")
    assert ended["payload"][0]["extensions"]["code"] == "UNAVAILABLE"


class Waiting:
    """A log whose end nobody ever tells."""

    async def start(self, *_: Any, **__: Any) -> int:
        await never()
        raise AssertionError


def test_a_subscription_that_cannot_begin_is_given_up() -> None:
    line = Line(at_once)
    line.say(INIT, subscribe("a"))

    async def story(api: Api) -> None:
        listening = asyncio.create_task(served(api).listen(line.socket()))
        await heard(line, 2)
        assert api.container.event_streams().listening == 0
        line.leave()
        await listening

    with (
        serving(STATESTORE_GRAPHQL_TIMEOUT_SECONDS="0.05") as api,
        replaced(api.container, listen_to_events=Waiting()),
    ):
        api.loop.run(story(api))
    assert line.told()[1]["payload"][0]["extensions"]["code"] == "DEADLINE_EXCEEDED"
