"""`statestore serve`: one command, a good end, the data of the last start."""

import http.client
import os
import re
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from entrypoints.cli.demo.platform import datasets
from tests.entrypoints.support.reports import dataset, report
from tests.entrypoints.support.server import PATIENCE, ROOT, Server, run, serving

URN = "urn:dp:orders:order_created:v1"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("served") / "var"


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    """One for all who leave it running."""
    with serving(folder) as up:
        yield up


def test_it_says_where_everything_is(server: Server, folder: Path) -> None:
    assert f"http://127.0.0.1:{server.port}/docs" in server.banner
    assert str(folder / "statestore.db") in server.banner
    assert server.token == (folder / "admin-token").read_text().strip()
    assert server.ask("GET", "/livez").status == 200
    assert server.ask("GET", "/api/v1/datasets").status == 200


def test_what_an_embedded_store_does_not_need_is_not_imported(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """They are slow: everybody would wait for them at every start."""
    with serving(tmp_path / "var", PYTHONPROFILEIMPORTTIME="1") as server:
        assert server.stop() == 0
    lines = [line.split("|") for line in capfd.readouterr().err.splitlines()]
    imported = {line[-1].strip().split(".")[0] for line in lines if len(line) == 3}
    assert "fastapi" in imported
    assert imported & {"aiohttp", "boto3", "botocore", "redis"} == set()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_being_asked_to_stop_is_a_good_end(tmp_path: Path, number: int) -> None:
    with serving(tmp_path / "var") as server:
        assert server.stop(number) == 0


def test_a_second_start_finds_the_data_of_the_first(tmp_path: Path) -> None:
    with serving(tmp_path / "var") as first:
        token = first.token
        assert first.ask("POST", "/api/v1/datasets", dataset(URN)).status == 201
        put = first.ask("PUT", f"/api/v1/datasets/{URN}/signals/VOLUME", report(0, 0, "CRITICAL"))
        assert put.status == 200
        assert first.stop() == 0
    with serving(tmp_path / "var") as second:
        assert second.token == token
        signal_now = second.ask("GET", f"/api/v1/datasets/{URN}/signals/VOLUME").body
        assert (signal_now["state"], signal_now["version"]) == ("CRITICAL", 1)


def test_policies_act_by_themselves(server: Server) -> None:
    """An incident whose signal is OK again is resolved, and says who did it."""
    opened = {
        "incident_id": "INC-1",
        "primary_dataset_urn": URN,
        "signal_types": ["VOLUME"],
        "severity": "SEV_1",
        "failure_signatures": ["LATE_DATA:processed_at"],
    }
    server.ask("POST", "/api/v1/datasets", dataset(URN))
    server.ask("PUT", f"/api/v1/datasets/{URN}/signals/VOLUME", report(0, -1, "CRITICAL"))
    assert server.ask("POST", "/api/v1/incidents", opened).status == 201
    for window in (1, 2, 3):
        server.ask("PUT", f"/api/v1/datasets/{URN}/signals/VOLUME", report(window, -1))
    deadline = time.monotonic() + PATIENCE
    while server.ask("GET", "/api/v1/incidents/INC-1").body["status"] != "RESOLVED":
        assert time.monotonic() < deadline, server.ask("GET", "/health").body
    last = server.ask("GET", "/api/v1/incidents/INC-1/timeline").body["timeline"][-1]
    assert (last["event_type"], last["actor"]) == ("RESOLVED", "policy:auto-resolve")
    assert last["details"]["resolution"]["reason"] == "SELF_HEALED"
    assert set(server.ask("GET", "/health").body["policies"]) == {
        "auto-resolve",
        "end-snoozes",
        "link-signals",
        "pin-evidence",
        "reopen-on-relapse",
    }


def test_a_request_that_runs_is_answered_before_the_end(tmp_path: Path) -> None:
    with serving(tmp_path / "var") as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        connection.putrequest("POST", "/api/v1/datasets")
        connection.putheader("Authorization", f"Bearer {server.token}")
        body = b'{"dataset_urn": "urn:dp:a:b:v1", "display_name": "x", "tier": "TIER_1", '
        rest = b'"owner_team": "t"}'
        connection.putheader("Content-Length", str(len(body) + len(rest)))
        connection.endheaders()
        connection.send(body)
        # Another request's answer proves that the server has seen this one begin.
        assert server.ask("GET", "/livez").status == 200
        server.process.send_signal(signal.SIGTERM)
        connection.send(rest)
        assert connection.getresponse().status == 201
        connection.close()
        assert server.process.wait(60) == 0


def test_the_secrets_are_private(server: Server, folder: Path) -> None:
    server.ask("POST", "/api/v1/datasets", dataset(URN))
    for name in ("admin-token", "personal-keys.json"):
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600


def test_a_given_token_is_used_and_not_shown(tmp_path: Path) -> None:
    given = "a-token-given-by-setting"
    with serving(tmp_path / "var", STATESTORE_ADMIN_TOKEN=given) as server:
        assert given not in server.banner
        assert not (tmp_path / "var" / "admin-token").exists()
        headers = {"Authorization": f"Bearer {given}"}
        assert server.ask("GET", "/api/v1/datasets", headers=headers).status == 200


def test_strangers_are_not_served_with_a_generated_token(tmp_path: Path) -> None:
    ended = run(tmp_path / "var", "serve", STATESTORE_HTTP_HOST="0.0.0.0")
    assert ended.returncode == 1
    assert "STATESTORE_ADMIN_TOKEN" in ended.stderr


def test_a_folder_has_one_owner(server: Server, folder: Path) -> None:
    ended = run(folder, "serve")
    assert ended.returncode == 1
    assert f"process {server.process.pid}" in ended.stderr


def test_a_port_that_is_taken_is_named(server: Server, tmp_path: Path) -> None:
    ended = run(tmp_path / "two", "serve", STATESTORE_HTTP_PORT=str(server.port))
    assert ended.returncode == 1
    assert f"127.0.0.1:{server.port}" in ended.stderr
    assert "STATESTORE_HTTP_PORT" in ended.stderr


def test_evidence_that_could_not_be_kept_is_told_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    place = tmp_path / "file" / "archive"
    ended = run(tmp_path / "var", "serve", STATESTORE_EVIDENCE_ARCHIVE=str(place))
    assert (ended.returncode, len(ended.stderr.splitlines())) == (1, 1)
    assert "cannot keep evidence" in ended.stderr
    assert str(place) in ended.stderr
    assert "STATESTORE_EVIDENCE_ARCHIVE" in ended.stderr


def test_a_setting_with_a_typing_error_is_named(tmp_path: Path) -> None:
    ended = run(tmp_path / "var", "serve", STATESTORE_DATA_DUR="x")
    assert ended.returncode == 2
    assert "Did you mean STATESTORE_DATA_DIR?" in ended.stderr


def test_a_person_is_erased_through_the_server_or_without_it(tmp_path: Path) -> None:
    owned = dataset(URN, owner_email="jane@company.example")
    with serving(tmp_path / "var") as server:
        server.ask("POST", "/api/v1/datasets", owned)
        port = str(server.port)
        ended = run(
            tmp_path / "var", "erase", "--yes", "jane@company.example", STATESTORE_HTTP_PORT=port
        )
        assert (ended.returncode, ended.stderr) == (0, "")
        assert server.ask("GET", f"/api/v1/datasets/{URN}").body["owner_email"] == "[erased]"
        joe = {"owner_email": "joe@company.example", "expected_version": 1}
        assert server.ask("PUT", f"/api/v1/datasets/{URN}", joe).status == 200
        server.stop()
    ended = run(tmp_path / "var", "erase", "--yes", "joe@company.example")
    assert (ended.returncode, ended.stderr) == (0, "")
    with serving(tmp_path / "var") as server:
        assert server.ask("GET", f"/api/v1/datasets/{URN}").body["owner_email"] == "[erased]"


def test_health_is_asked_from_the_command_line(tmp_path: Path) -> None:
    with serving(tmp_path / "var") as server:
        ended = run(tmp_path / "var", "health", "--json", STATESTORE_HTTP_PORT=str(server.port))
        assert ended.returncode == 0, ended.stderr
        assert '"status": "ok"' in ended.stdout
        port = str(server.port)
        server.stop()
    assert run(tmp_path / "var", "health", STATESTORE_HTTP_PORT=port).returncode == 1


def test_the_tour_of_the_readme_works_pasted(tmp_path: Path) -> None:
    tour = re.search(r"```bash\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert tour
    with serving(tmp_path / "var") as server:
        script = tour[1].replace("127.0.0.1:8080", f"127.0.0.1:{server.port}")
        script = script.replace(r"-w '\n'", r"-w '\n%{http_code}\n'")
        ended = subprocess.run(
            ["bash", "-eu", "-c", script.replace(".venv/bin", str(Path(sys.executable).parent))],
            cwd=tmp_path,
            env={**os.environ, "STATESTORE_ADDRESS": f"127.0.0.1:{server.grpc_port}"},
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
    codes = re.findall(r"^(\d{3})$", ended.stdout, re.MULTILINE)
    assert codes == ["201"] * 2 + ["200"] * 7 + ["201"] + ["200"] * 4 + ["422"]
    assert '"state":"CRITICAL"' in ended.stdout.replace(": ", ":")
    assert "CRITICAL ['LATE_DATA:processed_at']" in ended.stdout
    assert '"displayName":"Billing - Invoice Paid"' in ended.stdout


def test_the_demo_does_not_have_the_dataset_of_the_readme() -> None:
    """Whoever tries the demo first can still paste the tour."""
    told = re.search(r"^DS=(\S+)$", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert told
    assert told[1].split(":")[2] not in {one.domain for one in datasets().values()}


def pasted(page: str, folder: Path) -> str:
    """What the commands of a page print on a store that has the dataset of the README."""
    told = (ROOT / "docs" / page).read_text()
    commands = "".join(re.findall(r"```bash\n(.*?)```", told, re.DOTALL))
    with serving(folder / "var") as server:
        server.ask("POST", "/api/v1/datasets", dataset("urn:dp:billing:invoice_paid:v1"))
        script = commands.replace("127.0.0.1:8080", f"127.0.0.1:{server.port}")
        return subprocess.run(
            ["bash", "-eu", "-c", script.replace(".venv/bin", str(Path(sys.executable).parent))],
            cwd=folder,
            env={**os.environ, "STATESTORE_HTTP_PORT": str(server.port)},
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        ).stdout


def test_the_commands_about_reading_work_pasted(tmp_path: Path) -> None:
    printed = pasted("reading.md", tmp_path)
    assert "statestore-as-of:" in printed
    health = re.findall(r'"dataset_urn":"[^"]*","state":"(\w+)","status"', printed)
    assert health == ["OK", "OK"], "after the write, and as it was before the next"
    assert re.findall(r"^state +. (\w+)", printed, re.MULTILINE) == ["OK", "WARNING"]


def test_the_commands_about_policies_work_pasted(tmp_path: Path) -> None:
    printed = pasted("policies.md", tmp_path)
    assert "cache-control: private, max-age=300" in printed
    assert re.findall(r"^(\d{3})$", printed, re.MULTILINE) == ["304"]
    assert '"not_modified":true' in printed
    assert '"registered":false' in printed


def test_a_key_file_that_is_gone_is_not_an_erasure(tmp_path: Path) -> None:
    keys = tmp_path / "var" / "personal-keys.json"
    with serving(tmp_path / "var") as server:
        server.ask("POST", "/api/v1/datasets", dataset(URN))
        server.stop()
    kept = keys.read_text()
    keys.unlink()
    ended = run(tmp_path / "var", "serve")
    assert (ended.returncode, len(ended.stderr.splitlines())) == (1, 1)
    assert "personal-keys.json is missing" in ended.stderr
    keys.touch(mode=0o600)
    ended = run(tmp_path / "var", "serve")
    assert (ended.returncode, len(ended.stderr.splitlines())) == (1, 1)
    assert "is damaged" in ended.stderr
    keys.write_text(kept)
    with serving(tmp_path / "var") as server:
        assert server.ask("GET", f"/api/v1/datasets/{URN}").body["updated_by"] == "admin"


def test_erasing_where_there_is_no_store_says_so(tmp_path: Path) -> None:
    ended = run(tmp_path / "var", "erase", "--yes", "jane")
    assert ended.returncode == 1
    assert "there is no store" in ended.stderr
    assert not (tmp_path / "var").exists()


def test_what_the_server_refuses_is_told(server: Server, folder: Path) -> None:
    ended = run(folder, "erase", "--yes", "x" * 300, STATESTORE_HTTP_PORT=str(server.port))
    assert (ended.returncode, len(ended.stderr.splitlines())) == (1, 1)
    assert "refused" in ended.stderr
