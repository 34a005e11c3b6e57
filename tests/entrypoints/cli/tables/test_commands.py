"""`statestore tables` on both engines: answers, exit codes, and nothing is changed unasked."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import apsw
import pytest
from attrs import define
from typer.testing import CliRunner, Result

from adapters.dynamodb.rows.engine import DynamoEngine
from adapters.dynamodb.rows.row_tables import RowTables
from adapters.dynamodb.tables.creation import ensure_tables
from adapters.generations.pointers import Pointers
from adapters.row_layouts.catalogue import (
    CATALOGUE,
    EVENT_LOG,
    EVERY_TABLE,
    EVIDENCE_CACHE,
    HEALTH_CHECK,
    PROJECTION_STATE,
    SIGNAL_STATE,
)
from adapters.row_layouts.engine import Put
from adapters.row_layouts.signal_rows import to_row
from adapters.sqlite.connection.database import Database
from adapters.sqlite.rows.engine import SqliteEngine
from adapters.system.clock import SystemClock
from application.errors import Unavailable
from entrypoints.cli.app import app
from entrypoints.container import build
from entrypoints.settings.loading import load
from entrypoints.wiring.opening import close, open_log, open_tables
from tests.adapters.dynamodb.log.logs import retrying, sends_once
from tests.adapters.dynamodb.support import dynamodb_local, environment
from tests.adapters.dynamodb.support.fixtures import client
from tests.adapters.evidence_cache.caches import SetClock, sqlite
from tests.adapters.evidence_cache.some_evidence import FULL, name_of, some
from tests.adapters.row_layouts.sample_views import NOON, signal_card

COMMANDS = ("list", "describe", "create", "check", "sweep")
NAMES = [table.name for table in CATALOGUE]


@define
class Shell:
    """A terminal in a folder of its own."""

    patch: pytest.MonkeyPatch
    folder: Path
    prefix: str = ""

    def tables(self, *words: str) -> Result:
        return CliRunner().invoke(app, ["tables", *words])

    def answer(self, *words: str) -> Any:
        return json.loads(self.tables(*words, "--json").stdout)

    def use(self, **settings: str) -> None:
        for name, value in settings.items():
            self.patch.setenv(name, value)

    def use_dynamodb(self) -> None:
        self.prefix = dynamodb_local.unused_table("tools") + "-"
        self.use(
            **environment.variables(),
            STATESTORE_ENGINE="dynamodb",
            STATESTORE_TABLE_PREFIX=self.prefix,
            STATESTORE_DYNAMODB_ENDPOINT_URL=dynamodb_local.endpoint(),
        )

    @property
    def file(self) -> Path:
        return self.folder / "var" / "statestore.db"


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Shell:
    monkeypatch.chdir(tmp_path)
    return Shell(monkeypatch, tmp_path)


@pytest.fixture
def on_dynamodb(shell: Shell) -> Shell:
    shell.use_dynamodb()
    return shell


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(shell: Shell, command: str) -> None:
    told = shell.tables(command, "--help")
    assert told.exit_code == 0
    assert "Usage" in told.stdout


@pytest.mark.parametrize("engine", ["embedded", "dynamodb"])
def test_from_nothing_to_all_tables(shell: Shell, engine: str) -> None:
    """S0-120, T1: one command makes them all, and they are told."""
    if engine == "dynamodb":
        shell.use_dynamodb()
    wanted = [shell.prefix + t.name for t in (EVERY_TABLE if shell.prefix else CATALOGUE)]
    listed = shell.answer()["tables"]
    assert [(one["table"], one["status"]) for one in listed] == [(n, "MISSING") for n in wanted]
    checked = shell.tables("check")
    assert checked.exit_code == 1
    assert f"{wanted[0]}: it is missing" in checked.stdout
    made = shell.answer("create")["tables"]
    assert made == [{"table": name, "made": True} for name in wanted]
    again = shell.answer("create")["tables"]
    assert again == [{"table": name, "made": False} for name in wanted]
    assert shell.tables("check").exit_code == 0
    assert shell.answer("check") == {"sound": True, "differences": {name: [] for name in wanted}}


def test_looking_makes_nothing(shell: Shell) -> None:
    for words in ([], ["list"], ["describe"], ["check"]):
        shell.tables(*words)
    assert not (shell.folder / "var").exists()


def test_rows_are_counted(shell: Shell) -> None:
    filled(shell, 3)
    (told,) = shell.answer("list", "signal-state")["tables"]
    assert (told["table"], told["status"], told["rows"]) == (SIGNAL_STATE.name, "THERE", 3)
    assert told["bytes"] > 0
    assert not told["estimated"]
    drawn = shell.tables("list").stdout
    assert "observability-signal-state" in drawn
    assert "BILLING" not in drawn


def test_a_table_of_the_file_that_differs_is_told(shell: Shell) -> None:
    shell.tables("create")
    with apsw.Connection(str(shell.file)) as connection:
        connection.execute('DROP INDEX "observability-signal-state/state-tier-index"')
        connection.execute('DROP INDEX "observability-dataset-writers/ttl"')
        connection.execute('DROP INDEX "observability-incident-index/dataset-time-index"')
        connection.execute(
            'CREATE INDEX "observability-incident-index/dataset-time-index" '
            'ON "observability-incident-index" (GSI1SK)'
        )
        connection.execute('ALTER TABLE "observability-column-readers" ADD COLUMN extra TEXT')
    found = shell.answer("check")["differences"]
    assert {name: told for name, told in found.items() if told} == {
        "observability-signal-state": [
            (
                "its index observability-signal-state/state-tier-index is missing, "
                "must be on breach_state, breach_rank, PK, SK"
            )
        ],
        "observability-incident-index": [
            (
                "its index observability-incident-index/dataset-time-index is on GSI1SK, "
                "must be on GSI1PK, GSI1SK, PK, SK"
            )
        ],
        "observability-dataset-writers": [
            (
                "its index observability-dataset-writers/ttl is missing, "
                "by which rows that end are found"
            )
        ],
        "observability-column-readers": [
            "its columns are PK, SK, position, row, extra, must be PK, SK, position, row"
        ],
    }
    assert shell.tables("check", "dataset-registry").exit_code == 0
    assert shell.tables("check").exit_code == 1
    shell.tables("create")
    mended = shell.answer("check")["differences"]
    assert [name for name, told in mended.items() if told] == [
        "observability-incident-index",
        "observability-column-readers",
    ]


def test_a_table_on_dynamodb_that_differs_is_told_and_refused(on_dynamodb: Shell) -> None:
    name = on_dynamodb.prefix + SIGNAL_STATE.name
    client().create_table(
        TableName=name,
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )
    found = on_dynamodb.answer("check", "signal-state")["differences"]
    assert found == {
        name: [
            "its key is id (S), must be PK (S) and SK (S)",
            (
                "its index state-tier-index is missing, "
                "must be on breach_state (S) and breach_rank (S), projecting ALL"
            ),
            "its time to live is off, must be on ttl",
            "its stream is off, must be NEW_AND_OLD_IMAGES",
        ]
    }
    refused = on_dynamodb.tables("create", "signal-state")
    assert refused.exit_code == 1
    assert "is not as it must be" in refused.stderr


def test_what_dynamodb_tells_of_a_table(on_dynamodb: Shell) -> None:
    on_dynamodb.use(STATESTORE_PROVISIONED_TABLES="observability-signal-state:7:3")
    assert on_dynamodb.tables("create", "signal-state", "event-log").exit_code == 0
    signals, log = on_dynamodb.answer("describe", "signal-state", "event-log")["tables"]
    assert signals["status"] == "ACTIVE"
    assert signals["estimated"]
    assert signals["declared"]["kept_seconds"] == 30 * 86_400
    found = signals["found"]
    assert (found["billing"], found["read_units"], found["write_units"]) == ("PROVISIONED", 7, 3)
    assert (found["ttl"], found["stream"]) == ("ttl", "NEW_AND_OLD_IMAGES")
    assert found["indexes"]["state-tier-index"]["status"] == "ACTIVE"
    assert (log["declared"]["key_types"], log["found"]["stream"]) == (["S", "N"], "KEYS_ONLY")
    drawn = on_dynamodb.tables("describe", "signal-state").stdout
    for words in ("provisioned, 7 read, 3 write", "state-tier-index", "30 days", "arn:aws"):
        assert words in drawn
    assert "BILLING" in on_dynamodb.tables("list").stdout


def test_the_log_s_table_is_called_as_it_was_named(on_dynamodb: Shell) -> None:
    named = dynamodb_local.unused_table("our-log")
    on_dynamodb.use(STATESTORE_DYNAMODB_TABLE=named)
    names = [one["table"] for one in on_dynamodb.answer("list")["tables"]]
    assert names == [*(on_dynamodb.prefix + t.name for t in EVERY_TABLE[:-1]), named]


def test_several_may_create_at_once(on_dynamodb: Shell) -> None:
    async def all_at_once() -> list[bool]:
        ensuring = (
            ensure_tables(client(), EVERY_TABLE, on_dynamodb.prefix, may_create=True, complete=True)
            for _ in range(3)
        )
        return [one.made for made in await asyncio.gather(*ensuring) for one in made]

    assert sum(asyncio.run(all_at_once())) == len(EVERY_TABLE)
    assert on_dynamodb.tables("check").exit_code == 0


def test_a_start_makes_all_tables(on_dynamodb: Shell) -> None:
    """T1: also those that nothing is written to yet, so that a check finds nothing missing."""
    asyncio.run(started())
    assert on_dynamodb.tables("check").exit_code == 0


def test_a_start_that_may_make_none_needs_those_it_uses(on_dynamodb: Shell) -> None:
    on_dynamodb.use(STATESTORE_CREATE_TABLES="false")
    with pytest.raises(Unavailable, match="does not exist"):
        asyncio.run(started())
    used = [*NAMES, EVIDENCE_CACHE.name, EVENT_LOG.name]
    assert on_dynamodb.tables("create", *used).exit_code == 0
    asyncio.run(started())
    listed = on_dynamodb.answer("list")["tables"]
    missing = [one["table"] for one in listed if one["status"] == "MISSING"]
    assert missing == [on_dynamodb.prefix + HEALTH_CHECK.name]


async def started() -> None:
    """As a server does it."""
    container = build(load(os.environ, Path(".env")))
    try:
        await open_log(container)
        await open_tables(container)
    finally:
        await close(container)


@pytest.mark.parametrize("command", ["list", "describe", "create", "check"])
def test_an_unknown_table_is_wrong_use(shell: Shell, command: str) -> None:
    told = shell.tables(command, "signal-stat")
    assert told.exit_code == 2
    assert "Did you mean observability-signal-state?" in told.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_memory_has_no_tables(shell: Shell, command: str) -> None:
    shell.use(STATESTORE_ENGINE="memory")
    told = shell.tables(command)
    assert told.exit_code == 1
    assert "there are no tables in memory" in told.stderr


def test_dynamodb_that_is_away_is_told(on_dynamodb: Shell) -> None:
    on_dynamodb.use(
        STATESTORE_DYNAMODB_ENDPOINT_URL=f"http://127.0.0.1:{dynamodb_local.free_port()}"
    )
    told = on_dynamodb.tables("check", "signal-state")
    assert told.exit_code == 1
    assert "DynamoDB" in told.stderr


# Sweeping.


def filled(shell: Shell, living: int = 1, ended: int = 0) -> None:
    shell.tables("create")
    cards = [signal_card(signal_type=f"S{n}") for n in range(living)]
    cards += [signal_card(signal_type=f"E{n}", ends_at=NOON) for n in range(ended)]
    puts = [Put(SIGNAL_STATE.name, to_row(card, 1)) for card in cards]
    with Database.open(shell.file) as database:
        asyncio.run(SqliteEngine(database).write("signal-state", puts, upto=1))


def test_what_has_ended_is_swept_and_counted(shell: Shell) -> None:
    filled(shell, living=2, ended=40)
    assert shell.answer("sweep") == {"swept": 40}
    assert shell.answer("list", "signal-state")["tables"][0]["rows"] == 2
    assert shell.tables("sweep").stdout == "0 rows thrown away\n"


def test_evidence_that_ended_is_swept_too(shell: Shell) -> None:
    assert shell.tables("create").exit_code == 0
    young = some(1, recorded_at=FULL.recorded_at.replace(year=2199))
    with sqlite(shell.file.parent, SetClock()) as cache:
        asyncio.run(cache.put([FULL, young]))
    assert shell.answer("sweep") == {"swept": 1}
    with sqlite(shell.file.parent, SetClock()) as cache:
        assert list(asyncio.run(cache.named([FULL.evidence_id, name_of(1)]))) == [name_of(1)]


def test_sweeping_needs_a_store(shell: Shell) -> None:
    told = shell.tables("sweep")
    assert told.exit_code == 1
    assert "there are no tables in var/statestore.db" in told.stderr
    assert not (shell.folder / "var").exists()


def test_dynamodb_sweeps_by_itself(on_dynamodb: Shell) -> None:
    assert on_dynamodb.answer("sweep")["swept"] is None
    assert "by itself" in on_dynamodb.tables("sweep").stdout


# After a rebuild another generation is read.


def with_a_second_generation(shell: Shell) -> None:
    """Signals are read from the second generation, where one of two rows has ended."""
    filled(shell, living=3)

    async def move(engine: SqliteEngine) -> None:
        second = SIGNAL_STATE.of_generation(2)
        await engine.ensure([second])
        cards = [signal_card(), signal_card(signal_type="E", ends_at=NOON)]
        puts = [Put(second.name, to_row(card, 1)) for card in cards]
        await engine.write("signal-state@g2", puts, upto=1)
        await Pointers(engine, SystemClock()).move("signal-state", 2)

    with Database.open(shell.file) as database:
        asyncio.run(move(SqliteEngine(database)))


def test_what_is_read_is_what_is_looked_at(shell: Shell) -> None:
    with_a_second_generation(shell)
    (told,) = shell.answer("list", "signal-state")["tables"]
    assert (told["table"], told["generation"], told["rows"]) == (f"{SIGNAL_STATE.name}-g2", 2, 2)
    assert f"{SIGNAL_STATE.name}-g2" in shell.tables("describe", "signal-state").stdout
    assert shell.answer("check", "signal-state", "dataset-registry") == {
        "sound": True,
        "differences": {f"{SIGNAL_STATE.name}-g2": [], "observability-dataset-registry": []},
    }
    states = shell.answer("list", "projection-state")["tables"]
    assert [one["table"] for one in states] == [
        PROJECTION_STATE.name,
        f"{PROJECTION_STATE.name}-g2",
    ]
    with apsw.Connection(str(shell.file)) as connection:
        connection.execute(f'DROP TABLE "{SIGNAL_STATE.name}-g2"')
    told = shell.tables("check", "signal-state")
    assert (told.exit_code, told.stdout) == (1, f"{SIGNAL_STATE.name}-g2: it is missing\n")


def test_what_has_ended_is_swept_where_it_is_read(shell: Shell) -> None:
    with_a_second_generation(shell)
    assert shell.answer("sweep") == {"swept": 1}
    assert shell.answer("list", "signal-state")["tables"][0]["rows"] == 1


def test_what_is_read_on_dynamodb_is_what_is_looked_at(on_dynamodb: Shell) -> None:
    assert on_dynamodb.tables("create", "signal-state", "projection-state").exit_code == 0

    async def move() -> None:
        transport = retrying(sends_once())
        try:
            engine = DynamoEngine(transport, RowTables(client, on_dynamodb.prefix))
            await engine.ensure([SIGNAL_STATE.of_generation(2)])
            await Pointers(engine, SystemClock()).move("signal-state", 2)
        finally:
            await transport.close()

    asyncio.run(move())
    (told,) = on_dynamodb.answer("describe", "signal-state")["tables"]
    name = f"{on_dynamodb.prefix}{SIGNAL_STATE.name}-g2"
    assert (told["table"], told["generation"], told["status"]) == (name, 2, "ACTIVE")
    assert on_dynamodb.answer("check", "signal-state")["differences"] == {name: []}
