"""The restore drill: the tables are lost, or the log comes back torn; everything comes back."""

import asyncio
import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from adapters.cache.entry import Entry
from adapters.row_layouts.catalogue import CATALOGUE
from application.projections.progress import Reached
from domain.dataset.settings_validation import DatasetReport
from domain.stream_categories import signal_stream
from entrypoints.cli.app import app
from entrypoints.container import build
from entrypoints.settings.loading import load
from entrypoints.wiring.locations import KEY_FILE
from entrypoints.wiring.opening import close, open_log, open_tables
from tests.adapters.cache.redis_servers import redis_server
from tests.adapters.dynamodb.log_maintenance.damage import Vandal
from tests.adapters.dynamodb.support.fixtures import client
from tests.application.store import (
    ADMIN,
    ORDERS,
    SETTINGS,
    VOLUME,
    StandingClock,
    Store,
    open_store,
    report,
)
from tests.entrypoints.cli.log.stores import dynamodb_settings
from tests.entrypoints.cli.read_models.stores import FILE, execute, fill, rows, rows_in

WINDOWS = 6


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "var"


@asynccontextmanager
async def opened(folder: Path, settings: dict[str, str]) -> AsyncIterator[Store]:
    container = build(load({**settings, "STATESTORE_DATA_DIR": str(folder)}, Path("none")))
    try:
        await open_log(container)
        await open_tables(container)
        yield Store(container, StandingClock())
    finally:
        await close(container)


def lose_tables(prefix: str) -> None:
    for name in client().list_tables()["TableNames"]:
        if name.startswith(prefix):
            client().delete_table(TableName=name)


def drill() -> dict[str, Any]:
    ended = CliRunner().invoke(app, ["restore-drill", "--json"])
    assert ended.exit_code == 0, ended.output
    told: dict[str, Any] = json.loads(ended.stdout)
    assert told["sound"] is True
    assert told["total_seconds"] == pytest.approx(sum(told["seconds"].values()), abs=0.01)
    return told


def test_nothing_is_left_in_redis_of_positions_that_are_gone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log comes back from a copy, and so does the number of the generation that is served."""

    async def size(settings: dict[str, str], *, put: int) -> int | None:
        async with opened(folder, settings) as store:
            future = Entry((), Reached(10**6), datetime(2026, 1, 15, tzinfo=UTC))
            shared = store.container.shared_cache()
            assert shared is not None
            await shared.put({f"ss@g2:{number}": future for number in range(put)})
            return await shared.size()

    fill(folder)
    with redis_server() as server:
        settings = {"STATESTORE_REDIS_URL": server.url}
        settings["STATESTORE_REDIS_TIMEOUT_MILLISECONDS"] = "5000"
        assert asyncio.run(size(settings, put=2)) == 2
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        drill()
        assert asyncio.run(size(settings, put=0)) == 0


def test_all_tables_but_the_log_are_lost(folder: Path) -> None:
    fill(folder)
    before = rows(folder)
    assert {key.table for key in before} > {"observability-signal-state"}
    for table in CATALOGUE:
        execute(folder, f'DROP TABLE "{table.name}"')
    execute(folder, "DROP TABLE projection_progress")
    told = drill()
    assert told["events"] > 0
    assert rows(folder) == before


def test_pointers_are_lost_while_tables_are_not(folder: Path) -> None:
    """A generation that nobody knows of any more is not mistaken for an empty one."""
    fill(folder)
    before = rows(folder)
    assert CliRunner().invoke(app, ["rebuild"]).exit_code == 0
    execute(folder, 'DROP TABLE "observability-projection-state"')
    drill()
    assert rows(folder) == before


def test_it_is_told_in_words(folder: Path) -> None:
    fill(folder)
    told = CliRunner().invoke(app, ["restore-drill"]).stdout
    assert "log: 0 findings mended" in told
    assert "s altogether" in told


def copy_torn(origin: Path, copy: Path, cut: int) -> None:
    copy.mkdir()
    for name in (FILE, KEY_FILE):
        shutil.copy(origin / name, copy / name)
    whole = (origin / f"{FILE}-wal").read_bytes()
    (copy / f"{FILE}-wal").write_bytes(whole[:-cut])


@pytest.mark.parametrize("cut", [1, 4_000, 9_000, 20_000])
def test_a_copy_whose_last_transaction_is_torn(folder: Path, tmp_path: Path, cut: int) -> None:
    """The file and its write-ahead log, copied while they were written."""
    origin = tmp_path / "origin"

    async def copied() -> int:
        async with open_store("embedded", origin) as store:
            await store.use_cases.register_dataset(DatasetReport(ORDERS, SETTINGS), by=ADMIN)
            for window in range(WINDOWS):
                await store.use_cases.update_signal(report(window), by=ADMIN)
                await store.project()
            copy_torn(origin, folder, cut)
            return int(await store.container.feed().head())

    head = asyncio.run(copied())
    told = drill()
    assert 0 < told["events"] <= head
    found = rows(folder)
    (signal,) = [row for key, row in found.items() if key.table == "observability-signal-state"]
    assert head - told["events"] == WINDOWS - signal["version"]


def test_a_damaged_log_is_not_built_upon(folder: Path) -> None:
    fill(folder)
    execute(folder, "DELETE FROM events_1 WHERE position = 2")
    ended = CliRunner().invoke(app, ["restore-drill"])
    assert ended.exit_code == 1
    assert "cannot be mended" in ended.stdout
    assert "restore a better copy" in ended.stderr


def test_a_dynamodb_log_with_a_torn_append(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its last append has a batch and no span; all other tables are gone."""
    settings = dynamodb_settings()
    for name, value in settings.items():
        monkeypatch.setenv(name, value)

    async def written() -> Any:
        async with opened(folder, settings) as store:
            await store.use_cases.register_dataset(DatasetReport(ORDERS, SETTINGS), by=ADMIN)
            await store.use_cases.update_signal(report(0, state="CRITICAL"), by=ADMIN)
            await store.project()
            return await rows_in(store)

    async def torn() -> None:
        async with opened(folder, settings) as store:
            span = store.container.log().keys.span(signal_stream(ORDERS, VOLUME), 0)
            await Vandal(store.container.log()).delete(span)

    before = asyncio.run(written())
    asyncio.run(torn())
    lose_tables(settings["STATESTORE_TABLE_PREFIX"])
    assert drill()["log_findings_mended"] == 1

    async def found() -> Any:
        async with opened(folder, settings) as store:
            return await rows_in(store)

    assert asyncio.run(found()) == before


@pytest.mark.parametrize("key", ["policy/auto-resolve", "outbox/webhook-a"])
def test_whoever_was_beyond_the_end_of_the_log_goes_on_where_it_ends(
    folder: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    """Also a sink that began before anything was recorded: it is not told all of it again."""
    hooks = [{"name": "a", "url": "https://example.com", "secret": "0123456789abcdef"}]
    monkeypatch.setenv("STATESTORE_WEBHOOKS", json.dumps(hooks))
    fill(folder)
    for name, reached in ((key, 999), (f"{key}/began-empty", 1)):
        execute(folder, "REPLACE INTO projection_progress VALUES (?, ?)", name, reached)
    told = drill()
    left = execute(folder, "SELECT reached FROM projection_progress WHERE projection = ?", key)
    assert left == [(told["events"],)]
