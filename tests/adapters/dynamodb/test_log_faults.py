"""Several writers, everything going wrong: nothing is lost, nothing is stored twice."""

import asyncio
from collections import Counter, defaultdict
from contextlib import AsyncExitStack
from random import Random

import pytest
from attrs import define, field

from adapters.dynamodb.log import DynamoLog
from adapters.eventstore.log import Append, LogEntry, NewEvent, Receipt, StreamConflict
from application.errors import OutcomeUnknown, Unavailable
from tests.adapters.dynamodb import local
from tests.adapters.dynamodb.faults import EVERY_KIND, FaultyTransport
from tests.adapters.dynamodb.logs import open_log, retrying, sends_once
from tests.scale import scaled

STREAMS = [f"s-{n}" for n in range(6)]
WRITERS, APPENDS = 4, 12


@define
class History:
    """What the writers were told."""

    stored: dict[bytes, Receipt] = field(factory=dict)
    refused: set[bytes] = field(factory=set)
    unknown: set[bytes] = field(factory=set)


async def write(log: DynamoLog, dice: Random, history: History) -> None:
    """Append to one or two streams at the versions that are believed to come next."""
    for _ in range(APPENDS):
        event_id = dice.randbytes(8)
        streams = dice.sample(STREAMS, dice.choice((1, 1, 2)))
        try:
            events = [
                NewEvent(stream, (await log.last_version(stream) or 0) + 1, "x", b"d", event_id)
                for stream in streams
            ]
            history.stored[event_id] = await log.append(Append(events))
        except (StreamConflict, Unavailable):
            history.refused.add(event_id)
        except OutcomeUnknown:
            history.unknown.add(event_id)


async def play(seed: int) -> tuple[History, list[LogEntry], Counter[str]]:
    app, history, fired = local.unused_table("faults"), History(), Counter[str]()
    async with AsyncExitStack() as open_logs:
        logs, faults = [], []
        for process in range(2):
            faulty = FaultyTransport(sends_once(), seed=seed * 10 + process)
            faults.append(faulty)
            log = open_log(app, retrying(faulty), block_size=40, patience=20.0)
            logs.append(await open_logs.enter_async_context(log))
        for faulty in faults:
            faulty.rates = EVERY_KIND
        await asyncio.gather(
            *(write(logs[n % 2], Random(seed * 100 + n), history) for n in range(WRITERS))
        )
        for faulty in faults:
            faulty.rates = {}
            fired.update(faulty.fired)
        entries = list(await logs[0].read(0, 10_000))
        await must_agree(logs[1], entries)
    return history, entries, fired


async def must_agree(log: DynamoLog, entries: list[LogEntry]) -> None:
    """Streams hold what the log holds."""
    by_stream: defaultdict[str, list[LogEntry]] = defaultdict(list)
    for entry in entries:
        by_stream[entry.stream].append(entry)
    for stream in STREAMS:
        assert list(await log.stream(stream)) == by_stream[stream]


@pytest.mark.parametrize("seed", range(1, scaled(3, 40)))
def test_whatever_goes_wrong_the_answers_are_true(seed: int) -> None:
    history, entries, fired = asyncio.run(play(seed))

    assert [e.position for e in entries] == list(range(1, len(entries) + 1))
    assert [e.recorded_at for e in entries] == sorted(e.recorded_at for e in entries)
    for stream in STREAMS:
        versions = [e.version for e in entries if e.stream == stream]
        assert versions == list(range(1, len(versions) + 1))
    found: defaultdict[bytes, list[int]] = defaultdict(list)
    for entry in entries:
        found[entry.event_id].append(entry.position)
    for event_id, receipt in history.stored.items():
        assert found[event_id] == list(range(receipt.first, receipt.last + 1))
    assert not history.refused & found.keys()
    assert found.keys() - history.stored.keys() <= history.unknown
    assert len(history.stored) > APPENDS
    assert len(fired) >= 6
