"""A websocket client of a real server, as a program would be one."""

import json
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from attrs import frozen
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.entrypoints.server.test_events import CLICKS, ORDERS, evaluate
from tests.entrypoints.support.event_listener import listening as to_events
from tests.entrypoints.support.reports import dataset
from tests.entrypoints.support.server import PATIENCE, Server, serving

PROTOCOL: Any = "graphql-transport-ws"
FEW = 4

SIGNALS = """subscription($after: String, $urns: [String!], $states: [SignalStateEnum!]) {
  signalChanges(after: $after, datasetUrns: $urns, states: $states) {
    position eventId recordedAt datasetUrn signalType previousState state version
    signal { state dataset { ownerTeam } answer { position } }
  }
}"""


@frozen
class Socket:
    connection: ClientConnection

    def say(self, **message: Any) -> None:
        self.connection.send(json.dumps(message))

    def subscribe(self, name: str, query: str, **variables: Any) -> None:
        self.say(type="subscribe", id=name, payload={"query": query, "variables": variables})

    def hear(self) -> dict[str, Any]:
        """The next message that is not a ping."""
        while True:
            message: dict[str, Any] = json.loads(self.connection.recv(PATIENCE))
            if message["type"] != "ping":
                return message
            self.say(type="pong")

    def told(self, name: str) -> Any:
        """The data of the next answer."""
        message = self.hear()
        assert (message["type"], message["id"]) == ("next", name), message
        assert "errors" not in message["payload"], message
        return message["payload"]["data"]

    def closed(self) -> tuple[int, str]:
        """How it ends."""
        with suppress(ConnectionClosed):
            while True:
                self.connection.recv(PATIENCE)
        ended = self.connection.protocol.close_rcvd
        assert ended is not None, "the line was dropped"
        return ended.code, ended.reason


@contextmanager
def connected(server: Server, **more: Any) -> Iterator[Socket]:
    """A socket on which nothing was said."""
    address = f"ws://127.0.0.1:{server.port}/graphql"
    asked = {"subprotocols": [PROTOCOL], "open_timeout": PATIENCE, "close_timeout": 5, **more}
    with connect(address, **asked) as connection:
        yield Socket(connection)


@contextmanager
def listening(server: Server, token: str | None = None) -> Iterator[Socket]:
    """A socket on which questions can be asked."""
    with connected(server) as socket:
        bearer = f"Bearer {token or server.token}"
        socket.say(type="connection_init", payload={"Authorization": bearer})
        assert socket.hear() == {"type": "connection_ack"}
        yield socket


@contextmanager
def few_may_listen(folder: Path) -> Iterator[Server]:
    settings = {
        "STATESTORE_MAX_EVENT_STREAMS": str(FEW),
        "STATESTORE_EVENT_HEARTBEAT_SECONDS": "0.3",
    }
    with serving(folder / "var", STATESTORE_ENGINE="memory", **settings) as started:
        for urn in (ORDERS, CLICKS):
            assert started.ask("POST", "/api/v1/datasets", dataset(urn)).status == 201
        yield started


def change(server: Server, window: int, state: str, urn: str = ORDERS) -> str:
    position: str = evaluate(server, window, state, urn)["position"]
    return position


def wait_until(server: Server, listeners: int) -> None:
    """Until so many listen: however many more can be, the others do."""
    deadline = time.monotonic() + 30
    while (found := FEW - _room(server)) != listeners:
        assert time.monotonic() < deadline, f"{found} listen, not {listeners}"


def _room(server: Server) -> int:
    """How many more may listen. Whoever tried is gone afterwards."""
    before = handles(server)
    try:
        with ExitStack() as others:
            for room in range(FEW + 1):
                try:
                    others.enter_context(to_events(server))
                except AssertionError:
                    return room
        raise AssertionError("more than may listen do")
    finally:
        wait_for_handles(server, before)


def resident(server: Server) -> int:
    """Bytes of memory that the server holds."""
    pages = Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def handles(server: Server) -> int:
    """How many files and connections the server has open."""
    return len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))


def wait_for_handles(server: Server, most: int) -> None:
    deadline = time.monotonic() + 30
    while (found := handles(server)) > most:
        assert time.monotonic() < deadline, f"{found} are open, not {most}"
