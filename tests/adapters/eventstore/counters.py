"""Streams of a counter: the smallest state there is."""

import asyncio
from collections.abc import Callable
from itertools import count
from typing import Any

from attrs import frozen

from adapters.eventstore.catalogue import Catalogue, Entry
from adapters.eventstore.codec import Codec
from adapters.eventstore.log import Log
from adapters.eventstore.mapper import Mapper
from adapters.eventstore.sealing.seals import Seals
from adapters.eventstore.snapshots import Snapshots
from adapters.eventstore.streams import LoggedStreams
from adapters.memory.keys import MemoryKeys
from adapters.memory.snapshots import MemorySnapshots
from application.caller import Caller, RequestKey
from application.idempotency import Answered
from domain.errors import Refused
from domain.streams import Category, Decision, States, Stream

ANN, BOB = Caller("ann"), Caller("bob")


@frozen
class Counted:
    by: int


@frozen
class Counter:
    total: int = 0
    facts: int = 0

    def after(self, fact: Counted) -> "Counter":
        return Counter(self.total + fact.by, self.facts + 1)


COUNTER = Category("counter", Counter())
ONE, OTHER = COUNTER.stream("one"), COUNTER.stream("other")


class TooHigh(Refused):
    pass


FACTS = Catalogue((Entry("counter.counted", Counted), Entry("request.answered", Answered)))
SNAPSHOTS = Catalogue((Entry("counter", Counter),))


def streams_on(
    log: Log, store: MemorySnapshots | None = None, every: int = 1_000_000, remembered: int = 1_000
) -> LoggedStreams:
    seals = Seals(MemoryKeys())
    ids = count(1)
    return LoggedStreams(
        log,
        Mapper(seals, Codec(FACTS, seals)),
        Snapshots(store or MemorySnapshots(), Codec(SNAPSHOTS, seals), every),
        lambda: next(ids).to_bytes(16, "big"),
        remembered,
    )


def counting(*by: int, stream: Stream[Counter] = ONE) -> Callable[[States], Decision]:
    return lambda states: {stream: [Counted(n) for n in by]}


async def total(streams: LoggedStreams, stream: Stream[Counter] = ONE) -> int:
    return (await streams.state(stream)).total


def run(story: Any) -> Any:
    return asyncio.run(story)


def keyed(key: str, fingerprint: str = "f", who: str = "ann") -> Caller:
    return Caller(who, request=RequestKey(key, fingerprint))
