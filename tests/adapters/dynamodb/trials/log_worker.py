"""
A process that appends to a log on DynamoDB Local, and says what it does while it does it.

    python -m tests.adapters.dynamodb.trials.log_worker ENDPOINT TABLE LOG NAME CALLERS SECONDS

It prints `ready` and begins when its input ends. Every caller appends single events to a stream of
its own, where the stream ends. A line is printed before each append and after it: what has been
printed survives the process.
"""

import asyncio
import json
import os
import sys
import time
from random import Random
from typing import Any
from zlib import crc32

import uvloop

from adapters.dynamodb.items.item_table import ItemTable
from adapters.dynamodb.log.log import DynamoLog
from adapters.dynamodb.transport.http_transport import HttpTransport
from adapters.eventstore.log import Append, NewEvent, Receipt
from tests.adapters.dynamodb.log.logs import retrying
from tests.adapters.dynamodb.support.fixtures import REGION, FixedCredentials
from tests.adapters.dynamodb.trials.history import outcome_of

_DICE = Random(2026)
DATA = [
    json.dumps({"state": "OK", "seen": _DICE.randbytes(_DICE.randint(20, 250)).hex()}).encode()
    for _ in range(250)
]
"""Of different lengths, and hardly to be compressed, as facts are."""


async def work(
    endpoint: str, table: str, log_name: str, name: str, callers: int, seconds: float
) -> None:
    transport = retrying(HttpTransport(endpoint, REGION, FixedCredentials()))
    log = DynamoLog(ItemTable(transport, table), log_name)
    try:
        await log.open()
        say("ready")
        await asyncio.to_thread(sys.stdin.read)
        ends = time.monotonic() + seconds
        await asyncio.gather(*(call(log, f"{name}-{number}", ends) for number in range(callers)))
        await log.close()
    finally:
        await transport.close()


async def call(log: DynamoLog, stream: str, ends: float) -> None:
    version = await log.last_version(stream) or 0
    while time.monotonic() < ends:
        version += 1
        event = said_event(stream, version, f"{stream}/{version}/{os.getpid()}")
        began = time.monotonic_ns()
        say("begins", stream, version, event.event_id.decode(), began)
        outcome = await outcome_of(log, Append([event]))
        ended = time.monotonic_ns()
        if isinstance(outcome, Receipt):
            at = outcome.recorded_at.isoformat()
            say("stored", event.event_id.decode(), ended, outcome.first, outcome.last, at)
        else:
            say("failed", event.event_id.decode(), ended, type(outcome).__name__, str(outcome))
            version = await log.last_version(stream) or 0


def said_event(stream: str, version: int, event_id: str) -> NewEvent:
    data = DATA[crc32(event_id.encode()) % len(DATA)]
    return NewEvent(stream, version, "thing.happened", data, event_id.encode())


def say(*words: Any) -> None:
    # One write of a short line is never torn by a kill.
    os.write(sys.stdout.fileno(), json.dumps(words).encode() + b"\n")


if __name__ == "__main__":
    endpoint, table, log_name, name, callers, seconds = sys.argv[1:]
    uvloop.run(work(endpoint, table, log_name, name, int(callers), float(seconds)))
