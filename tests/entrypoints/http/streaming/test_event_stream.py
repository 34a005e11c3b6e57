"""Readers that read nothing, logs that cannot be read: a stream ends, and makes room."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from application.delivery.event import Event
from application.errors import Unavailable
from entrypoints.http.streaming.event_stream import EventStream
from entrypoints.interfaces.event_streams import EventStreams
from tests.adapters.sample_events import event
from tests.support.event_loop_turns import others_go_on


async def nothing_else() -> Any:
    await asyncio.Event().wait()


async def without_end() -> AsyncIterator[tuple[Sequence[Event], int]]:
    number = 0
    while True:
        number += 1
        yield [event(number)], number
        await others_go_on()


def streams(**how: Any) -> EventStreams:
    made = EventStreams(most=1, heartbeat=15, **how)
    made.enter()
    return made


def test_a_reader_that_reads_nothing_is_let_go() -> None:
    taken: list[Any] = []

    async def send(message: Any) -> None:
        if len(taken) >= 5 and message.get("more_body"):
            await nothing_else()
        taken.append(message)

    async def story() -> None:
        them = streams(slowest=0.05)
        await EventStream(them, without_end(), 0)({}, nothing_else, send)
        assert them.listening == 0

    asyncio.run(asyncio.wait_for(story(), 30))
    assert [one.get("more_body") for one in taken[1:]] == [True] * 4 + [False]


def test_one_that_does_not_even_take_the_last_word_is_let_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("entrypoints.http.streaming.event_stream.LAST_WORD", 0.05)

    async def send(message: Any) -> None:
        if message["type"] == "http.response.body":
            await nothing_else()

    async def story() -> None:
        them = streams(slowest=0.05)
        await EventStream(them, without_end(), 0)({}, nothing_else, send)
        assert them.listening == 0

    asyncio.run(asyncio.wait_for(story(), 30))


def test_a_reader_that_leaves_makes_room() -> None:
    left = asyncio.Event()

    async def receive() -> Any:
        await left.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        left.set()

    async def story() -> None:
        them = streams()
        await EventStream(them, without_end(), 0)({}, receive, send)
        them.enter()

    asyncio.run(asyncio.wait_for(story(), 30))


def test_a_log_that_cannot_be_read_ends_the_stream() -> None:
    taken: list[Any] = []

    async def broken() -> AsyncIterator[tuple[Sequence[Event], int]]:
        yield [event()], 1
        raise Unavailable("the log", "it is gone")

    async def send(message: Any) -> None:
        taken.append(message)

    async def story() -> None:
        await EventStream(streams(), broken(), 0)({}, nothing_else, send)

    asyncio.run(asyncio.wait_for(story(), 30))
    assert b"SIGNAL_STATE_CHANGED" in taken[-2]["body"]
    assert taken[-1] == {"type": "http.response.body", "body": b"", "more_body": False}


def test_once_it_ends_nobody_stays() -> None:
    taken: list[Any] = []

    async def send(message: Any) -> None:
        taken.append(message)

    async def story() -> None:
        them = streams()
        them.end()
        await EventStream(them, without_end(), 0)({}, nothing_else, send)
        assert them.listening == 0

    asyncio.run(asyncio.wait_for(story(), 30))
    assert taken[-1]["more_body"] is False
