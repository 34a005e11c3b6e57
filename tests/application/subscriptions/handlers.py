"""A log that grows when the test says so, and handlers that do what a test scripts."""

import asyncio
from collections.abc import Callable, Sequence
from math import inf

from attrs import define, field

from application.errors import Unavailable
from application.projections.progress import Progress
from application.projections.view_store import Cards
from application.recorded import Recorded
from application.subscriptions.handler import Handler, Settled
from application.subscriptions.lease import Leases
from application.subscriptions.subscription import Subscription, Subscriptions
from tests.application.projections.story import Story, WatchedCards, registered

KEY = "test/scripted"


def facts(count: int) -> list[Recorded]:
    story: Story = registered()
    for hour in range(count):
        story.evaluate(hour=hour)
    return story.facts[:count]


@define
class GrowingLog:
    """Waits for ever at its end; remembers what it was asked."""

    facts: list[Recorded] = field(factory=list)
    reads: list[int] = field(factory=list)
    waits: list[tuple[int, float]] = field(factory=list)
    trouble: Exception | None = None
    """Raised once."""
    idle: asyncio.Event = field(factory=asyncio.Event)
    grown: asyncio.Event = field(factory=asyncio.Event)

    async def read(self, after: int, limit: int) -> Sequence[Recorded]:
        self.reads.append(after)
        if self.trouble is not None:
            error, self.trouble = self.trouble, None
            raise error
        return self.facts[after : after + limit]

    async def head(self) -> int:
        return len(self.facts)

    async def beyond(self, position: int, *, timeout: float) -> bool:
        self.waits.append((position, timeout))
        while len(self.facts) <= position:
            self.idle.set()
            self.grown.clear()
            await self.grown.wait()
        return True

    def grow(self, more: Sequence[Recorded]) -> None:
        self.facts = [*more]
        self.idle.clear()
        self.grown.set()


Script = Callable[[Sequence[Recorded]], Settled | None]


def settles_all(facts: Sequence[Recorded]) -> Settled | None:
    return Settled(facts[-1].position, facts[-1].at) if facts else None


@define
class ScriptedHandler(Handler):
    script: Script = settles_all
    name: str = "scripted"
    begins_at: int = 0
    """Where it begins if no checkpoint was ever stored."""
    due: float = inf
    began: list[int | None] = field(factory=list)
    handled: list[list[int]] = field(factory=list)
    """The positions of each batch."""

    async def begin(self, checkpoint: int | None) -> int:
        self.began.append(checkpoint)
        return self.begins_at if checkpoint is None else checkpoint

    async def handle(self, facts: Sequence[Recorded]) -> Settled | None:
        self.handled.append([fact.position for fact in facts])
        return self.script(facts)

    def due_in(self) -> float:
        return self.due

    @property
    def positions(self) -> list[int]:
        return [position for batch in self.handled for position in batch]


@define
class Bench:
    """All that outlives a subscription."""

    log: GrowingLog = field(factory=GrowingLog)
    cards: Cards = field(factory=WatchedCards)
    leases: Leases | None = None
    progress: Progress = field(factory=Progress)
    troubles: list[Exception] = field(factory=list)
    stored_after: float = 3600.0

    def subscribe(
        self,
        handler: Handler,
        *,
        renews: bool = False,
        marks_empty: bool = False,
        **pace: float,
    ) -> Subscription:
        leases: Leases = self.leases or Granted()
        subscriptions = Subscriptions(
            self.log, self.cards, leases, self.progress, self.troubles.append, self.stored_after
        )
        pace = {"breath": 0.0, **pace}
        key = f"test/{handler.name}"
        return subscriptions.of(handler, key, renews=renews, marks_empty=marks_empty, **pace)

    async def stored(self) -> int:
        return await self.cards.reached(KEY)


@define
class Granted:
    """Leases that another process may have."""

    elsewhere: bool = False
    trouble: bool = False
    released: list[str] = field(factory=list)

    async def hold(self, name: str) -> bool:
        if self.trouble:
            raise Unavailable("the lease", "of a test")
        return not self.elsewhere

    async def release(self, name: str) -> None:
        self.released.append(name)
