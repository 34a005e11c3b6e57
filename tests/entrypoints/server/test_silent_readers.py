"""Whoever stays connected and reads nothing does not hold a connection for ever."""

import asyncio
import socket
from pathlib import Path

from entrypoints.interfaces.event_streams import SLOWEST
from entrypoints.server.serve import _listener
from entrypoints.server.tcp_timeouts import drop_the_silent
from entrypoints.settings.loading import load


def test_a_connection_that_is_not_read_can_be_closed() -> None:
    async def story() -> None:
        closed = asyncio.Event()

        async def tell(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"x" * 20_000_000)
            writer.close()
            try:
                await writer.wait_closed()
            except OSError:
                closed.set()

        listener = socket.socket()
        drop_the_silent(listener, after=0.5)
        listener.bind(("127.0.0.1", 0))
        async with await asyncio.start_server(tell, sock=listener):
            with socket.create_connection(listener.getsockname()):
                async with asyncio.timeout(60):
                    await closed.wait()

    asyncio.run(story())


def test_the_server_listens_so() -> None:
    settings = load({"STATESTORE_HTTP_PORT": "0"}, Path("no-such-file"))
    with _listener(settings) as listener:
        waits = listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
        assert waits == SLOWEST * 1000
