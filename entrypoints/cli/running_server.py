"""Talking to the server that owns the data folder."""

import http.client
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote, urlencode

from attrs import define, frozen

from adapters.tokens.admin_token import TOKEN_FILE
from entrypoints.settings.loading import Settings

HEALTH = "/health"
"""The one answer that is worth reading, whatever its status."""

UNAUTHENTICATED = "UNAUTHENTICATED"

_PATIENCE = 30.0
"""Longer than the server takes for its largest batch on a busy machine."""

Answer = dict[str, Any]
Query = Mapping[str, str | int | Sequence[str] | None]
"""Parameters; those that are nothing are not sent, those that are lists are repeated."""


@define
class ServerAway(Exception):
    where: str
    reason: str

    def __str__(self) -> str:
        return f"no answer from {self.where}: {self.reason}"


@define
class ServerRefused(Exception):
    """`code` is the stable one of the problem document, empty if there was none."""

    where: str
    reason: str
    code: str = ""

    def __str__(self) -> str:
        return f"{self.where} refused: {self.reason}"


def api(*parts: str) -> str:
    """The path of what the parts name; whatever they contain, they stay one part each."""
    return "/".join(["/api/v1", *(quote(part, safe=":") for part in parts)])


def with_query(path: str, query: Query) -> str:
    said = {name: value for name, value in query.items() if value not in (None, [])}
    return f"{path}?{urlencode(said, doseq=True)}" if said else path


@frozen
class RunningServer:
    """Every request raises ServerAway without an answer, ServerRefused if it is an error."""

    settings: Settings

    @property
    def base(self) -> str:
        """The address, as a browser takes it."""
        host, port = self.settings.http_host, self.settings.http_port
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    def get(self, path: str, query: Query | None = None) -> Answer:
        return self.ask("GET", with_query(path, query or {}))

    def post(self, path: str, body: Answer) -> Answer:
        return self.ask("POST", path, body)

    def patch(self, path: str, body: Answer) -> Answer:
        return self.ask("PATCH", path, body)

    def ask(self, method: str, path: str, body: Answer | list[Answer] | None = None) -> Answer:
        host, port = self.settings.http_host, self.settings.http_port
        connection = http.client.HTTPConnection(host, port, timeout=_PATIENCE)
        try:
            content = None if body is None else json.dumps(body)
            connection.request(method, path, content, self._headers())
            answer = connection.getresponse()
            told: Answer = json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise ServerAway(f"{host}:{port}", str(error) or type(error).__name__) from error
        finally:
            connection.close()
        if answer.status >= 400 and path != HEALTH:
            raise _refused(f"{host}:{port}", answer, told)
        return told

    def lines(self, path: str, body: Answer) -> Iterator[Answer]:
        """What the server tells line by line while it works."""
        host, port = self.settings.http_host, self.settings.http_port
        connection = http.client.HTTPConnection(host, port, timeout=_PATIENCE)
        try:
            connection.request("POST", path, json.dumps(body), self._headers())
            answer = connection.getresponse()
            if answer.status >= 400:
                raise _refused(f"{host}:{port}", answer, json.loads(answer.read()))
            yield from map(json.loads, answer)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise ServerAway(f"{host}:{port}", str(error) or type(error).__name__) from error
        finally:
            connection.close()

    @contextmanager
    def stream(
        self, path: str, headers: Mapping[str, str], *, silence: float
    ) -> Iterator[Iterator[str]]:
        """The lines of an answer that goes on, while the server is silent no longer than that.

        Raises:
            OSError: It does not answer, or was silent for longer.
            HTTPException: The answer broke off.
        """
        host, port = self.settings.http_host, self.settings.http_port
        connection = http.client.HTTPConnection(host, port, timeout=silence)
        try:
            connection.request("GET", path, headers={**self._headers(), **headers})
            answer = connection.getresponse()
            if answer.status >= 400:
                raise _refused(f"{host}:{port}", answer, json.loads(answer.read()))
            yield (line.decode().rstrip("\n") for line in answer)
        finally:
            connection.close()

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._token()}", "Content-Type": "application/json"}

    def _token(self) -> str:
        if self.settings.admin_token is not None:
            return self.settings.admin_token.get_secret_value()
        path = self.settings.data_dir / TOKEN_FILE
        return path.read_text().strip() if path.exists() else ""


def _refused(where: str, answer: http.client.HTTPResponse, told: Answer) -> ServerRefused:
    reason = str(told.get("detail", answer.reason))
    return ServerRefused(where, reason, str(told.get("code", "")))
