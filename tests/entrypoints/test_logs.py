"""Log lines tell what happened, and no secrets."""

import io
import json
import logging
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import structlog

from entrypoints import logs
from entrypoints.settings.loading import LogFormat, LogLevel, Settings


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def failure_logged(written_as: LogFormat) -> str:
    out = io.StringIO()
    logs.configure(Settings(log_format=written_as), out)
    token = "a-token-that-is-secret"
    try:
        raise RuntimeError(f"it broke after {len(token)} characters")
    except RuntimeError:
        structlog.get_logger().exception("failed", code=7)
    return out.getvalue()


@pytest.mark.parametrize("written_as", [LogFormat.CONSOLE, LogFormat.JSON])
def test_a_traceback_shows_no_values(written_as: LogFormat) -> None:
    line = failure_logged(written_as)
    assert "it broke after 22 characters" in line
    assert "failure_logged" in line
    assert "secret" not in line.replace('token = "a-token-that-is-secret"', "")


def test_machines_get_json() -> None:
    line = json.loads(failure_logged(LogFormat.JSON))
    assert (line["event"], line["level"], line["code"]) == ("failed", "error", 7)


def test_what_is_less_important_is_left_out() -> None:
    out = io.StringIO()
    logs.configure(Settings(log_level=LogLevel.WARNING, log_format=LogFormat.JSON), out)
    structlog.get_logger().info("small")
    structlog.get_logger().warning("large")
    assert [json.loads(line)["event"] for line in out.getvalue().splitlines()] == ["large"]


def test_what_libraries_say_is_json_too() -> None:
    out = io.StringIO()
    logs.configure(Settings(log_format=LogFormat.JSON), out)
    logging.getLogger("uvicorn.error").warning("Invalid %s received.", "request")
    line = json.loads(out.getvalue())
    assert (line["event"], line["logger"]) == ("Invalid request received.", "uvicorn.error")


def told(**values: object) -> str:
    out = io.StringIO()
    logs.configure(Settings(log_format=LogFormat.JSON), out)
    structlog.get_logger().info("told", **values)
    return out.getvalue()


def test_a_line_is_ascii_whatever_it_tells() -> None:
    line = told(of="Käse", broken="\ud800", plain="a\nb")
    assert line.isascii()
    assert line.count("\n") == 1
    read = json.loads(line)
    assert (read["of"], read["broken"], read["plain"]) == ("Käse", "\ud800", "a\nb")


def test_what_json_has_no_word_for_is_told_all_the_same() -> None:
    at = datetime(2026, 1, 15, tzinfo=UTC)
    read = json.loads(told(thing=logs.configure, at=at, large=2**70))
    assert "configure" in read["thing"]
    assert (read["at"], read["large"]) == (repr(at), 2**70)


@pytest.mark.parametrize("written_as", [LogFormat.CONSOLE, LogFormat.JSON])
def test_what_is_told_of_many_is_a_line_each(written_as: LogFormat) -> None:
    out = io.StringIO()
    logs.configure(Settings(log_format=written_as), out)
    structlog.get_logger().info("called", of="many", **{logs.LINES: [{"ms": 12.5}, {"ms": 7.25}]})
    first, second = out.getvalue().splitlines()
    assert ("12.5" in first, "12.5" in second) == (True, False)
    assert all("called" in one and "many" in one for one in (first, second))


def test_each_of_many_lines_says_when_and_how_loud() -> None:
    first, second = map(json.loads, told(**{logs.LINES: [{"ms": 12.5}, {"ms": 7.25}]}).splitlines())
    assert (first.pop("ms"), second.pop("ms")) == (12.5, 7.25)
    assert first == second
    assert (first["level"], first["event"]) == ("info", "told")
    assert datetime.fromisoformat(first["timestamp"]).tzinfo == UTC
