"""Keeps projections up with the log: order, batches, tracking, waiting and trying again."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager

from attrs import define, field

from application.following import BATCH, IDLE, Follower
from application.ports.cards import Card, Cards, Filed, Key
from application.ports.feed import Feed
from application.projections.batch import Batch
from application.projections.progress import Progress, Reached
from application.projections.projection import Projection
from application.recorded import Recorded

NAME = "projections"
BREATH = 0.025
REMEMBERED = 50_000


@define
class Runner:
    """Folds each fact into every projection, in the log's order, once.

    The facts are read and decoded once for all projections. Each projection files its cards
    together with how far it has come, so that a restart goes on where it left off.
    """

    projections: Sequence[Projection]
    feed: Feed
    cards: Cards
    progress: Progress
    on_trouble: Callable[[Exception], None] = lambda error: None
    batch: int = BATCH
    _reached: dict[str, int] = field(factory=dict)
    _known: dict[Key, Filed] = field(factory=dict)
    _turn: asyncio.Lock = field(factory=asyncio.Lock)

    async def resume(self) -> None:
        """Find out where the projections were left."""
        self._known.clear()
        for projection in self.projections:
            self._move(projection, Reached(await self.cards.reached(projection.name)))

    async def run(self) -> None:
        """Follow the log until cancelled."""
        await Follower(NAME, self.progress, self._troubled).follow(self._turn_or_wait)

    async def _turn_or_wait(self) -> None:
        if not self._reached:
            await self.resume()
        if await self.step():
            # Facts that come one by one are filed together, unless somebody waits.
            await self.progress.called(timeout=BREATH)
        else:
            await self.feed.beyond(self._slowest(), timeout=IDLE)

    def _troubled(self, error: Exception) -> None:
        self._reached.clear()
        self.on_trouble(error)

    async def catch_up(self) -> None:
        """Fold in all that is recorded by now."""
        await self.resume()
        while await self.step():
            pass

    async def step(self) -> bool:
        """Fold in a batch; False when there was nothing left."""
        async with self._turn:
            facts = await self.feed.read(self._slowest(), self.batch)
            if facts:
                await self._fold_all(facts)
            return bool(facts)

    @asynccontextmanager
    async def at_rest(self) -> AsyncIterator[None]:
        """Between two batches, with nothing remembered of the last and nothing begun."""
        async with self._turn:
            yield
            self._known.clear()

    def _slowest(self) -> int:
        return min(self._reached.values())

    async def _fold_all(self, facts: Sequence[Recorded]) -> None:
        folds = [self._fold(one, facts) for one in self.projections]
        # All end before one's failure is raised: none may still be filing when we start over.
        for outcome in await asyncio.gather(*folds, return_exceptions=True):
            if outcome is not None:
                raise outcome

    async def _fold(self, projection: Projection, facts: Sequence[Recorded]) -> None:
        reached = self._reached[projection.name]
        fresh = [fact for fact in facts if fact.position > reached]
        if not fresh:
            return
        batch = await Batch.of(projection, fresh, self.cards, self._known)
        if await self._overtaken(projection):
            return
        for fact in fresh:
            batch.fold(projection, fact)
        last = fresh[-1]
        await self.cards.file(projection.name, batch.changes, upto=last.position)
        self._remember(batch.changes)
        self._move(projection, Reached(last.position, last.at))

    async def _overtaken(self, projection: Projection) -> bool:
        """Whether another runner has filed meanwhile: the cards just read may be of two times."""
        reached = await self.cards.reached(projection.name)
        if reached == self._reached[projection.name]:
            return False
        self._known.clear()
        self._move(projection, Reached(reached))
        return True

    def _remember(self, changes: Mapping[Key, tuple[Card | None, int]]) -> None:
        """What was just filed need not be read again: it is what the next facts are folded into."""
        if len(self._known) > REMEMBERED:
            self._known.clear()
        for key, (card, position) in changes.items():
            if card is None:
                self._known.pop(key, None)
            else:
                self._known[key] = Filed(card, position)

    def _move(self, projection: Projection, to: Reached) -> None:
        self._reached[projection.name] = to.position
        self.progress.moved(projection.name, to)
