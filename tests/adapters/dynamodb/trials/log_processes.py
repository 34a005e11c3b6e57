"""Processes that append to one log, what they said put together as one history."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from attrs import evolve

from adapters.eventstore.log import Append, Receipt, StreamConflict
from application.errors import OutcomeUnknown, Unavailable
from tests.adapters.dynamodb.log.logs import shared_table
from tests.adapters.dynamodb.support import dynamodb_local
from tests.adapters.dynamodb.trials.history import Attempt, Outcome
from tests.adapters.dynamodb.trials.log_worker import said_event

ROOT = Path(__file__).parents[4]
PATIENCE = 60.0


class Worker:
    def __init__(self, log: str, name: str, *, callers: int, seconds: float) -> None:
        told = (dynamodb_local.endpoint(), shared_table(), log, name, str(callers), str(seconds))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.adapters.dynamodb.trials.log_worker", *told],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.said: list[list[Any]] = []

    def be_ready(self) -> None:
        assert next(self.lines()) == ["ready"]

    def begin(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def lines(self) -> Iterator[list[Any]]:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            words = json.loads(line)
            self.said.append(words)
            yield words

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)

    def end(self) -> None:
        """Take in what it still says, and wait for it."""
        for _ in self.lines():
            pass
        self.process.wait(PATIENCE)

    def stop(self) -> None:
        """However a test ends, nothing of it stays."""
        self.process.kill()
        self.process.wait(PATIENCE)
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()


@contextmanager
def worker(log: str, name: str, *, callers: int, seconds: float) -> Iterator[Worker]:
    started = Worker(log, name, callers=callers, seconds=seconds)
    try:
        yield started
    finally:
        started.stop()


def together(log: str, count: int, *, callers: int, seconds: float) -> Sequence[Attempt]:
    """What so many processes did that began at the same time."""
    with ExitStack() as stack:
        workers = [
            stack.enter_context(worker(log, f"p{n}", callers=callers, seconds=seconds))
            for n in range(count)
        ]
        for one in workers:
            one.be_ready()
        for one in workers:
            one.begin()
        with ThreadPoolExecutor(count) as listening:
            list(listening.map(Worker.end, workers))
        assert [one.process.returncode for one in workers] == [0] * count
        return [attempt for one in workers for attempt in attempts(one.said)]


def attempts(said: Iterable[Sequence[Any]]) -> list[Attempt]:
    """An append that was begun and never ended has an unknown outcome."""
    begun: dict[str, Attempt] = {}
    for kind, *words in said:
        match kind, words:
            case "begins", [stream, version, name, began]:
                begun[name] = Attempt(Append([said_event(stream, version, name)]), began)
            case "stored", [name, ended, first, last, at]:
                receipt = Receipt(first, last, datetime.fromisoformat(at))
                begun[name] = evolve(begun[name], ended=ended, outcome=receipt)
            case "failed", [name, ended, error, reason]:
                outcome = _error(begun[name].append, error, reason)
                begun[name] = evolve(begun[name], ended=ended, outcome=outcome)
    return list(begun.values())


def _error(append: Append, name: str, reason: str) -> Outcome:
    match name:
        case "StreamConflict":
            return StreamConflict(append.events[0].stream, append.events[0].version, None)
        case "Unavailable":
            return Unavailable("the log", reason)
    return OutcomeUnknown("the log", reason)
