"""
The spike behind the server model: gRPC calls answered on an event loop or by threads.

Server and client have a process each, so that each has a core. Nothing is promised here: the
figures stand beside those that the design was decided on.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import Connection
from pathlib import Path

from benchmarks.contenders.spike_client import Rates, call
from benchmarks.contenders.spike_service import BATCH, METHODS, serve_asyncio, serve_threads
from benchmarks.measuring.figures import Effort, Figure, Section, compared
from benchmarks.measuring.processes import START, answer, process

MODELS: Mapping[str, Callable[[Path, Connection], None]] = {
    "asyncio": serve_asyncio,
    "threads": serve_threads,
}
DESIGN = {
    "Empty": ("empty calls", "5,100", "4,300"),
    "Durable": ("durable calls", "2,260–2,500", "1,290–1,690"),
    "Batch": (f"updates in batches of {BATCH}", "18,700–19,600", "13,000–15,700"),
}


def run(folder: Path, effort: Effort) -> Section:
    rounds = min(effort.rounds, 3)
    with ExitStack() as processes:
        ports = {
            model: processes.enter_context(_server(serve, folder / f"spike-{model}"))
            for model, serve in MODELS.items()
        }
        rates = _rates(ports, rounds, effort.seconds)
    figures = [figure for method in METHODS for figure in _figures(method, rates)]
    return Section("server: gRPC on asyncio", "on threads", figures)


def _figures(method: str, rates: Rates) -> Iterator[Figure]:
    what, asyncio_then, threads_then = DESIGN[method]
    each = BATCH if method == "Batch" else 1
    ours, threads = ([rate * each for rate in rates[model, method]] for model in MODELS)
    yield compared(what, ours, threads, unit="/s")
    yield Figure("… when it was designed", f"{asyncio_then} /s", f"{threads_then} /s")


def _rates(ports: Mapping[str, int], rounds: int, seconds: float) -> Rates:
    with process(call, ports, rounds, seconds) as client:
        longest = len(MODELS) * len(METHODS) * rounds * (seconds + 2) + START
        rates: Rates = answer(client, longest)
        return rates


@contextmanager
def _server(serve: Callable[[Path, Connection], None], folder: Path) -> Iterator[int]:
    """A server that listens; gives its port."""
    folder.mkdir()
    with process(serve, folder) as server:
        port: int = answer(server, START)
        yield port
