"""
A trial: several processes' logs on one table, callers that append and read, and all the faults.

All share one faulty transport, so that each may see the others' transactions half done. Pauses
between attempts take no time but count as if they did: deadlines pass within milliseconds.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from random import Random

from attrs import define, field, frozen

from adapters.dynamodb.log.log import DynamoLog
from adapters.dynamodb.log.turn_polling import Manners
from adapters.dynamodb.transport.transport import Transport
from adapters.eventstore.log import LogEntry
from application.errors import Unavailable
from tests.adapters.dynamodb.log.appending import STREAMS, Appending
from tests.adapters.dynamodb.log.logs import open_log, sends_once
from tests.adapters.dynamodb.support import dynamodb_local
from tests.adapters.dynamodb.support.fast_retries import Lent, usual_layers
from tests.adapters.dynamodb.support.faulty_transport import EVERY_KIND, Fault, FaultyTransport
from tests.adapters.dynamodb.trials.history import History, LogRead, StreamRead

LOGS, CALLERS = 3, 12
PAGE = 200
READS = 0.3
"""How often a caller reads after an append."""
IMPATIENT = Manners(turn=0.01, gone=0.05, longest_wait=0.05, first_look=0.001, longest_look=0.005)
"""Turns that are often broken: nothing may rest on them."""
EVERYTHING = 1_000_000
RATES = {
    **EVERY_KIND,
    **dict.fromkeys((Fault.ARRIVES_LATE, Fault.CONFLICT, Fault.THROTTLED_ITEM), 0.08),
    Fault.PART_OF_TRANSACTION: 0.6,
    Fault.PART_OF_BATCH: 0.0,
}
"""Half a transaction can be seen only while there is one. The log sends no batches."""

Layers = Callable[[Transport, Random], Transport]
"""What lies between a log and what sends once."""
Variant = Callable[[DynamoLog], None]
"""Does something to a log that has just been opened."""


def as_it_is(log: DynamoLog) -> None:
    """The log itself, nothing broken."""


@frozen
class Told:
    """How a trial ended."""

    history: History
    log: Sequence[LogEntry]
    calls: int
    fired: Mapping[Fault, int]


@define
class Trial:
    seed: int
    least: int
    """Appends that are tried; more until every fault has fired, and every outcome come, often."""
    often: int = 0
    outcomes: Mapping[type, int] = field(factory=dict)
    most: int = 20_000
    patience: float = 5.0
    reads: float = READS
    slowest: float = 0.01
    """Seconds that a Query or a reply may take: so long others go on meanwhile."""
    streams: Sequence[str] = STREAMS
    layers: Layers = usual_layers
    variant: Variant = as_it_is
    rates: Mapping[Fault, float] = field(factory=lambda: RATES)
    history: History = field(factory=History)

    async def run(self) -> Told:
        name = dynamodb_local.unused_table("trial")
        faulty = FaultyTransport(sends_once(), self.seed, slowest=self.slowest)
        async with self._logs(name, faulty) as logs:
            # A process that cannot even start is no subject here.
            faulty.rates = self.rates
            await self._work(logs, faulty)
        return Told(self.history, await self._in_the_end(name), faulty.calls, Counter(faulty.fired))

    @asynccontextmanager
    async def _logs(self, name: str, faulty: Transport) -> AsyncIterator[Sequence[DynamoLog]]:
        async with AsyncExitStack() as stack:
            stack.push_async_callback(faulty.close)
            logs = []
            for number in range(LOGS):
                layers = self.layers(faulty, Random(f"{self.seed} {number}"))
                # Few hot streams, small blocks, little patience: what is rare happens often.
                log = open_log(
                    name,
                    Lent(layers),
                    hot_streams=8,
                    block_size=50,
                    patience=self.patience,
                    manners=IMPATIENT,
                )
                logs.append(await stack.enter_async_context(log))
                self.variant(logs[-1])
            yield logs

    # Appending and reading.

    async def _work(self, logs: Sequence[DynamoLog], faulty: FaultyTransport) -> None:
        dice = Random(self.seed)
        appending = Appending(f"{self.seed}", dice, self.streams)

        async def work(log: DynamoLog) -> None:
            while self._goes_on(appending.proposed, faulty):
                append = appending.propose()
                appending.learn(append, await self.history.append(log, append))
                if dice.random() < self.reads:
                    await self._read(log, dice)

        await asyncio.gather(*(work(logs[number % LOGS]) for number in range(CALLERS)))

    def _goes_on(self, appends: int, faulty: FaultyTransport) -> bool:
        rare = any(faulty.fired[fault] < self.often for fault, rate in self.rates.items() if rate)
        rare |= any(self.history.outcomes(kind) < least for kind, least in self.outcomes.items())
        return appends < self.least or (rare and appends < self.most)

    async def _read(self, log: DynamoLog, dice: Random) -> None:
        with suppress(Unavailable):
            await self._read_log(log, max(0, log.head_now() - dice.randrange(20)))
            await self._read_stream(log, dice.choice(self.streams), newest_first=False)
            await self._read_stream(log, dice.choice(self.streams), newest_first=True)
            if dice.random() < 0.1:
                await self._follow(log)

    async def _read_log(self, log: DynamoLog, after: int) -> None:
        began = time.monotonic_ns()
        entries = await log.read(after, EVERYTHING)
        self.history.reads.append(LogRead(began, after, entries))

    async def _follow(self, log: DynamoLog) -> None:
        """Read all of it page by page, as projections do; the last page must be up to date."""
        entries: list[LogEntry] = []
        while True:
            began = time.monotonic_ns()
            page = await log.read(len(entries), PAGE)
            entries += page
            if len(page) < PAGE:
                break
        self.history.reads.append(LogRead(began, 0, entries))

    async def _read_stream(self, log: DynamoLog, stream: str, *, newest_first: bool) -> None:
        began = time.monotonic_ns()
        entries = await log.stream(stream, newest_first=newest_first)
        self.history.reads.append(StreamRead(began, stream, entries, newest_first))

    async def _in_the_end(self, name: str) -> Sequence[LogEntry]:
        """The whole log, read by somebody who was not there; the streams must tell the same."""
        async with open_log(name) as log:
            for stream in STREAMS:
                await self._read_stream(log, stream, newest_first=False)
                await self._read_stream(log, stream, newest_first=True)
            return await log.read(0, EVERYTHING)
