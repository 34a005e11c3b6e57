"""Talking to the server that owns the data folder."""

import http.client
import json
from typing import Any

from attrs import define, frozen

from entrypoints.container import TOKEN_FILE
from entrypoints.settings import Settings

HEALTH = "/health"
"""The one answer that is worth reading, whatever its status."""

_PATIENCE = 10.0


@define
class ServerAway(Exception):
    where: str
    because: str

    def __str__(self) -> str:
        return f"no answer from {self.where}: {self.because}"


@define
class ServerRefused(Exception):
    where: str
    because: str

    def __str__(self) -> str:
        return f"{self.where} refused: {self.because}"


@frozen
class RunningServer:
    settings: Settings

    def get(self, path: str) -> dict[str, Any]:
        return self._ask("GET", path)

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        return self._ask("POST", path, json.dumps(body))

    def _ask(self, method: str, path: str, body: str | None = None) -> dict[str, Any]:
        """Raises ServerAway if there is no answer, ServerRefused if it is an error."""
        host, port = self.settings.http_host, self.settings.http_port
        connection = http.client.HTTPConnection(host, port, timeout=_PATIENCE)
        try:
            connection.request(method, path, body, self._headers())
            answer = connection.getresponse()
            told: dict[str, Any] = json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise ServerAway(f"{host}:{port}", str(error) or type(error).__name__) from error
        finally:
            connection.close()
        if answer.status >= 400 and path != HEALTH:
            raise ServerRefused(f"{host}:{port}", str(told.get("detail", answer.reason)))
        return told

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._token()}", "Content-Type": "application/json"}

    def _token(self) -> str:
        if self.settings.admin_token is not None:
            return self.settings.admin_token.get_secret_value()
        path = self.settings.data_dir / TOKEN_FILE
        return path.read_text().strip() if path.exists() else ""
