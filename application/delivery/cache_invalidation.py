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

from collections.abc import Callable, Sequence
from itertools import takewhile

from attrs import define, field

from application.caches.invalidation import SharedCopies
from application.errors import NotReadable
from application.projections.progress import Progress
from application.projections.projection import Projection
from application.recorded import Recorded, Unreadable
from application.subscriptions.handler import Handler, Settled
from application.subscriptions.subscription import Subscription, Subscriptions

LINGER = 0.1
"""Seconds in which facts that come one by one are folded, and more of them come."""
LONGEST_PAUSE = 1.0
"""Seconds. Copies that come back may be old, and are shown until they are told."""
TOO_FAR = 100_000
"""Facts. To tell of so many takes longer than to read again what is asked for."""


@define
class CopiesOutbox(Handler):
    name: str
    copies: SharedCopies
    projections: Sequence[Projection]
    """Those whose cards are copied."""
    boards: Progress
    on_forgotten: Callable[[int], None] = lambda upto: None
    """Is told up to where everything was forgotten: reads are slower for a while."""
    _at: int = field(default=0, init=False)

    async def begin(self, checkpoint: int | None) -> int:
        self._at = await self._forget_folded() if checkpoint is None else checkpoint
        return self._at

    async def handle(self, facts: Sequence[Recorded]) -> Settled:
        before = self._at
        known = await self.copies.told()
        if known is None:
            # They are new, or emptied, or of tables that were filled anew. Such may not be as far
            # as those before them: what they lack still was told of those only.
            self._at = await self._forget(min(before, self._folded_by_all()))
        elif known < before:
            # They went back to what they were: so do we.
            self._at = known
        else:
            self._at = await self._told_or_forgotten(facts, known)
        return Settled(self._at)

    async def _told_or_forgotten(self, facts: Sequence[Recorded], known: int) -> int:
        if self._folded_by_all() - self._at > TOO_FAR:
            return await self._forget_folded()
        try:
            return await self._told(facts, known)
        except NotReadable:
            # It may have changed anything.
            return await self._forget_folded()

    async def _told(self, facts: Sequence[Recorded], known: int) -> int:
        """Tell of those that are folded; how far that was."""
        folded = list(takewhile(self._is_folded, facts))
        concerned = [one for one in folded if self._concerned(one)]
        if concerned:
            await self.copies.drop(concerned)
        at = folded[-1].position if folded else self._at
        if at > known:
            await self.copies.remember(at, after=known)
        return at

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

    # What is forgotten.

    async def _forget_folded(self) -> int:
        """How far was folded before all was forgotten: what is copied now shows that much."""
        return await self._forget(self._folded_by_all())

    async def _forget(self, upto: int) -> int:
        await self.copies.clear()
        await self.copies.remember(upto, after=None)
        self.on_forgotten(upto)
        return upto


def invalidation_subscription(handler: CopiesOutbox, subscriptions: Subscriptions) -> Subscription:
    """One process at a time tells the copies."""
    key = f"outbox/{handler.name}"
    pace = {"linger": LINGER, "longest_pause": LONGEST_PAUSE}
    return subscriptions.of(handler, key, renews=True, marks_empty=True, **pace)
