"""
Tells the shared copies what was recorded, however long they or this process were away.

Whoever folds drops what it is about to change as well, at once and once. What was not taken then,
and by whom it was tried, does not matter here: how far the copies were told is kept in the tables,
and moves only when they took it.

    the copies take it         the next facts follow
    they go back to what they
    were some time ago         so does this, to what they remember to have been told
    they remember nothing, or
    are of tables filled anew  everything is forgotten, and the next facts follow
    they do not answer         nothing follows until they do; nothing is ever set aside
    a fact is not folded yet   it waits: else what is copied before that could be kept after it
    nobody knows how far, or
    what; or it is too far     everything is forgotten, and what comes from then on follows
"""

import asyncio
from collections.abc import Callable, Sequence
from itertools import takewhile

from attrs import Factory, define, field

from application.caches.invalidation import SharedCopies
from application.delivery.leased_position import Place
from application.errors import NotReadable
from application.projections.progress import Progress, Reached
from application.projections.projection import Projection
from application.projections.view_store import Cards
from application.recorded import Recorded, Unreadable
from application.subscriptions.feed import Feed
from application.subscriptions.follower import BATCH, IDLE, Follower
from application.subscriptions.lease import Leases

BREATH = 0.1
LONGEST_PAUSE = 1.0
"""Seconds. Copies that come back may be old, and are shown until they are told."""
TOO_FAR = 100_000
"""Facts. To tell of so many takes longer than to read again what is asked for."""


@define
class CopiesOutbox:
    name: str
    copies: SharedCopies
    feed: Feed
    cards: Cards
    leases: Leases
    projections: Sequence[Projection]
    """Those whose cards are copied."""
    boards: Progress
    progress: Progress
    on_trouble: Callable[[Exception], None] = lambda error: None
    on_forgotten: Callable[[int], None] = lambda upto: None
    """Is told up to where everything was forgotten: reads are slower for a while."""
    kept_after: float = 10.0
    _at: int | None = field(default=None, init=False)
    _waits: bool = field(default=False, init=False)
    """There is more, and none of it is folded."""
    _place: Place = field(init=False, default=Factory(Place.of, takes_self=True))

    @property
    def key(self) -> str:
        return self._place.key

    async def run(self) -> None:
        """Follow the log until cancelled, as long as no other process does."""
        try:
            follower = Follower(self.name, self.progress, self.on_trouble, LONGEST_PAUSE)
            await follower.follow(self._turn_or_wait)
        finally:
            await self._place.leave(self._at)

    async def catch_up(self) -> None:
        """Tell of all that is folded by now."""
        while await self.step():
            pass
        await self._place.keep(self._at)

    async def step(self) -> int:
        """How many facts were dealt with."""
        if not await self._place.is_ours():
            self._at = None
            return 0
        before, known = await self._known()
        try:
            is_too_far = self._folded_by_all() - before > TOO_FAR
            at = await (self._forgotten() if is_too_far else self._told(before, known))
        except NotReadable:
            # It may have changed anything.
            at = await self._forgotten()
        self._move(at)
        await self._place.keep_if_due(at)
        return at - before

    async def _told(self, after: int, known: int) -> int:
        """Tell of what comes next; how far that was."""
        facts = await self.feed.read(after, BATCH)
        folded = list(takewhile(self._is_folded, facts))
        self._waits = bool(facts) and not folded
        concerned = [one for one in folded if self._concerned(one)]
        if concerned:
            async with self._place.held():
                await self.copies.drop(concerned)
        at = folded[-1].position if folded else after
        if at > known:
            await self.copies.remember(at, after=known)
        return at

    async def _turn_or_wait(self) -> None:
        told = await self.step()
        # Said before it waits for more.
        self.progress.goes_on(self.name)
        if self._at is None or self._waits:
            await asyncio.sleep(IDLE)
        elif told < BATCH:
            await self.feed.beyond(self._at, timeout=IDLE)
            # Facts that come one by one are told together, and folded meanwhile.
            await asyncio.sleep(BREATH)

    # What may be told.

    def _concerned(self, recorded: Recorded) -> Sequence[Projection]:
        if isinstance(recorded.fact, Unreadable):
            return self.projections
        fact, version = recorded.fact, recorded.version
        return [one for one in self.projections if one.concerns(fact, version)]

    def _is_folded(self, recorded: Recorded) -> bool:
        folded = (self.boards.reached(one.name).position for one in self._concerned(recorded))
        return all(position >= recorded.position for position in folded)

    def _folded_by_all(self) -> int:
        return min(self.boards.reached(one.name).position for one in self.projections)

    # How far it is.

    async def _begun(self) -> int:
        if self._at is not None:
            return self._at
        # Before anything can go wrong: trouble is told of those that are known.
        await self._place.tell_what_is_kept()
        return await self._place.find(self._forgotten)

    async def _known(self) -> tuple[int, int]:
        """Where to go on, and what the copies remember to have been told."""
        begun, known = await self._begun(), await self.copies.told()
        if known is None:
            # They are new, or emptied, or of tables that were filled anew. Such may not be as far
            # as those before them: what they lack still was told of those only.
            known = await self._forget(min(begun, self._folded_by_all()))
        return min(begun, known), known

    async def _forgotten(self) -> int:
        """How far was folded before all was forgotten: what is copied now shows that much."""
        return await self._forget(self._folded_by_all())

    async def _forget(self, upto: int) -> int:
        async with self._place.held():
            await self.copies.clear()
            await self.copies.remember(upto, after=None)
        self.on_forgotten(upto)
        return upto

    def _move(self, to: int) -> None:
        self._at = to
        self.progress.moved(self.name, Reached(to))
