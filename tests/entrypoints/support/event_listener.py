"""Listening to a server's stream of events, as a program would."""

import http.client
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from attrs import define, field

from tests.entrypoints.support.server import PATIENCE, Server


@define
class Listener:
    """Reads block after block; at the end of the stream there is an empty one."""

    answer: http.client.HTTPResponse
    last_id: str = ""
    comments: list[str] = field(factory=list)

    def block(self) -> dict[str, str]:
        found: dict[str, str] = {}
        while (line := self.answer.readline().decode()).strip():
            name, _, value = line.rstrip("\n").partition(": ")
            if name:
                found[name] = value
            else:
                self.comments.append(value)
        self.last_id = found.get("id", self.last_id)
        return found

    def event(self) -> dict[str, Any]:
        """The next event, after whatever else is said until then."""
        while "data" not in (block := self.block()):
            assert block, "the stream ended"
        told: dict[str, Any] = json.loads(block["data"])
        assert block["event"] == told["event_type"]
        assert block["id"] == told["position"]
        return told


@contextmanager
def listening(
    server: Server, query: str = "", headers: Mapping[str, str] = {}, token: str | None = None
) -> Iterator[Listener]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    try:
        sent = {"Authorization": f"Bearer {token or server.token}", **headers}
        connection.request("GET", f"/api/v1/events{query}", headers=sent)
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        listener = Listener(answer)
        assert listener.block()["retry"] == "2000"
        yield listener
    finally:
        connection.close()
