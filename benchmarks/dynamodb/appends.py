"""
Single-event appends to the log on DynamoDB Local: how many, and what each costs.

The rate is compared with callers that each send a transaction of two items per append through
boto3, as a log without group commit would. Units are counted by AWS's rules.
"""

import asyncio
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import uvloop
from botocore.config import Config

from adapters.dynamodb.log.log import DynamoLog
from adapters.dynamodb.log.packing import Placed, pack
from adapters.eventstore.log import NewEvent
from benchmarks.contenders import seed_layout
from benchmarks.load.local_dynamodb import dynamodb, metered_log, plain_log
from benchmarks.load.signal_events import SignalEvents, signal
from benchmarks.measuring.contest import Turn, latency_figure
from benchmarks.measuring.figures import Effort, Figure, Section, Target, amount, compared, lower
from tests.adapters.dynamodb.support import dynamodb_local
from tests.adapters.dynamodb.support.fixtures import local_session, new_table

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

CALLERS = 64
ALONE = 50
MOST_WARMING = 12
STILL_RISING = 1.05


def run(folder: Path, effort: Effort) -> Section:
    events = SignalEvents.made(folder)
    with dynamodb(), asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop:
        figures = loop.run(_measure(events, effort))
    return Section("dynamodb-appends: single events", "one boto3 transaction each", figures)


async def _measure(events: SignalEvents, effort: Effort) -> list[Figure]:
    turns: tuple[list[Turn], list[Turn]] = ([], [])
    async with plain_log() as log:
        ours, boto = Ours(log, events), Boto(events)
        await asyncio.to_thread(boto.take, _turn(effort))
        await _warmed_up(ours, effort)
        for _ in range(effort.rounds):
            turns[0].append(await ours.take(_turn(effort)))
            turns[1].append(await asyncio.to_thread(boto.take, _turn(effort)))
    together, alone = await _units_each(events, effort)
    seed = seed_layout.write_units(events.event(signal(0), 1))
    rates = [turn.rate for turn in turns[0]], [turn.rate for turn in turns[1]]
    return [
        compared(f"{CALLERS} callers", *rates, unit="appends/s", target=Target(5)),
        latency_figure(*turns),
        _units(f"write units each, {CALLERS} callers", together, seed, 2.3),
        _units("write units alone", alone, seed, 4.0),
    ]


async def _warmed_up(ours: "Ours", effort: Effort) -> None:
    """The server's Java gets faster while it runs: nothing counts before it no longer does."""
    fastest = 0.0
    for _ in range(MOST_WARMING):
        turn = await ours.take(_turn(effort))
        if turn.rate < fastest * STILL_RISING:
            return
        fastest = max(fastest, turn.rate)


async def _units_each(events: SignalEvents, effort: Effort) -> tuple[float, float]:
    """What an append costs among 64 callers, and alone. Counting takes time, so it has its own."""
    async with metered_log() as (log, meter):
        ours = Ours(log, events)
        turn = await ours.take(_turn(effort))
        together = meter.total().write / len(turn.latencies)
        meter.reset()
        await ours.alone()
        return together, meter.total().write / ALONE


def _turn(effort: Effort) -> Turn:
    return Turn("appends", CALLERS, effort.seconds)


def _units(what: str, ours: float, seed: float, most: float) -> Figure:
    """The target is of the units themselves, beside it those of the other layout."""
    target = Target(most, at_most=True)
    return Figure(
        what,
        amount(ours),
        f"{amount(seed)}, event and two tags",
        ours,
        None,
        target,
        (lower(ours, "units"),),
    )


class Ours:
    def __init__(self, log: DynamoLog, events: SignalEvents) -> None:
        self._log, self._events = log, events
        self._versions = [count(1) for _ in range(CALLERS + 1)]

    async def take(self, turn: Turn) -> Turn:
        turn.started = perf_counter()
        await asyncio.gather(*(self._call(caller, turn) for caller in range(CALLERS)))
        turn.end()
        return turn

    async def alone(self) -> None:
        """Appends that share their transaction with nobody."""
        for _ in range(ALONE):
            await self._append(CALLERS)

    async def _call(self, caller: int, turn: Turn) -> None:
        while turn.is_on():
            since = perf_counter()
            await self._append(caller)
            turn.note(since)

    async def _append(self, caller: int) -> None:
        version = next(self._versions[caller])
        await self._log.append(self._events.append(signal(caller), version))


class Boto:
    """Event and stream item, put if absent, for every append; nobody is in anybody's way."""

    def __init__(self, events: SignalEvents) -> None:
        self._events = events
        self._table = new_table("boto")
        self._numbers = count(1)
        self._client: DynamoDBClient = local_session().client(
            "dynamodb",
            endpoint_url=dynamodb_local.endpoint(),
            config=Config(max_pool_connections=CALLERS),
        )

    def take(self, turn: Turn) -> Turn:
        with ThreadPoolExecutor(CALLERS) as threads:
            turn.started = perf_counter()
            _all(threads.map(lambda caller: self._call(caller, turn), range(CALLERS)))
            turn.end()
        return turn

    def _call(self, caller: int, turn: Turn) -> None:
        while turn.is_on():
            since, number = perf_counter(), next(self._numbers)
            event = self._events.event(signal(caller), number)
            self._client.transact_write_items(TransactItems=self._puts(event, number))
            turn.note(since)

    def _puts(self, event: NewEvent, number: int) -> Any:
        stored = {"e": {"B": pack([Placed(0, event)], "")}, "at": {"N": "1768470000000"}}
        return [
            {
                "Put": {
                    "TableName": self._table,
                    "Item": {"PK": {"S": pk}, "SK": {"N": str(number)}, **stored},
                    "ConditionExpression": "attribute_not_exists(PK)",
                }
            }
            for pk in (f"L#{number}", f"S#{event.stream}")
        ]


def _all(results: Iterable[None]) -> None:
    for _ in results:
        pass
