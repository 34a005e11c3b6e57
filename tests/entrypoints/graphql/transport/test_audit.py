"""The audit that the authors of the specification wrote, run against a real server."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.entrypoints.support.server import PATIENCE, serving

AUDIT = Path(__file__).resolve().parents[4] / ".tools" / "graphql-http"
SCRIPT = Path(__file__).with_name("audit.mjs")


def node() -> str:
    said = "the audit of GraphQL over HTTP needs node, which comes with npm"
    return shutil.which("node") or pytest.fail(said, pytrace=False)


def audited(port: int, token: str) -> list[dict[str, Any]]:
    if not AUDIT.exists():
        pytest.fail("the audit is not here: `make test` fetches it", pytrace=False)
    command = [node(), str(SCRIPT), str(AUDIT), f"http://127.0.0.1:{port}/graphql", token]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    results: list[dict[str, Any]] = json.loads(done.stdout)
    return results


def test_every_rule_of_the_audit_is_kept(tmp_path: Path) -> None:
    with serving(tmp_path / "var", STATESTORE_ENGINE="memory") as server:
        results = audited(server.port, server.token)
    assert [one for one in results if one["status"] != "ok"] == []
    # Were it to run nothing, it would find nothing.
    rules = [one["name"].partition(" ")[0] for one in results]
    assert (rules.count("MUST"), rules.count("SHOULD"), rules.count("MAY")) == (13, 23, 25)


def test_the_audit_finds_what_is_wrong(tmp_path: Path) -> None:
    with serving(tmp_path / "var", STATESTORE_ENGINE="memory") as server:
        results = audited(server.port, "not-the-token-of-this-server")
    assert {one["status"] for one in results if one["name"].startswith("MUST")} == {"error"}
