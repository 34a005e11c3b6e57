"""Listening to the running server's events, and coming back when it was away."""

import http.client
import json
import time
from collections.abc import Callable, Iterator

from attrs import define, field

from entrypoints.cli.running_server import (
    Answer,
    Query,
    RunningServer,
    ServerAway,
    ServerRefused,
    api,
    with_query,
)

_SILENCE = 330.0
"""Seconds without a word, not even that it lives, after which the server is taken for gone."""
_PAUSE = 2.0
_UNAVAILABLE = "UNAVAILABLE"
"""The log does not answer, or too many listen."""


@define
class EventReading:
    """Remembers how far it heard, so that nothing is missed while the server is away."""

    server: RunningServer
    query: Query
    wait: Callable[[float], None] = time.sleep
    on_away: Callable[[ServerAway | ServerRefused], None] = lambda error: None
    """Told once each time that the server is waited for."""
    heard: str | None = field(default=None, init=False)
    _is_away: bool = field(default=False, init=False)

    def events(self) -> Iterator[Answer]:
        """Every event, without an end.

        Raises:
            ServerAway: The server did not answer at the start.
            ServerRefused: It refused, then or later, and not only for the moment.
        """
        while True:
            try:
                yield from self._events()
            except (ServerAway, ServerRefused) as error:
                if self.heard is None or not _may_pass(error):
                    raise
                self._tell(error)
            self.wait(_PAUSE)

    def _events(self) -> Iterator[Answer]:
        path = with_query(api("events"), self.query)
        headers = {} if self.heard is None else {"Last-Event-ID": self.heard}
        try:
            with self.server.stream(path, headers, silence=_SILENCE) as lines:
                self._is_away = False
                yield from self._read(lines)
        except (OSError, http.client.HTTPException) as error:
            where = f"{self.server.settings.http_host}:{self.server.settings.http_port}"
            raise ServerAway(where, str(error) or type(error).__name__) from error

    def _tell(self, error: ServerAway | ServerRefused) -> None:
        if not self._is_away:
            self._is_away = True
            self.on_away(error)

    def _read(self, lines: Iterator[str]) -> Iterator[Answer]:
        token, data = self.heard, ""
        for line in lines:
            name, _, value = line.partition(": ")
            if name == "id":
                token = value
            elif name == "data":
                data = value
            elif not line:
                if data:
                    yield json.loads(data)
                    data = ""
                # After it was told, so that what is told again is told twice, never not.
                self.heard = token


def _may_pass(error: ServerAway | ServerRefused) -> bool:
    return isinstance(error, ServerAway) or error.code == _UNAVAILABLE
