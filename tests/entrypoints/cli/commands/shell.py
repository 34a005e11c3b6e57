"""The commands as somebody types them, against a real server."""

import json
from typing import Any

import pytest
from attrs import define
from click.testing import Result
from typer.testing import CliRunner

from entrypoints.cli.app import app
from tests.entrypoints.support.server import Server

TOKEN = "a-token-for-the-terminal"


@define
class Shell:
    server: Server
    monkeypatch: pytest.MonkeyPatch

    def run(self, *words: str) -> Result:
        self.monkeypatch.setenv("STATESTORE_HTTP_PORT", str(self.server.port))
        return CliRunner().invoke(app, words)  # type: ignore[return-value]

    def out(self, *words: str) -> str:
        """What a command prints that ends well."""
        ended = self.run(*words)
        assert ended.exit_code == 0, ended.output
        return ended.stdout

    def json(self, *words: str) -> Any:
        return json.loads(self.out(*words, "--json"))

    def api(self, method: str, path: str, body: object = None) -> Any:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        answer = self.server.ask(method, f"/api/v1{path}", body, headers)
        assert answer.status < 300, answer
        return answer.body
