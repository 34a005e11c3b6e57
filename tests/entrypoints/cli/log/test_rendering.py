"""What people see: progress and lines."""

import io
from datetime import UTC, datetime

import pytest
from attrs import define
from rich.console import Console
from rich.progress import Progress as Bars

from adapters.eventstore.log import LogEntry
from entrypoints.cli.log.progress import EVERY_SECONDS, Bar, Count, Lines
from entrypoints.cli.log.read_only_keys import closed_mapper
from entrypoints.cli.log.tail import LONGEST_SUMMARY, Readable, summary


@define
class Seconds:
    passed: float = 100.0

    def __call__(self) -> float:
        return self.passed


def test_lines_come_now_and_then() -> None:
    said: list[str] = []
    now = Seconds()
    lines = Lines(said.append, now)
    lines.begin("exporting", 4_000)
    lines.reached(500)
    assert said == []
    now.passed += EVERY_SECONDS
    lines.reached(1_000)
    lines.reached(1_001)
    assert said == ["exporting: 1,000 of 4,000 (25%), 200/s, 15 s left"]


def test_what_has_no_known_end_is_counted() -> None:
    said: list[str] = []
    now = Seconds()
    lines = Lines(said.append, now)
    lines.begin("reading spans")
    now.passed += 10
    lines.reached(50)
    assert said == ["reading spans: 50, 5/s"]


def test_a_bar_says_how_far_it_is() -> None:
    screen = io.StringIO()
    with Bars(Count(), console=Console(file=screen, force_terminal=True, width=80)) as bars:
        bar = Bar(bars)
        bar.begin("importing", 2_000)
        bar.reached(1_500)
    assert "1,500 of 2,000" in screen.getvalue()


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b'{"a": 1, "b": "x", "c": [1, 2], "d": {"e": 1}}', "a=1 b=x c=[2] d={…}"),
        (b'{"who": "sealed.1.ab.cd"}', "who=(sealed)"),
        (b"[1]", "[1]"),
        (b"\xff\xfe", "2 bytes"),
        (b"{}", ""),
    ],
)
def test_a_fact_is_summarised(data: bytes, told: str) -> None:
    assert summary(data) == told


def test_a_summary_is_short() -> None:
    assert len(summary(b'{"a": "' + b"x" * 1_000 + b'"}')) == LONGEST_SUMMARY


def test_a_line_stays_a_line_whatever_people_wrote() -> None:
    at = datetime(2026, 11, 16, 12, tzinfo=UTC)
    entry = LogEntry(1, at, "a-1", 1, "x", b'{"text": "a\\nb\\u001b[31m"}', b"", b"{}")
    line = Readable(closed_mapper()).line(entry)
    assert "a·b·[31m" in line
    assert "unreadable" in line
    assert line.isprintable()
