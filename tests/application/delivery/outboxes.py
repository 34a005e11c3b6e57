"""Outboxes on stories, with sinks that do as they are told."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from attrs import define, field

from adapters.eventstore.mapper import Mapper
from adapters.eventstore.sealing.seals import Seals
from adapters.eventstore.snapshots import Snapshots
from adapters.eventstore.streams import LoggedStreams
from adapters.memory.keys import MemoryKeys
from adapters.memory.leases import OwnLeases
from adapters.memory.log import MemoryLog
from adapters.memory.snapshots import MemorySnapshots
from adapters.system.ulids import Ulids
from application.delivery.event import Event
from application.delivery.outbox import Outbox, outbox_subscription
from application.delivery.retry_policy import Manners
from application.delivery.sink import Answer, Away, Refusal
from application.errors import Unavailable
from application.projections.progress import Progress
from application.projections.view_store import Cards
from application.recorded import Recorded
from application.subscriptions.lease import Leases
from application.subscriptions.subscription import Subscription, Subscriptions
from domain.incident.values import Resolution
from domain.signal.evaluation import SignalStateEnum
from domain.stream_categories import DEAD_LETTER, dead_letter_parts
from domain.streams import StreamId
from tests.application.delivery.published_events import announcements
from tests.application.projections.story import (
    LATE,
    NOON,
    ONE,
    PAYMENTS,
    TWO,
    ListFeed,
    Story,
    WatchedCards,
    registered,
)

TAKEN, LATER, NEVER, AWAY, UNHEARD = "taken", "later", "never", "away", "unheard"
"""What a sink may do; the last takes it, and its answer is lost."""


EAGER = Manners(tries=3, from_the_beginning=True, dice=lambda: 0.5)


class Killed(BaseException):
    """Nobody catches it, as nobody catches a kill."""


@define
class ToldSink:
    """Takes what it is sent unless told otherwise, one answer for each event it is sent."""

    answers: Iterator[str] = field(factory=lambda: iter(()))
    name: str = "told"
    received: list[Event] = field(factory=list)
    sent: list[Sequence[Event]] = field(factory=list)
    before: Callable[[], None] = lambda: None
    after: Callable[[], None] = lambda: None

    async def send(self, events: Sequence[Event]) -> Sequence[Answer]:
        assert len({event.stream for event in events}) == len(events)
        self.sent.append(events)
        return [self._answer(event) for event in events]

    def _answer(self, event: Event) -> Answer:
        self.before()
        answer = next(self.answers, TAKEN)
        if answer in (TAKEN, UNHEARD):
            self.received.append(event)
            self.after()
        if answer in (AWAY, UNHEARD):
            return Away("it is down")
        return None if answer == TAKEN else Refusal("it does not like it", answer == NEVER)


@define
class MovedClock:
    at: datetime = NOON

    def now(self) -> datetime:
        return self.at

    def later(self, **span: float) -> None:
        self.at += timedelta(**span)


@define
class Surroundings:
    """All that outlives an outbox."""

    facts: list[Recorded]
    sink: ToldSink = field(factory=ToldSink)
    cards: Cards = field(factory=WatchedCards)
    clock: MovedClock = field(factory=MovedClock)
    leases: Leases = field(factory=OwnLeases)
    log: Any = field(factory=lambda: MemoryLog(now=lambda: NOON))
    progress: Progress = field(factory=Progress)
    manners: Manners = EAGER

    def outbox(self, most: int = 7, *, stored_after: float = 10.0, **more: Any) -> Subscription:
        feed = more.pop("feed", None) or ListFeed(self.facts, most)
        outbox = Outbox(
            sink=self.sink,
            feed=feed,
            announcements=announcements(self.facts),
            streams=self._streams(),
            clock=self.clock,
            manners=self.manners,
            **more,
        )
        return outbox_subscription(
            outbox,
            Subscriptions(feed, self.cards, self.leases, self.progress, stored_after=stored_after),
        )

    def dead_letters(self) -> dict[str, str]:
        """Why, by event."""
        streams = self._streams()

        async def found() -> dict[str, str]:
            entries = await self.log.read(0, 1_000_000)
            letters: dict[str, str] = {}
            for stream in dict.fromkeys(StreamId(entry.stream) for entry in entries):
                letter = await streams.state(DEAD_LETTER.of(stream))
                if letter.waiting is not None:
                    letters[dead_letter_parts(stream)[1]] = letter.waiting.reason
            return letters

        return asyncio.run(found())

    def _streams(self) -> LoggedStreams:
        seals = Seals(MemoryKeys())
        return LoggedStreams(
            self.log,
            Mapper.of_catalogue(seals),
            Snapshots.of_catalogue(MemorySnapshots(), seals, 100),
            Ulids().raw,
            100,
        )

    def let_it_send_all(self, outbox: Subscription | None = None, *, turns: int = 10_000) -> None:
        """Turn after turn, in which an hour passes each time that nothing can be done."""
        outbox = outbox or self.outbox()
        asyncio.run(_to_the_end(outbox, self.clock, turns))


async def _to_the_end(outbox: Subscription, clock: MovedClock, turns: int) -> None:
    head = await outbox.feed.head()
    for _ in range(turns):
        with suppress(Unavailable):
            await outbox.catch_up()
            if outbox.progress.reached(outbox.name).position >= head:
                return
            clock.later(hours=1)
    raise AssertionError("it never came to its end")


def a_story() -> Story:
    story = (
        registered()
        .register(PAYMENTS)
        .evaluate(SignalStateEnum.OK)
        .evaluate(SignalStateEnum.CRITICAL, hour=1)
    )
    story.open(ONE).open(TWO, LATE, dataset=PAYMENTS)
    story.change(ONE, acknowledge=True, note="looking").change(TWO, note="me, too")
    return story.change(ONE, resolution=Resolution("x")).evaluate(SignalStateEnum.OK, hour=2)


def ids(events: Sequence[Event]) -> list[str]:
    return [event.event_id for event in events]


def assert_in_order(
    received: Sequence[Event], expected: Sequence[Event], aside: Sequence[str] = ()
) -> None:
    """Nobody hears of an event before all earlier ones of its stream, but those set aside."""
    streams: defaultdict[StreamId, list[str]] = defaultdict(list)
    for event in expected:
        streams[event.stream].append(event.event_id)
    heard = set(aside)
    for event in received:
        stream = streams[event.stream]
        assert set(stream[: stream.index(event.event_id)]) <= heard
        heard.add(event.event_id)


async def in_turns(outbox: Subscription) -> None:
    """Send all that can be sent now, as far as the lease is ours."""
    while await outbox.turn():
        pass
    for one in outbox.followers:
        await one.store()
