"""Processes of a benchmark: who serves and who calls have one each, so that each has a core."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any

START, STOP = 60.0, 20.0

_spawning = get_context("spawn")


@contextmanager
def process(target: Callable[..., None], *arguments: Any) -> Iterator[Connection]:
    """A process that is given the other end of this connection, and ended afterwards."""
    ours, theirs = _spawning.Pipe()
    started = _spawning.Process(target=target, args=(*arguments, theirs), daemon=True)
    started.start()
    theirs.close()
    try:
        yield ours
    finally:
        ours.close()
        _end(started)


def answer(connection: Connection, timeout: float) -> Any:
    if not connection.poll(timeout):
        raise TimeoutError("a process of the benchmark does not answer")
    return connection.recv()


def _end(process: SpawnProcess) -> None:
    """A closed connection asks it to stop; who does not is made to."""
    process.join(STOP)
    if process.is_alive():
        process.kill()
        process.join()
