"""
Sends what was recorded to one sink: at least once, each stream's events in order.

An outbox follows the log itself, not a read model, so that nothing is sent when those are
rebuilt. The checkpoint is stored after the events were taken: a process that is stopped in between
sends some of them twice, with the same ids, and loses none.

    the sink takes it       the next event of its stream follows
    it refuses the event    tried again later; other streams go on meanwhile
    it refuses too often    set aside as a dead letter; the next event of its stream follows
    it does not answer      nothing is sent, and nothing counted, until it answers again
"""

from collections.abc import Callable, Collection, Sequence
from math import inf

from attrs import Factory, define, field

from application.delivery.event import Event, EventType
from application.delivery.event_factory import Announcements, types_told_of
from application.delivery.outcomes import Settling
from application.delivery.queues import Queues
from application.delivery.retry_policy import Manners
from application.delivery.sink import Answer, Away, EventSink
from application.errors import NotReadable, Unavailable
from application.ports.clock import Clock
from application.ports.streams import Streams
from application.recorded import Recorded
from application.subscriptions.feed import Feed
from application.subscriptions.handler import Handler, Settled
from application.subscriptions.subscription import Subscription, Subscriptions
from domain.delivery.dead_letter import SetAside

BREATH = 0.02
AT_ONCE = 40
MOST_WAITING = 2_000
"""Events held back behind refused ones; then no more are taken until some are settled."""


@define
class Outbox(Handler):
    sink: EventSink
    feed: Feed
    announcements: Announcements
    streams: Streams
    clock: Clock
    manners: Manners = field(factory=Manners)
    types: Collection[EventType] = frozenset(EventType)
    """What the sink wants to hear of."""
    on_set_aside: Callable[[str, SetAside], None] = lambda sink, why: None
    _queues: Queues = field(factory=lambda: Queues(0), init=False)
    _settling: Settling = field(
        init=False,
        default=Factory(
            lambda self: Settling(
                self.name, self.streams, self.clock, self.manners, self.on_set_aside
            ),
            takes_self=True,
        ),
    )

    @property
    def name(self) -> str:
        return self.sink.name

    async def begin(self, checkpoint: int | None) -> int:
        """A sink that is new begins with what comes: the past is past, unless asked for."""
        if checkpoint is None:
            checkpoint = 0 if self.manners.from_the_beginning else await self.feed.head()
        self._queues = Queues(checkpoint)
        return checkpoint

    async def handle(self, facts: Sequence[Recorded]) -> Settled:
        """Read on and send what is ready."""
        queues = self._queues
        if len(queues) < MOST_WAITING:
            await self._add(facts)
        answers = await self._send()
        oldest = queues.oldest()
        return Settled(
            queues.settled,
            oldest.at if oldest else None,
            read=queues.read,
            acted=bool(answers),
            trouble=self._trouble(answers),
        )

    def due_in(self) -> float:
        due = self._queues.next_due()
        return inf if due is None else max((due - self.clock.now()).total_seconds(), BREATH)

    async def _add(self, facts: Sequence[Recorded]) -> None:
        # Some may be here already, if sending failed without an answer.
        fresh = [fact for fact in facts if fact.position > self._queues.read]
        events = [await self._event(fact) for fact in fresh]
        self._queues.add(event for event in events if event and event.event_type in self.types)
        if fresh:
            self._queues.read = fresh[-1].position

    async def _event(self, recorded: Recorded) -> Event | None:
        try:
            return await self.announcements.of(recorded)
        except NotReadable as error:
            if not types_told_of(recorded.stream).isdisjoint(self.types):
                await self._settling.untold(recorded, str(error))
            return None

    async def _send(self) -> Sequence[Answer]:
        ready = self._queues.ready(self.clock.now(), AT_ONCE)
        if not ready:
            return ()
        answers = await self.sink.send([await self._told_now(one.event) for one in ready])
        await self._settling.settle(self._queues, ready, answers)
        return answers

    async def _told_now(self, event: Event) -> Event:
        """Whoever was erased while the event waited is not named."""
        if not event.names_somebody:
            return event
        (recorded,) = await self.feed.read(event.position - 1, 1)
        return await self.announcements.of(recorded) or event

    def _trouble(self, answers: Sequence[Answer]) -> Unavailable | None:
        away = (one.reason for one in answers if isinstance(one, Away))
        reason = next(away, None)
        return None if reason is None else Unavailable(f"the sink {self.name}", reason)


def outbox_subscription(handler: Outbox, subscriptions: Subscriptions) -> Subscription:
    """One process at a time sends; the next goes on from the stored checkpoint."""
    key = f"outbox/{handler.name}"
    return subscriptions.of(handler, key, renews=True, marks_empty=True, breath=BREATH)
