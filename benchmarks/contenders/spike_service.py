"""
The service of the spike: bytes in, bytes out, no generated code, served by asyncio or by threads.

    /spike/Empty     answers at once
    /spike/Durable   appends one event and answers with its position
    /spike/Batch     appends fifty events of fifty streams, each by itself, as batches of updates do

A request begins with the number of its caller, who waits for each answer: so the service can
count the versions of the caller's streams itself.
"""

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import uvloop
from attrs import define, field

from adapters.eventstore.log import Append, NewEvent, Receipt
from adapters.sqlite.connection.database import Database
from adapters.sqlite.log.log import SqliteLog

METHODS = ("Empty", "Durable", "Batch")
BATCH = 50
EVENT_BYTES = 300
THREADS = 64
LOOPBACK = "127.0.0.1:0"


@define
class Work:
    """What a request asks for, whoever carries it out."""

    log: SqliteLog
    _versions: dict[str, int] = field(factory=dict)

    def appends(self, request: bytes) -> list[Append]:
        caller, events = request[:2].hex(), request[2:]
        parts = range(0, len(events), EVENT_BYTES)
        return [self._append(f"{caller}-{at}", events[at : at + EVENT_BYTES]) for at in parts]

    def _append(self, stream: str, data: bytes) -> Append:
        version = self._versions[stream] = self._versions.get(stream, 0) + 1
        return Append([NewEvent(stream, version, "spike.called", data, bytes(16))])


def _answer(receipts: Iterable[Receipt]) -> bytes:
    return max(receipt.last for receipt in receipts).to_bytes(8)


# On an event loop.


def serve_asyncio(folder: Path, parent: Connection) -> None:
    with Database.open(folder / "spike.db") as database:
        uvloop.run(_serve(Work(SqliteLog(database)), parent))


async def _serve(work: Work, parent: Connection) -> None:
    async def empty(request: bytes, context: "grpc.aio.ServicerContext[bytes, bytes]") -> bytes:
        return b""

    async def durable(request: bytes, context: "grpc.aio.ServicerContext[bytes, bytes]") -> bytes:
        (append,) = work.appends(request)
        return _answer([await work.log.append(append)])

    async def batch(request: bytes, context: "grpc.aio.ServicerContext[bytes, bytes]") -> bytes:
        return _answer(await asyncio.gather(*map(work.log.append, work.appends(request))))

    server = grpc.aio.server()
    server.add_generic_rpc_handlers((_handlers(empty, durable, batch),))
    parent.send(server.add_insecure_port(LOOPBACK))
    await server.start()
    await _told_to_stop(parent)
    await server.stop(grace=None)


async def _told_to_stop(parent: Connection) -> None:
    told = asyncio.Event()
    asyncio.get_running_loop().add_reader(parent.fileno(), told.set)
    await told.wait()
    asyncio.get_running_loop().remove_reader(parent.fileno())


# On threads.


def serve_threads(folder: Path, parent: Connection) -> None:
    with Database.open(folder / "spike.db") as database:
        work = Work(SqliteLog(database))

        def empty(request: bytes, context: grpc.ServicerContext) -> bytes:
            return b""

        def durable_or_batch(request: bytes, context: grpc.ServicerContext) -> bytes:
            waiting = [work.log.submit(append) for append in work.appends(request)]
            return _answer(future.result() for future in waiting)

        server = grpc.server(ThreadPoolExecutor(THREADS))
        server.add_generic_rpc_handlers((_handlers(empty, durable_or_batch, durable_or_batch),))
        parent.send(server.add_insecure_port(LOOPBACK))
        server.start()
        parent.poll(None)
        server.stop(grace=None).wait()


def _handlers(*handlers: Callable[..., Any]) -> "grpc.GenericRpcHandler[Any, Any]":
    methods = zip(METHODS, handlers, strict=True)
    return grpc.method_handlers_generic_handler(
        "spike", {name: grpc.unary_unary_rpc_method_handler(handler) for name, handler in methods}
    )
