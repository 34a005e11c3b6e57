"""What the documents show works as it stands."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.entrypoints.support.server import ROOT, Server, serving


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path / "var") as started:
        yield started


def run(document: Path, server: Server, folder: Path) -> str:
    shown = "\n".join(re.findall(r"```python\n(.*?)```", document.read_text(), re.DOTALL))
    address = f"127.0.0.1:{server.grpc_port}"
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", shown.replace("127.0.0.1:50051", address)],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT / "client"),
            "STATESTORE_ADDRESS": address,
            "STATESTORE_TOKEN": server.token,
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_readme_of_the_client(server: Server, tmp_path: Path) -> None:
    said = run(ROOT / "client" / "README.md", server, tmp_path)
    assert said.splitlines() == ["1", "it is at 1", "OK"]


def test_the_guide_of_the_client(server: Server, tmp_path: Path) -> None:
    said = run(ROOT / "docs" / "client.md", server, tmp_path)
    assert "FRESHNESS OK 1" in said
    assert "it is at 1" in said
    assert said.splitlines().count("500") == 2
    assert "300 kept" in said
    assert "200 streamed and kept" in said
