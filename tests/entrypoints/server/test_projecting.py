"""`statestore project`: a process that folds and does nothing else."""

import asyncio
import json
import signal
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from application.projections.quarantined_facts import SetAside
from domain.dataset.settings_validation import DatasetReport
from entrypoints.container import build
from entrypoints.settings.loading import load
from entrypoints.wiring.opening import close
from tests.adapters.dynamodb.support import dynamodb_local, environment
from tests.application.store import ADMIN, ORDERS, SETTINGS
from tests.entrypoints.support.reports import dataset, report
from tests.entrypoints.support.server import PATIENCE, run, running, serving

URN = "urn:dp:orders:order_created:v1"
ALL = [
    "dataset-registry",
    "dataset-resolution",
    "dead-letters",
    "incident-index",
    "lineage-index",
    "signal-state",
    "stream-directory",
]


def next_line(process: subprocess.Popen[str]) -> Any:
    assert process.stdout
    return json.loads(process.stdout.readline())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_folds_what_a_server_left_and_ends_well(tmp_path: Path, number: int) -> None:
    folder = tmp_path / "var"
    with serving(folder) as server:
        server.ask("POST", "/api/v1/datasets", dataset(URN))
        server.ask("PUT", f"/api/v1/datasets/{URN}/signals/VOLUME", report(0, 0, "CRITICAL"))
        server.stop()
    with running(folder, "project", "--json") as process:
        told = next_line(process)
        assert (told["holds"], told["error"]) == (ALL, None)
        assert [*told["projections"]] == ALL
        process.send_signal(number)
        assert process.wait(PATIENCE) == 0


def test_only_the_named_ones_are_folded(tmp_path: Path) -> None:
    with running(
        tmp_path / "var", "project", "--json", "dataset-registry", "signal-state"
    ) as process:
        told = next_line(process)
        assert told["holds"] == ["dataset-registry", "signal-state"]
        assert [*told["projections"]] == ["dataset-registry", "signal-state"]


def test_a_server_is_told_who_has_the_folder_and_the_other_way_round(tmp_path: Path) -> None:
    with serving(tmp_path / "var") as server:
        ended = run(tmp_path / "var", "project")
        assert (ended.returncode, len(ended.stderr.splitlines())) == (1, 1)
        assert f"process {server.process.pid}" in ended.stderr
        assert "folds what it owns by itself" in ended.stderr


def test_a_wrong_name_is_answered_with_the_right_ones(tmp_path: Path) -> None:
    ended = run(tmp_path / "var", "project", "signals")
    assert ended.returncode == 2
    assert (
        "no projection signals: there are dataset-registry, dataset-resolution, dead-letters"
        in ended.stderr
    )


def test_memory_is_refused(tmp_path: Path) -> None:
    ended = run(tmp_path / "var", "project", STATESTORE_ENGINE="memory")
    assert (ended.returncode, len(ended.stderr.splitlines())) == (1, 1)


def test_a_server_that_nobody_else_could_fold_for_does_not_start(tmp_path: Path) -> None:
    ended = run(tmp_path / "var", "serve", STATESTORE_RUN_PROJECTIONS="off")
    assert (ended.returncode, len(ended.stderr.splitlines())) == (1, 1)
    assert "STATESTORE_RUN_PROJECTIONS" in ended.stderr


def test_it_runs_on_dynamodb(tmp_path: Path) -> None:
    settings = {
        **environment.variables(),
        "STATESTORE_ENGINE": "dynamodb",
        "STATESTORE_DYNAMODB_TABLE": dynamodb_local.unused_table("projected"),
        "STATESTORE_DYNAMODB_ENDPOINT_URL": dynamodb_local.endpoint(),
    }
    with running(tmp_path / "var", "project", "--json", **settings) as process:
        assert next_line(process)["holds"] == ALL
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0


# What could not be folded.

FACT = SetAside(
    "dataset-registry", 1, "0a0b", datetime(2026, 1, 15, 12, tzinfo=UTC), "KeyError: 'tier'"
)


async def set_aside(folder: Path) -> None:
    container = build(load({"STATESTORE_DATA_DIR": str(folder)}, folder / "no.env"))
    try:
        await container.register_dataset()(DatasetReport(ORDERS, SETTINGS), by=ADMIN)
        await container.cards().file("dataset-registry", {FACT.key: (FACT, 1)}, upto=1)
    finally:
        await close(container)


def test_what_was_set_aside_is_listed(tmp_path: Path) -> None:
    folder = tmp_path / "var"
    asyncio.run(set_aside(folder))
    ended = run(folder, "project", "--quarantined", "--json")
    assert json.loads(ended.stdout) == [
        {
            "projection": "dataset-registry",
            "position": 1,
            "event_id": "0a0b",
            "recorded_at": "2026-01-15T12:00:00.000Z",
            "reason": "KeyError: 'tier'",
        }
    ]
    with serving(folder) as server:
        port = str(server.port)
        asked = run(folder, "project", "--quarantined", "--json", STATESTORE_HTTP_PORT=port)
        assert asked.stdout == ended.stdout
    shown = run(folder, "project", "--quarantined").stdout
    assert "registry: position 1, event 0a0b" in shown
    assert run(folder, "project", "--quarantined", "signal-state").stdout.startswith("Nothing")


def test_there_is_nothing_to_list_where_there_is_no_store(tmp_path: Path) -> None:
    ended = run(tmp_path / "var", "project", "--quarantined")
    assert (ended.returncode, len(ended.stderr.splitlines())) == (1, 1)
    assert not (tmp_path / "var").exists()
