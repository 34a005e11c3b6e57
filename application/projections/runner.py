"""Keeps projections up with the log: order, batches, tracking, waiting and trying again."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager

from attrs import define, field

from application.projections.backoff import LeftAlone
from application.projections.folding import Folding
from application.projections.progress import Progress, Reached
from application.projections.projection import Projection
from application.projections.quarantined_facts import SetAside
from application.projections.view_store import Cards
from application.recorded import Recorded
from application.subscriptions.batches import GrowingBatches
from application.subscriptions.feed import Feed
from application.subscriptions.lease import Leases
from application.subscriptions.old_follower import IDLE, Follower

NAME = "projections"
BREATH = 0.025
LARGEST_BATCH = 4_096
"""Facts folded at once when far behind: the more, the fewer rows are written twice."""
Troubles = Mapping[str, Exception]
"""What stopped a projection, by its name."""

LARGEST_FILING = 512
"""Cards filed at once when far behind, or what one more fact changes: whoever appends to the same
file waits that long."""


@define
class Runner:
    """Folds each fact into every projection, in the log's order, once.

    The facts are read and decoded once for all projections. Each projection files its cards
    together with how far it has come, so that a restart goes on where it left off.

    A projection that cannot be filed now is left alone for a while; the others go on without it.

    Where there are leases, each projection is folded by whoever holds its lease: several processes
    share the projections. Nothing rests on that: whoever is late files nothing that harms.
    """

    projections: Sequence[Projection]
    feed: Feed
    cards: Cards
    progress: Progress
    on_trouble: Callable[[Exception], None] = lambda error: None
    leases: Leases | None = None
    """None where no other process folds."""
    on_set_aside: Callable[[SetAside], None] = lambda fact: None
    most_filed: int = LARGEST_FILING
    """Cards filed at once when far behind."""
    _reached: dict[str, int] = field(factory=dict)
    """How far those are that are folded here."""
    _unsure: set[str] = field(factory=set)
    """Those of them that may have been filed, or filed elsewhere, by somebody else."""
    _left_alone: LeftAlone = field(init=False)
    _folding: Folding = field(init=False)
    _batches: GrowingBatches = field(init=False)
    _turn: asyncio.Lock = field(factory=asyncio.Lock)

    def __attrs_post_init__(self) -> None:
        self._folding = Folding(self.cards)
        self._batches = GrowingBatches(self.feed, LARGEST_BATCH)
        self._left_alone = LeftAlone(self.progress)

    @property
    def folded_here(self) -> Collection[str]:
        return self._reached.keys()

    def fold_nothing(self) -> None:
        """Leave the projections to other processes."""
        self._reached.clear()

    async def resume(self) -> None:
        """Find out where the projections were left."""
        self._forget()
        for projection in self.projections:
            await self._begin(projection)

    async def run(self) -> None:
        """Follow the log until cancelled."""
        try:
            await Follower(NAME, self.progress, self._troubled).follow(self._turn_or_wait)
        finally:
            await self.let_go()

    async def share(self) -> None:
        """Fold what we may, and no longer what is another's."""
        for projection in self.projections:
            if self.leases is not None and not await self.leases.hold(_lease(projection)):
                self._reached.pop(projection.name, None)
                self._left_alone.goes_on(projection.name)
            elif self._is_to_begin(projection.name):
                # At rest: how far it is must not be asked of tables that are just being changed.
                async with self._turn:
                    self._folding.forget()
                    await self._begin(projection)

    async def catch_up(self) -> None:
        """Fold in all that is recorded by now, whoever else may be at it."""
        await self.resume()
        while await self.step():
            pass

    async def step(self) -> bool:
        """Fold in a batch; False when there was nothing left.

        Raises what stopped a projection, once the others are done with the batch.
        """
        folded, troubles = await self._stepped()
        for error in troubles.values():
            raise error
        return folded

    @asynccontextmanager
    async def at_rest(self) -> AsyncIterator[None]:
        """Between two batches, with nothing remembered of the last and nothing begun."""
        async with self._turn:
            try:
                yield
            finally:
                self._forget()
                self._unsure.update(self._reached)

    async def _turn_or_wait(self) -> None:
        await self.share()
        folded, troubles = await self._stepped()
        self._leave_alone(troubles)
        if folded:
            # Facts that come one by one are filed together, unless somebody waits.
            await self.progress.called(self.folded_here, timeout=BREATH)
        elif self._reached:
            patience = self._left_alone.soonest(IDLE)
            await self.feed.beyond(self._slowest(), timeout=patience)
        else:
            await asyncio.sleep(self._left_alone.soonest(IDLE))

    def _troubled(self, error: Exception) -> None:
        self._reached.clear()
        self.on_trouble(error)

    async def let_go(self) -> None:
        """Leave the projections to other processes, at once."""
        self._reached.clear()
        if self.leases is not None:
            for projection in self.projections:
                await self.leases.release(_lease(projection))

    def _is_to_begin(self, name: str) -> bool:
        if name in self._left_alone:
            return False
        return name not in self._reached or name in self._unsure

    async def _begin(self, projection: Projection) -> None:
        self._unsure.discard(projection.name)
        self._move(projection, Reached(await self.cards.reached(projection.name)))

    def _slowest(self) -> int:
        return min(self._reached.values())

    async def _stepped(self) -> tuple[bool, Troubles]:
        """Whether there was a batch to fold, and what stopped which projections."""
        async with self._turn:
            facts = await self._batches.read(self._slowest()) if self._reached else ()
            troubles = await self._fold_all(facts) if facts else {}
            for name in self._reached.keys() - troubles.keys():
                self._left_alone.goes_on(name)
            return bool(facts), troubles

    async def _fold_all(self, facts: Sequence[Recorded]) -> Troubles:
        ours = [one for one in self.projections if one.name in self._reached]
        folds = [self._fold(one, facts) for one in ours]
        # All end before one's failure is told: none may still be filing when we start over.
        outcomes = await asyncio.gather(*folds, return_exceptions=True)
        troubles: dict[str, Exception] = {}
        for one, outcome in zip(ours, outcomes, strict=True):
            if isinstance(outcome, Exception):
                troubles[one.name] = outcome
            elif outcome is not None:
                raise outcome
        return troubles

    def _leave_alone(self, troubles: Troubles) -> None:
        """Raises if all are in trouble: then it is not a matter of one of them."""
        if troubles.keys() >= self._reached.keys():
            for error in troubles.values():
                raise error
        for name, error in troubles.items():
            self._reached.pop(name, None)
            self._left_alone.leave(name, error)
            self.on_trouble(error)

    async def _fold(self, projection: Projection, facts: Sequence[Recorded]) -> None:
        reached = self._reached[projection.name]
        fresh = [fact for fact in facts if fact.position > reached]
        if not fresh:
            return
        folded = await self._folding.fold(
            projection, fresh, reached=reached, most_filed=self.most_filed
        )
        self._move(projection, folded.reached)
        for aside in folded.set_aside:
            self.on_set_aside(aside)

    def _forget(self) -> None:
        """Remember nothing of what was read: it may be read otherwise from now on."""
        self._folding.forget()
        self._batches.forget()

    def _move(self, projection: Projection, to: Reached) -> None:
        self._reached[projection.name] = to.position
        self.progress.moved(projection.name, to)


def _lease(projection: Projection) -> str:
    return f"projection/{projection.name}"
