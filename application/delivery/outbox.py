"""
Sends what was recorded to one sink: at least once, each stream's events in order.

An outbox follows the log itself, not a read model, so that nothing is sent when those are
rebuilt. How far it came is kept after the events were taken: whoever is stopped in between sends
some of them twice, with the same ids, and none is lost.

    the sink takes it       the next event of its stream follows
    it refuses the event    tried again later; other streams go on meanwhile
    it refuses too often    set aside as a dead letter; the next event of its stream follows
    it does not answer      nothing is sent, and nothing counted, until it answers again
"""

import asyncio
from collections.abc import Callable, Collection, Sequence

from attrs import Factory, define, field

from application.delivery.event import Event, EventType
from application.delivery.event_factory import Announcements, types_told_of
from application.delivery.leased_position import Place
from application.delivery.outcomes import Settling
from application.delivery.queues import Queues
from application.delivery.retry_policy import Manners
from application.delivery.sink import Answer, Away, EventSink
from application.errors import NotReadable, Unavailable
from application.ports.clock import Clock
from application.ports.streams import Streams
from application.projections.progress import Progress, Reached
from application.projections.view_store import Cards
from application.recorded import Recorded
from application.subscriptions.feed import Feed
from application.subscriptions.follower import BATCH, IDLE, Follower
from application.subscriptions.lease import Leases
from domain.delivery.dead_letter import SetAside

BREATH = 0.02
AT_ONCE = 40
MOST_WAITING = 2_000
"""Events held back behind refused ones; then no more are read until some are settled."""


@define
class Outbox:
    sink: EventSink
    feed: Feed
    announcements: Announcements
    cards: Cards
    streams: Streams
    leases: Leases
    progress: Progress
    clock: Clock
    manners: Manners = field(factory=Manners)
    types: Collection[EventType] = frozenset(EventType)
    """What the sink wants to hear of."""
    on_trouble: Callable[[Exception], None] = lambda error: None
    on_set_aside: Callable[[str, SetAside], None] = lambda sink, why: None
    kept_after: float = 10.0
    """Seconds after which is kept how far it came, even if nothing had to be sent on the way."""
    _queues: Queues | None = None
    _place: Place = field(init=False, default=Factory(Place.of, takes_self=True))
    _settling: Settling = field(
        init=False,
        default=Factory(
            lambda self: Settling(
                self.name, self.streams, self.clock, self.manners, self.on_set_aside
            ),
            takes_self=True,
        ),
    )
    _turn: asyncio.Lock = field(factory=asyncio.Lock)

    @property
    def name(self) -> str:
        return self.sink.name

    async def run(self) -> None:
        """Follow the log until cancelled, as long as no other process does."""
        try:
            follower = Follower(self.name, self.progress, self.on_trouble)
            await follower.follow(self._turn_or_wait)
        finally:
            await self._place.leave(self._settled)

    async def catch_up(self) -> None:
        """Send all that can be sent now."""
        while await self.step():
            pass
        await self._place.keep(self._settled)

    async def step(self) -> bool:
        """Read on and send what is ready; False when there was nothing to do."""
        async with self._turn:
            if not await self._place.is_ours():
                # The other one goes on from what is kept; so must we, should it be our turn again.
                self._queues = None
                return False
            queues = await self._begun()
            read = await self._read_on(queues)
            try:
                sent = await self._send(queues)
            finally:
                self._tell(queues)
            await self._place.keep_if_due(queues.settled)
            return read or sent

    async def _turn_or_wait(self) -> None:
        if await self.step():
            # Facts that come one by one are sent together.
            await asyncio.sleep(BREATH)
        elif self._queues is None or _full(self._queues):
            await asyncio.sleep(self._patience())
        else:
            await self.feed.beyond(self._queues.read, timeout=self._patience())

    def _patience(self) -> float:
        due = None if self._queues is None else self._queues.next_due()
        if due is None:
            return IDLE
        return min(max((due - self.clock.now()).total_seconds(), BREATH), IDLE)

    # Reading.

    async def _begun(self) -> Queues:
        if self._queues is None:
            self._queues = Queues(await self._place.find(self._first))
            # Before anything can go wrong: trouble is told of those that are known.
            self._tell(self._queues)
        return self._queues

    async def _first(self) -> int:
        """A sink that is new begins with what comes: the past is past, unless asked for."""
        return 0 if self.manners.from_the_beginning else await self.feed.head()

    async def _read_on(self, queues: Queues) -> bool:
        if _full(queues):
            return False
        facts = await self.feed.read(queues.read, BATCH)
        events = [await self._event(fact) for fact in facts]
        queues.add(event for event in events if event and event.event_type in self.types)
        if facts:
            queues.read = facts[-1].position
        return bool(facts)

    async def _event(self, recorded: Recorded) -> Event | None:
        try:
            return await self.announcements.of(recorded)
        except NotReadable as error:
            if not types_told_of(recorded.stream).isdisjoint(self.types):
                await self._settling.untold(recorded, str(error))
            return None

    # Sending.

    async def _send(self, queues: Queues) -> bool:
        ready = queues.ready(self.clock.now(), AT_ONCE)
        if ready:
            events = [await self._told_now(one.event) for one in ready]
            async with self._place.held():
                answers = await self.sink.send(events)
            await self._settling.settle(queues, ready, answers)
            await self._place.keep(queues.settled)
            self._stop_if_away(answers)
        return bool(ready)

    async def _told_now(self, event: Event) -> Event:
        """Whoever was erased while the event waited is not named."""
        if not event.names_somebody:
            return event
        (recorded,) = await self.feed.read(event.position - 1, 1)
        return await self.announcements.of(recorded) or event

    def _stop_if_away(self, answers: Sequence[Answer]) -> None:
        for answer in answers:
            if isinstance(answer, Away):
                raise Unavailable(f"the sink {self.name}", answer.because)

    # How far it is.

    @property
    def _settled(self) -> int | None:
        return None if self._queues is None else self._queues.settled

    def _tell(self, queues: Queues) -> None:
        oldest = queues.oldest()
        at = oldest.at if oldest else None
        self.progress.moved(self.name, Reached(queues.settled, at))

    @property
    def key(self) -> str:
        return self._place.key


def _full(queues: Queues) -> bool:
    return len(queues) >= MOST_WAITING
