"""Whatever is said on a socket, it ends with a code of the protocol; nothing is left or written."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import orjson
import pytest
from structlog.testing import capture_logs

from tests.entrypoints.graphql.limits.hostile_documents import STRANGE, documents
from tests.entrypoints.graphql.transport.test_websocket_protocol import (
    INIT,
    Line,
    at_once,
    query,
    served,
    tasks,
)
from tests.entrypoints.http.api import Api, serving
from tests.entrypoints.http.validation.test_models import peopled
from tests.support.event_loop_turns import others_go_on
from tests.support.scale import scaled

SEEDS = 3
TALKS = scaled(40, 150)
MESSAGES = 8
CODES = {1013, 4400, 4401, 4403, 4408, 4409, 4429}
VALUES: tuple[Any, ...] = (None, 7, -1.5, "", "a", "x" * 300, [], {}, [[]], {"query": 1}, True)
TYPES = ("subscribe", "complete", "ping", "pong", "connection_init", "next", "", *STRANGE)


@pytest.fixture(scope="module")
def api() -> Iterator[Api]:
    with serving("memory", STATESTORE_MAX_EVENT_STREAMS="50") as started:
        peopled(started)
        yield started


def message(dice: Random, payload: Any) -> str | bytes:
    """Mostly a question, sometimes anything."""
    subscribing = {"type": "subscribe", "id": str(dice.randint(0, 40)), "payload": payload}
    match dice.randint(0, 29):
        case 0:
            return "".join(dice.choices('{}[]":,x\\\0é', k=dice.randint(0, 40)))
        case 1:
            return dice.randbytes(dice.randint(0, 40))
        case 2:
            parts = {name: dice.choice(VALUES) for name in ("id", "payload", "more")}
            return orjson.dumps({"type": dice.choice(TYPES), **parts}).decode()
        case 3:
            return orjson.dumps({**subscribing, "id": dice.choice(VALUES)}).decode()
        case 4:
            return orjson.dumps({"type": "complete", "id": str(dice.randint(0, 40))}).decode()
        case 5:
            return '{"type": "subscribe", "id": "d", "payload": ' + "[" * 500 + "]" * 500 + "}"
        case _:
            return orjson.dumps(subscribing).decode()


def over(line: Line) -> bool:
    """The last question is answered, or the socket is closed."""
    closed = any(one["type"] == "websocket.close" for one in line.sent)
    return closed or any(one.get("id") == "last" for one in line.told())


@pytest.mark.parametrize("seed", range(SEEDS))
def test_hostile_messages(api: Api, seed: int) -> None:
    dice, line_of = Random(seed), served(api)
    codes, told = Counter[int](), Counter[str]()
    payloads = documents(seed, TALKS * MESSAGES)

    async def talk() -> None:
        line = Line(at_once)
        if dice.random() < 0.9:
            line.say(INIT)
        listening = asyncio.create_task(line_of.listen(line.socket()))
        for payload in (next(payloads) for _ in range(MESSAGES)):
            said = message(dice, payload)
            kind = "bytes" if isinstance(said, bytes) else "text"
            line.coming.put_nowait({"type": "websocket.receive", kind: said})
            # Some hear of it while others are answered, some before anything is.
            await others_go_on(dice.choice((0, 1, 50)))
        line.say(query("last"))
        async with asyncio.timeout(60), line.news:
            await line.news.wait_for(lambda: over(line))
        line.leave()
        async with asyncio.timeout(60):
            await listening
        codes.update(one["code"] for one in line.sent if one["type"] == "websocket.close")
        told.update(one["type"] for one in line.told())
        assert "INTERNAL" not in str(line.told())

    async def story() -> None:
        before = tasks()
        for _ in range(TALKS):
            await talk()
        assert tasks() - {asyncio.current_task()} <= before

    head = api.head()
    with capture_logs() as logs:
        api.loop.run(story())
    assert [one for one in logs if one["log_level"] == "error"] == []
    assert set(codes) <= CODES
    assert {"next", "error", "complete"} <= set(told)
    assert (api.container.event_streams().listening, line_of.open) == (0, 0)
    assert api.head() == head
