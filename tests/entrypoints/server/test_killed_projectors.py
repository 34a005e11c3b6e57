"""Several processes fold one log into one set of tables on DynamoDB, and one is killed."""

import signal
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.adapters.dynamodb.support import dynamodb_local, environment
from tests.entrypoints.server.test_projecting import ALL, next_line
from tests.entrypoints.support.reports import dataset, report
from tests.entrypoints.support.server import Server, run, running, serving

URNS = [f"urn:dp:orders:d{number}:v1" for number in range(3)]
TOKEN = "a-token-given-by-setting"
AS_ADMIN = {"Authorization": f"Bearer {TOKEN}"}


def settings(tmp_path: Path) -> dict[str, str]:
    return {
        **environment.variables(),
        "STATESTORE_ENGINE": "dynamodb",
        "STATESTORE_DYNAMODB_TABLE": dynamodb_local.unused_table("killed"),
        "STATESTORE_DYNAMODB_ENDPOINT_URL": dynamodb_local.endpoint(),
        "STATESTORE_TABLE_PREFIX": f"{dynamodb_local.unused_table('killed')}-",
        "STATESTORE_ADMIN_TOKEN": TOKEN,
        "STATESTORE_KEY_FILE": str(tmp_path / "keys.json"),
        "STATESTORE_READ_WAIT_SECONDS": "50",
    }


def ask(server: Server, method: str, path: str, body: object = None) -> Any:
    answer = server.ask(method, f"/api/v1/{path}", body, AS_ADMIN)
    assert answer.status in (200, 201), answer
    return answer.body


def write(server: Server, window: int) -> str:
    """Something for every projection; where the log is afterwards."""
    change = {"description": f"at {window}", "expected_version": window + 1}
    ask(server, "PUT", f"datasets/{URNS[0]}", change)
    said = report(window, -1, "CRITICAL" if window % 3 else "OK")
    answers = [ask(server, "PUT", f"datasets/{urn}/signals/VOLUME", said) for urn in URNS]
    position: str = answers[-1]["position"]
    return position


def takes_part(process: subprocess.Popen[str]) -> None:
    """Its share of the work is handed to it."""
    while not next_line(process)["holds"]:
        assert process.poll() is None


def caught_up(server: Server) -> bool:
    told = ask(server, "GET", "projections")["projections"]
    assert sorted(one["projection"] for one in told) == ALL
    return all(one["lag_events"] == 0 for one in told)


def test_the_others_take_over_what_a_killed_one_held(tmp_path: Path) -> None:
    given = settings(tmp_path)
    with ExitStack() as started:
        writes_only = {**given, "STATESTORE_RUN_PROJECTIONS": "off"}
        server = started.enter_context(serving(tmp_path / "server", **writes_only))
        processes = [
            started.enter_context(running(tmp_path / f"{number}", "project", "--json", **given))
            for number in range(3)
        ]
        for urn in URNS:
            ask(server, "POST", "datasets", dataset(urn))
        for process in processes:
            takes_part(process)
        for window in range(4):
            write(server, window)
        processes[1].send_signal(signal.SIGKILL)
        began = time.monotonic()
        position = [write(server, window) for window in range(4, 8)][-1]
        # The server folds nothing: whatever it waits for was folded by those who are left.
        for path in (f"datasets/{URNS[0]}", f"datasets/{URNS[0]}/health", "incidents"):
            ask(server, "GET", f"{path}?min_position={position}")
        while not caught_up(server):
            assert time.monotonic() - began < 60
        took = time.monotonic() - began
        assert took < 30, f"it took {took:.1f} s"
        verified = run(tmp_path / "verifying", "verify", "--json", **given)
        assert verified.returncode == 0, verified.stdout + verified.stderr
        assert [one.poll() is None for one in processes] == [True, False, True]
