"""`statestore rebuild` and `verify` on a store that no server owns."""

import json
from pathlib import Path
from typing import Any

import pytest
from attrs import define
from typer.testing import CliRunner, Result

from adapters.row_layouts.ownership import HOLDINGS
from entrypoints.cli.app import app
from tests.entrypoints.cli.read_models.stores import execute, fill, rows

SIGNALS = "observability-signal-state"


@define
class Shell:
    """A terminal in a folder of its own, with a store in `var`."""

    folder: Path

    def run(self, *words: str) -> Result:
        return CliRunner().invoke(app, [*words])

    def answer(self, *words: str) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self.run(*words, "--json").stdout)
        return told


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Shell:
    monkeypatch.chdir(tmp_path)
    return Shell(tmp_path / "var")


@pytest.fixture
def filled(shell: Shell) -> Shell:
    fill(shell.folder)
    return shell


def damage(shell: Shell, table: str = SIGNALS) -> None:
    execute(
        shell.folder, f"""UPDATE "{table}" SET row = replace(row, '"score":0.5', '"score":0.6')"""
    )


def test_replay_fills_every_table_anew(filled: Shell) -> None:
    before = rows(filled.folder)
    ended = filled.run("rebuild")
    assert ended.exit_code == 0, ended.stderr
    for name in HOLDINGS:
        assert f"{name} is read from generation 2" in ended.stdout
    assert "events in" in ended.stdout
    assert rows(filled.folder) == before
    assert not [*filled.folder.rglob("draft.db")]


def test_replay_of_one_leaves_the_others(filled: Shell) -> None:
    answer = filled.answer("rebuild", "dataset-registry")
    (one,) = answer["projections"]
    assert (one["projection"], one["generation"]) == ("dataset-registry", 2)
    assert answer["events"] == one["events"] > 0


@pytest.mark.parametrize("command", ["rebuild", "verify"])
def test_an_unknown_projection_is_wrong_use(filled: Shell, command: str) -> None:
    ended = filled.run(command, "signals")
    assert ended.exit_code == 2
    assert "signals is not among signal-state, dataset-registry" in ended.stderr
    assert "evidence" in ended.stderr


@pytest.mark.parametrize("command", ["rebuild", "verify", "restore-drill"])
def test_where_there_is_no_store_that_is_told(
    shell: Shell, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = shell.run(command)
    assert (ended.exit_code, "there is no store in var" in ended.stderr) == (1, True)
    assert not shell.folder.exists()
    monkeypatch.setenv("STATESTORE_ENGINE", "memory")
    assert "memory" in shell.run(command).stderr


def test_verify_says_that_nothing_is_wrong(filled: Shell) -> None:
    ended = filled.run("verify")
    assert ended.exit_code == 0, ended.stderr
    assert ended.stdout.count("nothing is wrong") == len(HOLDINGS)
    filled.run("rebuild")
    assert "dropped generation 1" in filled.run("verify").stdout


def test_verify_says_what_it_folded_first(filled: Shell) -> None:
    """Rows that were missing until then are not passed over in silence."""
    assert "folded now" not in filled.run("verify").stdout
    events = filled.answer("log", "stats")["events"]
    lose(filled)
    told = filled.run("verify").stdout
    assert f"signal-state: {events} events were not folded yet; folded now" in told
    assert told.count("folded now") == 1
    lose(filled)
    signals, registry = filled.answer("verify", "signal-state", "dataset-registry")["projections"]
    assert (signals["events_replayed_first"], registry["events_replayed_first"]) == (events, 0)


def lose(shell: Shell) -> None:
    """The signals, as if they had never been folded."""
    execute(shell.folder, f'DELETE FROM "{SIGNALS}"')
    execute(shell.folder, "DELETE FROM projection_progress WHERE projection = 'signal-state'")


def test_verify_tells_what_differs_and_why(filled: Shell) -> None:
    damage(filled)
    ended = filled.run("verify")
    assert ended.exit_code == 1
    assert f"different  {SIGNALS}  urn:dp:orders:order_created:v1  VOLUME" in ended.stdout
    assert "score: expected 0.5, found 0.6" in ended.stdout
    assert "signal.linked" in ended.stdout or "signal.evaluated" in ended.stdout
    assert "jane@company.example" in ended.stdout
    assert "1 row differs; `statestore verify --repair` mends that" in ended.stdout


def test_repair_replaces_what_differs(filled: Shell) -> None:
    before = rows(filled.folder)
    damage(filled)
    execute(filled.folder, 'DELETE FROM "observability-incident-index"')
    ended = filled.run("verify", "--repair")
    assert ended.exit_code == 0, ended.stderr
    assert "generation 2 is right and read now" in ended.stdout
    assert rows(filled.folder) == before
    assert filled.run("verify").exit_code == 0


def test_answers_in_json(filled: Shell) -> None:
    damage(filled)
    answer = filled.answer("verify", "signal-state")
    (one,) = answer["projections"]
    (difference,) = one["differences"]
    assert (answer["sound"], difference["kind"], difference["table"]) == (
        False,
        "different",
        SIGNALS,
    )
    assert difference["attributes"] == [{"attribute": "score", "expected": 0.5, "found": 0.6}]
    (fact,) = difference["facts"]
    assert fact["by"] == "jane@company.example"
    assert fact["stream"].startswith("signal-")


def test_a_rebuild_lets_no_policy_act(filled: Shell) -> None:
    """The log is as long as before, and no policy is further than it was."""
    progress = "SELECT * FROM projection_progress WHERE projection LIKE 'policy/%'"
    before, events = execute(filled.folder, progress), filled.answer("log", "stats")["events"]
    assert before
    assert filled.run("rebuild").exit_code == 0
    assert execute(filled.folder, progress) == before
    assert filled.answer("log", "stats")["events"] == events
