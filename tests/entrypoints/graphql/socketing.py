"""A websocket client of a real server, as a program would be one."""

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from attrs import frozen
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.entrypoints.server import PATIENCE, Server

PROTOCOL: Any = "graphql-transport-ws"


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
