"""A real server in a process of its own, as `make run` starts it."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import define

ROOT = Path(__file__).parents[3]
PATIENCE = 60.0


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "entrypoints", *words]


def environment(folder: Path, **more: str) -> dict[str, str]:
    ours = {name: value for name, value in os.environ.items() if not name.startswith("STATESTORE_")}
    return {
        **ours,
        "PYTHONPATH": str(ROOT),
        "STATESTORE_DATA_DIR": str(folder),
        "STATESTORE_HTTP_PORT": "0",
        "STATESTORE_GRPC_PORT": "0",
        "STATESTORE_LOG_LEVEL": "warning",
        **more,
    }


def run(folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        command(*words),
        cwd=folder.parent,
        env=environment(folder, **more),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


@define
class Answer:
    status: int
    headers: Mapping[str, str]
    body: Any


@define
class Server:
    process: subprocess.Popen[str]
    banner: str

    @property
    def port(self) -> int:
        return int(self._told(r"API +http://127\.0\.0\.1:(\d+)/api/v1"))

    @property
    def grpc_port(self) -> int:
        return int(self._told(r"gRPC +127\.0\.0\.1:(\d+)"))

    @property
    def token(self) -> str:
        return self._told(r"token +(\S+)")

    def _told(self, pattern: str) -> str:
        found = re.search(pattern, self.banner)
        assert found, self.banner
        return found[1]

    def ask(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str] = {}
    ) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            return ask(connection, self.token, method, path, body, headers)
        finally:
            connection.close()

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


def ask(
    connection: http.client.HTTPConnection,
    token: str,
    method: str,
    path: str,
    body: object = None,
    headers: Mapping[str, str] = {},
) -> Answer:
    content = None if body is None else json.dumps(body)
    sent = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", **headers}
    connection.request(method, path, content, sent)
    response = connection.getresponse()
    text = response.read()
    return Answer(response.status, dict(response.getheaders()), json.loads(text) if text else None)


@contextmanager
def serving(folder: Path, **more: str) -> Iterator[Server]:
    """Start a server on a free port and wait until it says that it is up."""
    with running(folder, "serve", **more) as process:
        yield Server(process, _banner(process))


@contextmanager
def running(folder: Path, *words: str, **more: str) -> Iterator[subprocess.Popen[str]]:
    """Start a command, which is killed at the end if it still runs."""
    process = subprocess.Popen(
        command(*words),
        cwd=folder.parent,
        env=environment(folder, **more),
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(PATIENCE)
        assert process.stdout
        process.stdout.close()


def _banner(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line)
        if line.startswith("Ctrl-C"):
            return "".join(lines)
    raise AssertionError(f"the server ended with {process.wait(PATIENCE)}: {lines}")
