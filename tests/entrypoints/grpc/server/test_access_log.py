"""Log lines of calls come after the calls, in their order, each about its own request."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import structlog
from structlog.testing import capture_logs

from entrypoints.grpc.server.access_log import CallLines, Line
from entrypoints.logs import LINES
from tests.support.event_loop_turns import others_go_on


def line(request_id: str, *, loud: bool = True) -> Line:
    return Line("/a.B/C", "OK", 0.00125, request_id, loud)


def each(events: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The lines that are written of these."""
    return [
        {**line, **{name: value for name, value in event.items() if name != LINES}}
        for event in events
        for line in event[LINES]
    ]


def told(act: Callable[[CallLines], None]) -> list[dict[str, Any]]:
    """What is written by the end of the turn, and nothing before."""

    async def run() -> None:
        act(CallLines())
        assert lines == []
        await asyncio.sleep(0)

    with capture_logs([structlog.contextvars.merge_contextvars]) as lines:
        asyncio.run(run())
    return each(lines)


def test_lines_of_one_turn_come_together_and_in_order() -> None:
    def act(lines: CallLines) -> None:
        for request in ("one", "two", "three"):
            lines.tell(line(request))

    assert [one["request_id"] for one in told(act)] == ["one", "two", "three"]


def test_a_line_says_what_was_called_and_how_it_ended() -> None:
    (one,) = told(lambda lines: lines.tell(line("one")))
    assert one == {
        "event": "grpc_call_completed",
        "method": "/a.B/C",
        "status": "OK",
        "duration_ms": 1.25,
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
    def act(lines: CallLines) -> None:
        for request, loud in (("one", True), ("two", False), ("three", True)):
            lines.tell(line(request, loud=loud))

    levels = {one["request_id"]: one["log_level"] for one in told(act)}
    assert levels == {"one": "info", "two": "debug", "three": "info"}


def test_lines_of_later_turns_are_written_too() -> None:
    async def run() -> None:
        lines = CallLines()
        for request in ("one", "two"):
            lines.tell(line(request))
            await asyncio.sleep(0)

    with capture_logs() as written:
        asyncio.run(run())
    assert len(written) == 2
    assert [one["request_id"] for one in each(written)] == ["one", "two"]


class Unwritable:
    """Writes all but what comes first."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self.failed = False

    def info(self, event: str, **told: Sequence[Mapping[str, Any]]) -> None:
        if not self.failed:
            self.failed = True
            raise BrokenPipeError
        self.written += [one["request_id"] for one in told[LINES]]


def test_what_cannot_be_written_does_not_keep_later_lines_from_it() -> None:
    log: Any = Unwritable()

    async def run() -> None:
        # What fails is told here, as it is by a server.
        asyncio.get_running_loop().set_exception_handler(lambda _, told: failed.append(told))
        lines = CallLines(log)
        for request in ("one", "two", "three"):
            lines.tell(line(request))
            await others_go_on(2)

    failed: list[dict[str, Any]] = []
    asyncio.run(run())
    assert log.written == ["two", "three"]
    assert len(failed) == 1


def test_a_call_that_outlives_its_event_loop_has_its_line() -> None:
    with capture_logs() as lines:
        CallLines().tell(line("one"))
    assert [one["request_id"] for one in each(lines)] == ["one"]
