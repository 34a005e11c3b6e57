"""Watching, narrow screens, and a server that is away or does not know us."""

import io
import socket
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from rich.console import Console
from rich.text import Text
from typer.testing import CliRunner

from domain.root_cause.durations import span
from entrypoints.cli.app import app
from entrypoints.cli.commands.answer_view import View, watch
from entrypoints.cli.rendering.screen import Screen, coloured
from entrypoints.cli.rendering.signals import signals_table
from entrypoints.cli.running_server import Answer, ServerAway
from tests.entrypoints.cli.commands.shell import Shell

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)


def looks(times: int) -> Callable[[float], None]:
    """Waiting that is interrupted by Ctrl-C after so many looks."""
    left = iter(range(times - 1))

    def wait(_: float) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt

    return wait


def drawn(answer: Answer, _: Screen) -> Text:
    return Text(f"picture {answer['n']}")


def counting() -> Iterator[Answer]:
    yield from ({"n": n} for n in range(10))


def test_watching_a_file_or_a_pipe_prints_each_look() -> None:
    out, answers = io.StringIO(), counting()
    watch(lambda: next(answers), drawn, View(), wait=looks(3), screen=Console(file=out))
    assert out.getvalue().splitlines() == ["picture 0", "picture 1", "picture 2"]


def test_watching_a_terminal_keeps_one_picture_and_waits_for_the_server() -> None:
    answers = counting()

    def read() -> Answer:
        answer = next(answers)
        if answer["n"] == 1:
            raise ServerAway("127.0.0.1:8080", "Connection refused")
        return answer

    out = io.StringIO()
    screen = Console(file=out, force_terminal=True, width=200, height=10)
    watch(read, drawn, View(), wait=looks(3), screen=screen)
    _, first, second, third = out.getvalue().split("Ctrl-C ends")
    assert "picture 0" in first
    assert "Connection refused" in second
    assert "picture 0" in second
    assert "picture 2" in third


def test_watching_in_json_prints_a_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    answers = counting()
    watch(lambda: next(answers), drawn, View(as_json=True), wait=looks(2))
    assert capsys.readouterr().out == '{"n": 0}\n{"n": 1}\n'


@pytest.mark.parametrize("width", [80, 120, 140, 200])
def test_names_stay_in_one_piece_on_any_screen(width: int) -> None:
    """They are there to be copied, but for the prefix that all of them have."""
    urn, signature = "urn:dp:marketing:audience_segments:v1", "MISSING_FIELD:customer_id"
    signal = {
        "dataset_urn": urn,
        "signal_type": "CONTRACT_COMPLIANCE",
        "state": "CRITICAL",
        "score": 0.102,
        "state_changed_at": "2026-01-15T11:00:00.000Z",
        "tier": "TIER_1",
        "owner_team": "marketing",
        "failure_signature": signature,
        "incident_id": "INC-QL7S62Q4",
    }
    out = io.StringIO()
    screen = Console(file=out, width=width)
    screen.print(signals_table([signal], Screen(NOON, width)))
    for name in (Screen(NOON, width).urn(urn), signature, "INC-QL7S62Q4", "CONTRACT_COMPLIANCE"):
        assert name in out.getvalue()


def test_a_narrow_screen_shortens_names() -> None:
    urn = "urn:dp:orders:order_created:v1"
    assert Screen(NOON, width=120).urn(urn) == "orders:order_created:v1"
    assert Screen(NOON).urn(urn) == urn


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(-5, "now"), (0, "now"), (59, "59 s"), (60, "1 min"), (7_199, "1 h"), (200_000, "2 d")],
)
def test_time_is_told_in_its_largest_unit(seconds: int, said: str) -> None:
    assert span(timedelta(seconds=seconds)) == said


def test_a_state_is_told_by_its_word_not_by_colour_alone() -> None:
    plain = io.StringIO()
    Console(file=plain).print(coloured("CRITICAL"))
    assert plain.getvalue() == "✖ CRITICAL\n"


def test_a_server_that_is_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket() as taken:
        # Bound and not listening: nobody can answer there.
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        monkeypatch.setenv("STATESTORE_HTTP_PORT", str(port))
        for words in (
            ["signals"],
            ["signals", "--watch"],
            ["incidents", "ack", "INC-1"],
            ["health"],
        ):
            ended = CliRunner().invoke(app, words)
            assert (ended.exit_code, ended.stdout) == (1, "")
            assert f"127.0.0.1:{port}" in ended.stderr
            assert "statestore serve" in ended.stderr


def test_a_wrong_token(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATESTORE_ADMIN_TOKEN", "another-token-than-that")
    ended = shell.run("datasets")
    assert ended.exit_code == 1
    assert "With STATESTORE_ENGINE=memory its token is in no file: set STATESTORE_ADMIN_TOKEN" in (
        ended.stderr
    )
