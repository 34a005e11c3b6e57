"""Log lines of calls come after the calls, in their order, each about its own request."""

import asyncio
from collections.abc import Callable
from typing import Any

import structlog
from structlog.testing import capture_logs

from entrypoints.grpc.call_lines import CallLines, Line
from tests.turns import others_go_on


def line(request_id: str, *, loud: bool = True) -> Line:
    return Line("/a.B/C", "OK", 0.00125, request_id, loud)


def told(act: Callable[[CallLines], None]) -> list[dict[str, object]]:
    """What is written by the end of the turn, and nothing before."""

    async def run() -> None:
        act(CallLines())
        assert lines == []
        await asyncio.sleep(0)

    with capture_logs([structlog.contextvars.merge_contextvars]) as lines:
        asyncio.run(run())
    return [dict(one) for one in lines]


def test_lines_of_one_turn_come_together_and_in_order() -> None:
    def act(lines: CallLines) -> None:
        for request in ("one", "two", "three"):
            lines.tell(line(request))

    assert [one["request_id"] for one in told(act)] == ["one", "two", "three"]


def test_a_line_says_what_was_called_and_how_it_ended() -> None:
    (one,) = told(lambda lines: lines.tell(line("one")))
    assert one == {
        "event": "grpc_call",
        "method": "/a.B/C",
        "status": "OK",
        "ms": 1.25,
        "request_id": "one",
        "log_level": "info",
    }


def test_what_a_caller_bound_is_not_in_the_lines_of_others() -> None:
    def act(lines: CallLines) -> None:
        structlog.contextvars.bind_contextvars(only="of the first")
        lines.tell(line("one"))
        structlog.contextvars.clear_contextvars()
        lines.tell(line("two"))

    assert [one.get("only") for one in told(act)] == [None, None]


def test_probes_are_whispered() -> None:
    (one,) = told(lambda lines: lines.tell(line("one", loud=False)))
    assert one["log_level"] == "debug"


def test_lines_of_later_turns_are_written_too() -> None:
    async def run() -> None:
        lines = CallLines()
        for request in ("one", "two"):
            lines.tell(line(request))
            await asyncio.sleep(0)

    with capture_logs() as written:
        asyncio.run(run())
    assert [one["request_id"] for one in written] == ["one", "two"]


class Unwritable:
    """Writes all but the first."""

    def __init__(self) -> None:
        self.tried: list[str] = []

    def info(self, event: str, *, request_id: str, **more: object) -> None:
        self.tried.append(request_id)
        if len(self.tried) == 1:
            raise BrokenPipeError


def test_one_that_cannot_be_written_does_not_keep_the_others_from_it() -> None:
    log: Any = Unwritable()

    async def run() -> None:
        # What fails is told here, as it is by a server.
        asyncio.get_running_loop().set_exception_handler(lambda _, told: failed.append(told))
        lines = CallLines(log)
        for request in ("one", "two", "three"):
            lines.tell(line(request))
        await others_go_on(3)

    failed: list[dict[str, Any]] = []
    asyncio.run(run())
    assert log.tried == ["one", "two", "three"]
    assert len(failed) == 1


def test_a_call_that_outlives_its_event_loop_has_its_line() -> None:
    with capture_logs() as lines:
        CallLines().tell(line("one"))
    assert [one["request_id"] for one in lines] == ["one"]
