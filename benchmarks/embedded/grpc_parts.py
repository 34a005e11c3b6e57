"""
What the parts of a single gRPC call cost the server: calls that go so far and no further, in turns.

Each line is the processor time of a call that does all of the lines above it, and what it adds to
them. The last lines are the calls as they are served.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median

import grpc
import uvloop
from attrs import frozen

from benchmarks.embedded.grpc_updates import MOST_SINGLY, warm_up
from benchmarks.load.load_client import carry_out
from benchmarks.load.loads import Load
from benchmarks.load.prepared import READ, UPDATE, Windows, reads
from benchmarks.load.serving import EMPTY, Served, serve_store
from benchmarks.load.stocked import Bench, stocked
from benchmarks.measuring.figures import Effort, Figure, Section, lower
from benchmarks.measuring.processes import START, answer, process
from entrypoints.container import Container
from entrypoints.grpc.messages.signals_pb2 import GetSignalStateRequest, UpdateSignalStateRequest
from entrypoints.grpc.server import server, services
from entrypoints.grpc.server.call_handling import Context, Surroundings
from entrypoints.grpc.server.metadata import Heard
from entrypoints.grpc.signals.messages import signal_report
from entrypoints.grpc.signals.service import SignalStateService

Handle = Callable[[bytes, Context], Awaitable[bytes]]

_READ_LINES = (
    (EMPTY, "an empty call"),
    ("/parts/Surrounded", "metadata, request id, deadline, counting, log line"),
    ("/parts/Identified", "who calls"),
    ("/parts/ReadRequest", "the request of a read"),
    ("/parts/ReadCard", "the use case and the answer's message, without the bytes of it"),
    (READ, "a whole read"),
)
_UPDATE_LINES = (
    ("/parts/Identified", "as far as who calls"),
    ("/parts/UpdateRequest", "the request of an update, as a report"),
    ("/parts/Task", "a task that ends whatever becomes of the caller"),
    (UPDATE, "a whole update, with all that follows from it"),
)


def run(folder: Path, effort: Effort) -> Section:
    with _bench(folder / "grpc-parts") as ground:
        costs = _Costs(ground, Windows(), effort).taken()
    figures = [*_figures(_READ_LINES, costs), *_figures(_UPDATE_LINES, costs)]
    return Section("grpc-parts: processor time of a call", "what it adds", figures)


def _figures(lines: Sequence[tuple[str, str]], costs: Mapping[str, float]) -> Iterator[Figure]:
    before = 0.0
    for method, what in lines:
        yield Figure(
            what,
            f"{costs[method]:,.0f} µs",
            f"{costs[method] - before:+,.0f} µs",
            measures=(lower(costs[method], "µs"),),
        )
        before = costs[method]


@frozen
class _Costs:
    ground: Bench
    windows: Windows
    effort: Effort

    def taken(self) -> Mapping[str, float]:
        """Microseconds of a call, by method: the median of the rounds."""
        self.ground.take(warm_up(self.windows))
        methods = dict.fromkeys(method for method, _ in (*_READ_LINES, *_UPDATE_LINES))
        rounds = [{one: self._of(one) for one in methods} for _ in range(self.effort.rounds)]
        return {one: median(costs[one] for costs in rounds) for one in methods}

    def _of(self, method: str) -> float:
        self.ground.caught_up()
        load, before = self._load(method), self.ground.server.cpu()
        (taken,) = self.ground.take(load)
        self.ground.caught_up()
        return (self.ground.server.cpu() - before) / len(taken.latencies) * 1e6

    def _load(self, method: str) -> Load:
        seconds, writes = self.effort.seconds, method == UPDATE
        if writes or method in ("/parts/UpdateRequest", "/parts/Task"):
            requests = self.windows.singly(int(seconds * MOST_SINGLY))
        else:
            requests = reads()
        return Load(method, method, requests, seconds, again=not writes, empty=method == EMPTY)


@contextmanager
def _bench(folder: Path) -> Iterator[Bench]:
    uvloop.run(stocked(folder))
    with process(_serve, folder) as connection:
        served = Served(answer(connection, START), connection)
        with process(carry_out, served.places) as client:
            answer(client, START)
            yield Bench(served, client)


# In the process of the server.


def _serve(folder: Path, parent: Connection) -> None:
    usual = services.all_services
    # Beside the services that there are, on the same port.
    vars(server)["all_services"] = lambda container: [*usual(container), _parts(container)]
    serve_store(folder, parent)


def _parts(container: Container) -> "grpc.GenericRpcHandler[bytes, bytes]":
    around = Surroundings(container.grpc_calls(), container.identities(), container.new_id())
    signals = SignalStateService(container.use_cases(), container.page_secret())

    async def surrounded(sent: bytes, heard: Heard) -> bytes:
        return b""

    async def identified(sent: bytes, heard: Heard) -> bytes:
        around.identified(heard)
        return b""

    async def read_request(sent: bytes, heard: Heard) -> bytes:
        around.identified(heard)
        GetSignalStateRequest.FromString(sent)
        return b""

    async def read_card(sent: bytes, heard: Heard) -> bytes:
        call = around.call(around.identified(heard))
        await signals.get_signal_state(GetSignalStateRequest.FromString(sent), call)
        return b""

    async def update_request(sent: bytes, heard: Heard) -> bytes:
        around.identified(heard)
        signal_report(UpdateSignalStateRequest.FromString(sent))
        return b""

    async def task(sent: bytes, heard: Heard) -> bytes:
        return await around.calls.to_the_end(update_request(sent, heard))

    parts = {
        "Surrounded": surrounded,
        "Identified": identified,
        "ReadRequest": read_request,
        "ReadCard": read_card,
        "UpdateRequest": update_request,
        "Task": task,
    }
    methods = {
        name: grpc.unary_unary_rpc_method_handler(_handle(around, f"/parts/{name}", part))
        for name, part in parts.items()
    }
    return grpc.method_handlers_generic_handler("parts", methods)


def _handle(
    around: Surroundings, method: str, part: Callable[[bytes, Heard], Awaitable[bytes]]
) -> Handle:
    async def handle(sent: bytes, context: Context) -> bytes:
        return await around.surround(method, context, partial(part, sent), b"")

    return handle
