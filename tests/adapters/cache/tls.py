"""TLS before a real Redis server: the one of the tests is built without it."""

import asyncio
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Thread


@contextmanager
def encrypted(port: int, files: tuple[Path, Path]) -> Iterator[int]:
    """Shows the certificate to whoever connects, and passes on what it hears; tells its port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*files)
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever)
    thread.start()
    listening = asyncio.start_server(partial(_forward, port), "127.0.0.1", 0, ssl=context)
    server = asyncio.run_coroutine_threadsafe(listening, loop).result()
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        asyncio.run_coroutine_threadsafe(_end(server), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _forward(port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    behind, to_behind = await asyncio.open_connection("127.0.0.1", port)
    try:
        await asyncio.gather(_pump(reader, to_behind), _pump(behind, writer))
    finally:
        writer.close()
        to_behind.close()


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while content := await source.read(65536):
            sink.write(content)
            await sink.drain()
    sink.close()


async def _end(server: asyncio.Server) -> None:
    server.close()
    forwarding = asyncio.all_tasks() - {asyncio.current_task()}
    for task in forwarding:
        task.cancel()
    await asyncio.gather(*forwarding, return_exceptions=True)
