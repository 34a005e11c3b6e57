"""Several processes on one log, and processes that are killed (S2-47)."""

import asyncio
from collections.abc import Sequence
from itertools import islice
from random import Random

import pytest

from adapters.eventstore.log import LogEntry
from tests.adapters.dynamodb.log.logs import open_log
from tests.adapters.dynamodb.support import dynamodb_local
from tests.adapters.dynamodb.trials.history import Attempt, History
from tests.adapters.dynamodb.trials.history_check import violations
from tests.adapters.dynamodb.trials.log_processes import attempts, together, worker
from tests.support.scale import scaled

WRITERS = 4
KILLS = scaled(4, 60)
CALLERS = 16


def whole(log: str) -> Sequence[LogEntry]:
    async def read() -> Sequence[LogEntry]:
        async with open_log(log) as opened:
            return await opened.read(0, 1_000_000)

    return asyncio.run(read())


def test_several_processes_write_one_gapless_log() -> None:
    log = dynamodb_local.unused_table("shared")
    done = together(log, WRITERS, callers=CALLERS, seconds=scaled(1, 30))
    kept = whole(log)
    assert violations(History(list(done)), kept) == []
    assert len({entry.stream.split("-")[0] for entry in kept}) == WRITERS


@pytest.mark.parametrize("seed", range(scaled(1, 5)))
def test_a_killed_process_has_stored_what_it_acknowledged(seed: int) -> None:
    """Each successor goes on where the last one was killed, in the middle of a group."""
    dice, log = Random(seed), dynamodb_local.unused_table("killed")
    done: list[Attempt] = []
    for _ in range(KILLS):
        with worker(log, "p", callers=CALLERS, seconds=600) as victim:
            victim.be_ready()
            victim.begin()
            list(islice(victim.lines(), dice.randrange(1, 400)))
            victim.kill()
            victim.end()
            done += attempts(victim.said)
    kept = whole(log)
    assert violations(History(done), kept) == []
    assert sum(attempt.outcome is None for attempt in done) >= KILLS
    assert sum(attempt.acknowledged for attempt in done) >= KILLS
