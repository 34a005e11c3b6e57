"""`statestore health` for people."""

import io
from typing import Any

from rich.console import Console

from entrypoints.cli.rendering.health import drawn_store
from entrypoints.cli.rendering.screen import Screen
from tests.entrypoints.cli.commands.shell import Shell
from tests.entrypoints.cli.commands.test_view import NOON


def drawn(answer: dict[str, Any]) -> str:
    out = io.StringIO()
    Console(file=out, width=200).print(drawn_store(answer, Screen(NOON)))
    return out.getvalue()


def test_a_store_that_is_well(shell: Shell) -> None:
    shown = shell.out("health")
    assert [line.split() for line in shown.splitlines()[:2]] == [
        ["status", "ok"],
        ["engine", "memory"],
    ]
    assert "signal-state" in shown
    assert "auto-resolve" in shown
    assert "None" not in shown
    assert "{" not in shown
    assert shell.json("health")["reason"] is None


def test_a_store_that_is_not_says_why_and_who_is_behind() -> None:
    late = {"position": "x", "lag_events": 1_200, "lag_seconds": 90.0}
    lines = drawn(
        {
            "status": "degraded",
            "reason": "not all facts could be folded: dataset-registry has set aside 1",
            "engine": "embedded",
            "position": "x",
            "projections": {"dataset-registry": {**late, "quarantined": 1}},
            "policies": {},
            "sinks": {"sns": {**late, "lag_events": 0, "error": "throttled"}},
            "dead_letters": 3,
        }
    ).splitlines()
    assert (
        "reason        not all facts could be folded: dataset-registry has set aside 1" in lines[1]
    )
    assert lines[-2].split("   ") == [
        "projection",
        "dataset-registry",
        "1,200 events, 1 min",
        "1 fact quarantined",
    ]
    assert lines[-1].split() == ["sink", "sns", "up", "to", "date", "throttled"]


def test_what_is_no_health_is_no_crash() -> None:
    assert "404" in drawn({"status": 404, "detail": "Not Found"})
