"""`statestore rebuild` and `verify` while a server owns the data folder."""

import asyncio
import json
import signal
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from adapters.row_layouts.ownership import HOLDINGS
from application.subscriptions.batches import BATCH
from benchmarks.embedded import replay
from entrypoints.cli.app import app
from entrypoints.container import build
from entrypoints.settings.loading import load
from entrypoints.wiring.opening import close
from tests.entrypoints.cli.read_models.stores import execute, rows
from tests.entrypoints.support.reports import dataset, report
from tests.entrypoints.support.server import PATIENCE, Server, command, environment, serving

URN = "urn:dp:orders:order_created:v1"
SIGNAL = f"/api/v1/datasets/{URN}/signals/VOLUME"


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "var"


def statestore(server: Server, *words: str) -> Result:
    """A command of this process, which is not the one that owns the folder."""
    return CliRunner().invoke(app, words, env={"STATESTORE_HTTP_PORT": str(server.port)})


def write(server: Server, window: int, state: str = "OK") -> None:
    assert server.ask("PUT", SIGNAL, report(window, window, state)).status == 200


def test_the_server_rebuilds_verifies_and_repairs_while_it_serves(folder: Path) -> None:
    with serving(folder) as server:
        assert server.ask("POST", "/api/v1/datasets", dataset(URN)).status == 201
        write(server, 0)
        replayed = statestore(server, "rebuild", "--json")
        assert replayed.exit_code == 0, replayed.stderr
        assert {one["generation"] for one in json.loads(replayed.stdout)["projections"]} == {2}
        write(server, 1, "CRITICAL")
        assert server.ask("GET", SIGNAL).body["state"] == "CRITICAL"
        verified = statestore(server, "verify")
        assert (verified.exit_code, verified.stdout.count("nothing is wrong")) == (
            0,
            len(HOLDINGS),
        )
        told = server.ask("GET", "/api/v1/projections").body["projections"]
        assert {(one["generation"], one["lag_events"]) for one in told} == {(2, 0)}
        execute(folder, 'DELETE FROM "observability-signal-state-g2"')
        assert server.ask("GET", SIGNAL).status == 404
        found = statestore(server, "verify", "signal-state", "--repair")
        assert (found.exit_code, "missing  observability-signal-state" in found.stdout) == (0, True)
        assert server.ask("GET", SIGNAL).body["version"] == 2
        drill = statestore(server, "restore-drill")
        assert f"in use by process {server.process.pid}" in drill.stderr
        assert server.stop() == 0
    assert {key.table for key in rows(folder)} > {"observability-signal-state"}


def test_starting_a_fold_adds_nothing_to_the_log_of_the_server(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """gRPC would tell of every fork otherwise, in words and a form of its own."""
    with serving(folder) as server:
        assert server.ask("POST", "/api/v1/datasets", dataset(URN)).status == 201
        assert statestore(server, "rebuild").exit_code == 0
        assert server.stop() == 0
    assert capfd.readouterr().err == ""


def test_a_fold_killed_by_force_is_gone_on_with(folder: Path) -> None:
    events = 5_000
    container = build(load({"STATESTORE_DATA_DIR": str(folder)}, Path("none")))
    replay.fill(container, events)
    asyncio.run(close(container))
    process = subprocess.Popen(
        command("build-draft", "rebuild", *HOLDINGS),
        cwd=folder.parent,
        env=environment(folder),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    lines = iter(process.stdout.readline, "")
    assert next(json.loads(line) for line in lines if "reached" in line) == {"reached": BATCH}
    process.send_signal(signal.SIGKILL)
    process.wait(PATIENCE)
    process.stdout.close()

    gone_on = CliRunner().invoke(app, ["rebuild"])
    assert gone_on.exit_code == 0, gone_on.output
    assert CliRunner().invoke(app, ["verify"]).exit_code == 0
    assert rows(folder)
