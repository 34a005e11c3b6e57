"""`statestore log` on both engines: answers, exit codes, and nothing is written unasked."""

import asyncio
import json
import os
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import apsw
import pytest
from attrs import define
from typer.testing import CliRunner, Result

from adapters.dynamodb.items.item_table import ItemTable
from adapters.dynamodb.items.typed_values import Key, number
from adapters.dynamodb.log.log import DynamoLog
from adapters.sqlite.connection.database import Database
from entrypoints.cli.app import app
from tests.adapters.dynamodb.log.logs import retrying, sends_once
from tests.adapters.dynamodb.log_maintenance.damage import Vandal
from tests.adapters.eventstore.sample_log import DATASET
from tests.entrypoints.cli.log.stores import EVENTS, dynamodb_settings, fill

COMMANDS = ("check", "repair", "stats", "tail", "export", "import")


@define
class Shell:
    """A terminal in a folder of its own."""

    patch: pytest.MonkeyPatch
    folder: Path

    def log(self, *words: str) -> Result:
        return CliRunner().invoke(app, ["log", *words])

    def answer(self, *words: str) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self.log(*words, "--json").stdout)
        return told

    def use(self, **settings: str) -> None:
        for name, value in settings.items():
            self.patch.setenv(name, value)


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Shell:
    monkeypatch.chdir(tmp_path)
    return Shell(monkeypatch, tmp_path)


@pytest.fixture(params=["embedded", "dynamodb"])
def filled(shell: Shell, request: pytest.FixtureRequest) -> Shell:
    """With a sound log of six events, on either engine."""
    fill(shell.folder / "var")
    if request.param == "dynamodb":
        moved(shell)
    return shell


def moved(shell: Shell) -> None:
    """Take the log to DynamoDB, as an operator would."""
    assert shell.log("export", "move.gz").exit_code == 0
    shell.use(**dynamodb_settings())
    assert shell.log("import", "move.gz").exit_code == 0


def on_dynamodb(shell: Shell, deed: Callable[[Vandal], Coroutine[Any, Any, Any]]) -> Any:
    async def play() -> Any:
        transport = retrying(sends_once())
        log = DynamoLog(ItemTable(transport, os.environ["STATESTORE_DYNAMODB_TABLE"]))
        try:
            await log.open()
            return await deed(Vandal(log))
        finally:
            await transport.close()

    return asyncio.run(play())


# Looking.


