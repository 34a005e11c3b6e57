"""
`serve` on the embedded engine in a process of its own, with all that follows the log.

Beside it, on the same event loop, a server of the same class answers empty calls: what a call costs
that does nothing. Log lines are written as a server writes them, to nowhere.
"""

import asyncio
import os
import re
import signal
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial, wraps
from multiprocessing.connection import Connection
from pathlib import Path
from time import process_time
from types import MappingProxyType
from typing import Any

# As the command does: gRPC would write a line for each process that the server starts.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

import grpc
import grpc.aio
import uvloop
from attrs import define, field, frozen

from adapters.sqlite.rows.engine import SqliteEngine
from benchmarks.measuring.processes import START, answer, process
from entrypoints import logs
from entrypoints.server.serve import serve
from entrypoints.settings.loading import load

EMPTY = "/bench/Empty"
ASKED_FOR = ("get", "query", "query_many", "query_index")
"""How tables are read."""


@frozen
class Places:
    grpc: str
    http: int
    empty: str
    token: str


@frozen
class Served:
    """A server that is up."""

    places: Places
    connection: Connection

    def cpu(self) -> float:
        """Seconds of the processor that its process took by now, with those it started."""
        return float(self._ask("cpu"))

    def waited(self) -> float:
        """Seconds by now in which its event loop could have run, but others had the cores."""
        return float(self._ask("waited"))

    def memory(self) -> int:
        """Bytes that its process holds, with those it started, if Linux tells."""
        return int(self._ask("memory"))

    def reads(self) -> Counter[str]:
        """How often the tables were read since this was asked last, by kind."""
        found: Counter[str] = self._ask("reads")
        return found

    def _ask(self, what: str) -> Any:
        self.connection.send(what)
        return answer(self.connection, START)


@contextmanager
def served(folder: Path, **more: str) -> Iterator[Served]:
    """With these settings besides, if any."""
    with process(partial(serve_store, more=more), folder) as connection:
        yield Served(answer(connection, START), connection)


# In its process.


def serve_store(
    folder: Path, parent: Connection, more: Mapping[str, str] = MappingProxyType({})
) -> None:
    environment = {
        "STATESTORE_DATA_DIR": str(folder),
        "STATESTORE_HTTP_PORT": "0",
        "STATESTORE_GRPC_PORT": "0",
        **more,
    }
    settings = load(environment, folder / "no.env")
    with (
        Path(os.devnull).open("w") as nowhere,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop,
    ):
        logs.configure(settings, nowhere)
        loop.run(_Serving(parent).run(lambda tell: serve(settings, tell)))


@define
class _Serving:
    parent: Connection
    reads: Counter[str] = field(factory=Counter)

    async def run(self, serving: Callable[[Callable[[str], None]], Awaitable[None]]) -> None:
        self._count_reads()
        empty, port = _empty_server()
        await empty.start()
        loop = asyncio.get_running_loop()
        loop.add_reader(self.parent.fileno(), self._heed)
        try:
            await serving(lambda banner: self.parent.send(_places(banner, port)))
        finally:
            loop.remove_reader(self.parent.fileno())
            await empty.stop(grace=None)

    def _heed(self) -> None:
        try:
            asked = self.parent.recv()
        except EOFError:
            asyncio.get_running_loop().remove_reader(self.parent.fileno())
            os.kill(os.getpid(), signal.SIGTERM)
            return
        self.parent.send(self._told(asked))

    def _told(self, asked: str) -> object:
        match asked:
            case "cpu":
                return process_time() + sum(map(_processor_time, _started()))
            case "waited":
                return _waited()
            case "memory":
                return _memory()
            case _:
                return self._counted()

    def _counted(self) -> Counter[str]:
        counted = Counter(self.reads)
        self.reads.clear()
        return counted

    def _count_reads(self) -> None:
        for name in ASKED_FOR:
            setattr(SqliteEngine, name, _counting(getattr(SqliteEngine, name), self.reads))


def _counting(method: Callable[..., Awaitable[Any]], counts: Counter[str]) -> Any:
    @wraps(method)
    def counted(*args: Any, **more: Any) -> Awaitable[Any]:
        counts[method.__name__] += 1
        return method(*args, **more)

    return counted


def _waited() -> float:
    """Linux tells it of the main thread; nothing elsewhere."""
    told = Path("/proc/self/schedstat")
    return int(told.read_text().split()[1]) / 1e9 if told.exists() else 0.0


def _memory() -> int:
    told = [Path(f"/proc/{one}/statm") for one in ("self", *_started())]
    pages = sum(int(one.read_text().split()[1]) for one in told if one.exists())
    return pages * os.sysconf("SC_PAGE_SIZE")


def _started() -> Sequence[str]:
    """The processes that this one has started and that run still."""
    told = Path("/proc/self/task").glob("*/children")
    return [one for each in told for one in each.read_text().split()]


def _processor_time(process: str) -> float:
    # Behind the name, which may have spaces: the 14th and 15th of all.
    spent = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, spent)) / os.sysconf("SC_CLK_TCK")


def _empty_server() -> tuple[grpc.aio.Server, int]:
    async def empty(request: bytes, context: "grpc.aio.ServicerContext[bytes, bytes]") -> bytes:
        return b""

    server = grpc.aio.server()
    handler = grpc.unary_unary_rpc_method_handler(empty)
    service, method = EMPTY.strip("/").split("/")
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(service, {method: handler}),)
    )
    return server, server.add_insecure_port("127.0.0.1:0")


def _places(banner: str, empty: int) -> Places:
    return Places(
        grpc=_told(r"gRPC +(\S+)", banner),
        http=int(_told(r"API +http://127\.0\.0\.1:(\d+)", banner)),
        empty=f"127.0.0.1:{empty}",
        token=_told(r"token +(\S+)", banner),
    )


def _told(pattern: str, banner: str) -> str:
    found = re.search(pattern, banner)
    assert found, banner
    return found[1]