def test_help_names_every_command(shell: Shell) -> None:
    shown = shell.log("--help").stdout
    assert all(command in shown for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(shell: Shell, command: str) -> None:
    shown = shell.log(command, "--help")
    assert shown.exit_code == 0
    assert "--json" in shown.stdout


@pytest.mark.parametrize("command", [["check"], ["repair"], ["stats"], ["tail"], ["export", "x"]])
def test_where_there_is_no_log_that_is_told(shell: Shell, command: list[str]) -> None:
    ended = shell.log(*command)
    assert ended.exit_code == 1
    assert "there is no event log in" in ended.stderr
    assert list(shell.folder.iterdir()) == []


def test_memory_has_no_log_for_others(shell: Shell) -> None:
    shell.use(STATESTORE_ENGINE="memory")
    for command in ("check", "stats"):
        assert "memory" in shell.log(command).stderr


def test_a_table_without_a_log_is_not_given_one(shell: Shell) -> None:
    shell.use(**dynamodb_settings())
    assert "non-existent table" in shell.log("check").stderr


def test_a_sound_log_is_said_to_be_sound(filled: Shell) -> None:
    ended = filled.log("check")
    assert (ended.exit_code, "6 events, nothing is wrong" in ended.stdout) == (0, True)
    assert filled.answer("check")["sound"] is True
    assert filled.log("repair").exit_code == 0


def test_stats_count_what_is_there(filled: Shell) -> None:
    counted = filled.answer("stats")
    assert (counted["events"], counted["streams"]) == (EVENTS, 2)
    assert (counted["first position"], counted["last position"]) == (1, EVENTS)
    assert counted["first recorded at"] < counted["last recorded at"]
    assert counted["bytes"] > 0
    assert f"events: {EVENTS}" in filled.log("stats").stdout


def test_stats_of_dynamodb_tell_what_they_cost(shell: Shell) -> None:
    fill(shell.folder / "var")
    moved(shell)
    counted = shell.answer("stats")
    assert (counted["batches"], counted["spans"], counted["blocks"]) == (4, 5, 1)
    assert counted["read units of this command"] > 0


def test_the_tail_is_readable(filled: Shell) -> None:
    lines = filled.log("tail", "-n", "3", "--no-follow").stdout.splitlines()
    assert len(lines) == 3
    assert "incident-INC-7721@2  incident.assigned  jane@company.example" in lines[0]
    assert "oncall_user=(sealed)" in lines[0]
    assert "text=looking into it" in lines[1]


def test_the_tail_in_json_is_as_in_an_export(filled: Shell) -> None:
    (line,) = filled.log("tail", "-n", "1", "--no-follow", "--json").stdout.splitlines()
    assert json.loads(line)["n"] == "dataset.retired"
    assert json.loads(line)["p"] == EVENTS


def test_without_its_keys_a_log_can_be_read_and_names_stay_closed(filled: Shell) -> None:
    (filled.folder / "var" / "personal-keys.json").unlink()
    shown = filled.log("tail", "--no-follow")
    assert "jane" not in shown.stdout
    assert "personal-keys.json is missing" in shown.stderr
    assert filled.log("check").exit_code == 0
    assert not (filled.folder / "var" / "personal-keys.json").exists()


def test_keys_that_lie_elsewhere_are_used_and_named(filled: Shell) -> None:
    elsewhere = filled.folder / "keys.json"
    (filled.folder / "var" / "personal-keys.json").rename(elsewhere)
    filled.use(STATESTORE_KEY_FILE=str(elsewhere))
    shown = filled.log("tail", "--no-follow")
    assert ("jane@company.example" in shown.stdout, shown.stderr) == (True, "")
    for command in ("check", "repair"):
        assert filled.log(command).stderr == ""
    assert str(elsewhere) in filled.log("export", "again.gz").stdout
    assert str(elsewhere) in filled.log("import", "again.gz").stdout
    elsewhere.unlink()
    assert f"{elsewhere} is missing" in filled.log("check").stderr


# Damage.


def damaged(path: Path, statement: str) -> None:
    connection = apsw.Connection(str(path))
    connection.execute(statement)
    connection.close()


def test_damage_on_sqlite_ends_with_one(shell: Shell) -> None:
    fill(shell.folder / "var")
    damaged(shell.folder / "var/statestore.db", "DELETE FROM events_1 WHERE position = 2")
    ended = shell.log("check")
    assert ended.exit_code == 1
    assert "gap  position 2  it is missing" in ended.stdout
    assert shell.answer("check")["kinds"] == {"gap": 1, "version-gap": 1}
    repaired = shell.log("repair", "--apply")
    assert repaired.exit_code == 1
    assert "cannot be mended: gap" in repaired.stdout


def test_a_flood_of_findings_is_cut_short_unless_asked_for(shell: Shell) -> None:
    fill(shell.folder / "var", times=5)
    damaged(shell.folder / "var/statestore.db", "UPDATE events_1 SET name = 'thing.else'")
    ended = shell.log("check")
    assert ended.stdout.count("unreadable  position") == 20
    assert "unreadable  and 10 more" in ended.stdout
    assert "30 unreadable" in ended.stdout
    assert shell.log("check", "--all").stdout.count("unreadable  position") == 30
    assert len(shell.answer("check")["findings"]) == 30


def test_repair_tells_first_and_mends_when_asked(shell: Shell) -> None:
    fill(shell.folder / "var")
    moved(shell)
    before = on_dynamodb(shell, Vandal.items)

    async def deed(vandal: Vandal) -> None:
        await vandal.delete(vandal.log.keys.span(DATASET, 2))

    on_dynamodb(shell, deed)
    hurt = on_dynamodb(shell, Vandal.items)
    assert shell.log("check").exit_code == 1

    told = shell.log("repair")
    assert told.exit_code == 1
    assert "would write the span anew from the batch at 2: missing-span" in told.stdout
    assert on_dynamodb(shell, Vandal.items) == hurt

    done = shell.log("repair", "--apply")
    assert done.exit_code == 0
    assert "1 finding mended" in done.stdout
    assert shell.log("check").exit_code == 0
    assert on_dynamodb(shell, Vandal.items) == before


def test_what_cannot_be_mended_is_told(shell: Shell) -> None:
    fill(shell.folder / "var")
    moved(shell)

    async def deed(vandal: Vandal) -> None:
        await vandal.delete(vandal.log.keys.batch(2))
        await vandal.delete(vandal.log.keys.span(DATASET, 0))
        await vandal.delete(Key(vandal.log.keys.blocks, 0))

    on_dynamodb(shell, deed)
    outcome = shell.answer("repair", "--apply")
    assert (outcome["applied"], outcome["mended"]) == (True, 2)
    left = shell.answer("check")
    assert left["mendable"] == 0
    assert set(left["kinds"]) == {"gap", "version-gap", "torn-append"}
    assert outcome["left"] == sum(left["kinds"].values())


async def without_batches(vandal: Vandal) -> None:
    for first in (1, 2, 4, 6):
        await vandal.delete(vandal.log.keys.batch(first))


async def with_an_empty_block(vandal: Vandal) -> None:
    await vandal.put({**Key(vandal.log.keys.blocks, 1).item(), "first": number(1_000_001)})


@pytest.mark.parametrize(
    ("deed", "block", "events"), [(without_batches, 0, 0), (with_an_empty_block, 1, EVENTS)]
)
def test_a_newest_block_without_batches_is_reported(
    shell: Shell, deed: Callable[[Vandal], Coroutine[Any, Any, Any]], block: int, events: int
) -> None:
    fill(shell.folder / "var")
    moved(shell)
    on_dynamodb(shell, deed)
    checked = shell.log("check")
    assert (checked.exit_code, checked.stderr) == (1, "")
    assert f"gap  block {block}  it is announced from" in checked.stdout
    assert shell.answer("check")["events"] == events
    repaired = shell.log("repair", "--apply")
    assert (repaired.exit_code, repaired.stderr) == (1, "")
    assert f"cannot be mended: gap  block {block}" in repaired.stdout


def test_commands_read_beside_the_owner_of_the_folder(shell: Shell) -> None:
    fill(shell.folder / "var")
    with Database.open(shell.folder / "var/statestore.db"):
        for command in ("check", "stats"):
            assert shell.log(command).exit_code == 0


# Moving.


def test_a_log_goes_to_dynamodb_and_back(shell: Shell) -> None:
    fill(shell.folder / "var")
    assert shell.answer("export", "1.gz") == {
        "file": "1.gz",
        "events": EVENTS,
        "first": 1,
        "last": EVENTS,
    }
    shell.use(**dynamodb_settings())
    assert shell.answer("import", "1.gz") == {"file": "1.gz", "stored": EVENTS, "found": 0}
    assert shell.answer("import", "1.gz") == {"file": "1.gz", "stored": 0, "found": EVENTS}
    assert shell.log("check").exit_code == 0
    shell.log("export", "2.gz")
    shell.use(STATESTORE_ENGINE="embedded", STATESTORE_DATA_DIR="back")
    ended = shell.log("import", "2.gz")
    assert "personal-keys.json" in ended.stdout
    assert shell.log("check").exit_code == 0
    assert tailed(shell, "back") == tailed(shell, "var")


def tailed(shell: Shell, folder: str) -> str:
    shell.use(STATESTORE_ENGINE="embedded", STATESTORE_DATA_DIR=folder)
    return shell.log("tail", "--json", "--no-follow", "-n", "99").stdout


def test_a_part_is_exported(filled: Shell) -> None:
    answer = filled.answer("export", "part.gz", "--from", "2", "--to", "4")
    assert (answer["first"], answer["last"], answer["events"]) == (2, 4, 3)


def test_one_event_is_told_as_one(shell: Shell) -> None:
    fill(shell.folder / "var")
    ended = shell.log("export", "first.gz", "--to", "1")
    assert ended.stdout.startswith("Wrote 1 event to first.gz, positions 1 to 1.")
    shell.use(STATESTORE_DATA_DIR="other")
    assert shell.log("import", "first.gz").stdout.startswith("Stored 1 event; 0 had been")


@pytest.mark.parametrize("words", [["--from", "9"], ["--to", "9"], ["--from", "5", "--to", "2"]])
def test_positions_that_are_not_there_are_a_wrong_use(shell: Shell, words: list[str]) -> None:
    fill(shell.folder / "var")
    ended = shell.log("export", "part.gz", *words)
    assert (ended.exit_code, "the log ends at 6" in ended.stderr) == (2, True)
    assert not Path("part.gz").exists()


def test_a_file_is_not_replaced_unasked(shell: Shell) -> None:
    fill(shell.folder / "var")
    Path("log.gz").write_text("precious")
    assert shell.log("export", "log.gz").exit_code == 2
    assert Path("log.gz").read_text() == "precious"
    assert shell.log("export", "log.gz", "--force").exit_code == 0


def test_a_folder_is_not_replaced_even_if_asked(shell: Shell) -> None:
    fill(shell.folder / "var")
    Path("kept").mkdir()
    for folder in (".", "kept"):
        ended = shell.log("export", folder, "--force")
        assert (ended.exit_code, f"{folder} is a folder" in ended.stderr) == (2, True)
    assert {path.name for path in shell.folder.iterdir()} == {"var", "kept"}


@pytest.mark.parametrize(
    "damage",
    [lambda stored: stored[:-30], lambda stored: b"x" + stored],
    ids=["cut short", "changed"],
)
def test_a_bad_file_is_refused(shell: Shell, damage: Callable[[bytes], bytes]) -> None:
    fill(shell.folder / "var")
    shell.log("export", "log.gz")
    Path("log.gz").write_bytes(damage(Path("log.gz").read_bytes()))
    shell.use(STATESTORE_DATA_DIR="other")
    ended = shell.log("import", "log.gz")
    assert (ended.exit_code, "cannot be used" in ended.stderr) == (1, True)
    assert shell.log("tail", "--no-follow").stdout == ""


def test_wrong_words_are_a_wrong_use(shell: Shell) -> None:
    assert shell.log("check", "--nonsense").exit_code == 2
    assert shell.log("export").exit_code == 2
