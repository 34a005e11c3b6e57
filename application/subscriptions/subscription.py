"""
A subscription: reads the log once for its followers, in batches, for as long as the process runs.

    another process has the lease      the follower stands by, and shows the stored checkpoint
    a follower fails                   it backs off; the others of the subscription go on
    all fail, or the log does          the subscription backs off, and says so in the progress
    nothing is recorded                it waits for the log, or until a handler is due
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager

from attrs import define, field, frozen

from application.projections.progress import Progress
from application.projections.view_store import Cards
from application.subscriptions.backoff import LONGEST_PAUSE, keep_trying
from application.subscriptions.batches import BATCH, GrowingBatches
from application.subscriptions.checkpoints import STORED_AFTER, Checkpoint
from application.subscriptions.feed import Feed
from application.subscriptions.follower import Follower
from application.subscriptions.handler import Handler
from application.subscriptions.lease import Lease, Leases

IDLE = 1.0
"""Seconds to wait at most before leases and handlers are asked again."""

Troubles = Mapping[str, Exception]
"""What stopped a follower, by its name."""


@define
class Subscription:
    name: str
    """Under which its own trouble is shown, if none of its followers can go on."""
    followers: Sequence[Follower]
    feed: Feed
    progress: Progress
    on_trouble: Callable[[Exception], None] = lambda error: None
    largest_batch: int = BATCH
    """Batches grow up to this while there is more."""
    breath: float = 0.025
    """Seconds before the next batch, so that facts that come one by one are handled together. It
    ends early if a caller waits."""
    linger: float = 0.0
    """Seconds between hearing of new facts and reading them, instead of a breath."""
    longest_pause: float = LONGEST_PAUSE
    _batches: GrowingBatches = field(init=False)
    _turn: asyncio.Lock = field(factory=asyncio.Lock, init=False)

    def __attrs_post_init__(self) -> None:
        self._batches = GrowingBatches(self.feed, self.largest_batch)

    @property
    def handled_here(self) -> Collection[str]:
        """The names of the followers that this process runs now."""
        return [one.name for one in self._at_work()]

    @property
    def checkpoints(self) -> Collection[str]:
        """The names of its stored checkpoints, apart from those stored with rows."""
        return [one.checkpoint.key for one in self.followers if one.checkpoint is not None]

    # Running.

    async def run(self) -> None:
        """Follow the log until cancelled."""
        try:
            await keep_trying(
                self.name, self._turn_and_wait, self.progress, self._fail, self.longest_pause
            )
        finally:
            await self.release()

    async def turn(self) -> bool:
        """Handle a batch of what is ours; returns whether there may be more.

        Raises:
            Exception: None of the followers can go on.
        """
        await self.share()
        moved, troubles = await self._handle_batch()
        if len(troubles) == len(self._at_work()):
            _raise_first(troubles)
        for one in self._at_work():
            if one.name in troubles:
                one.back_off(troubles[one.name])
                self.on_trouble(troubles[one.name])
        return moved or bool(troubles)

    async def _turn_and_wait(self) -> None:
        moved = await self.turn()
        self.progress.goes_on(self.name)
        if moved and (self._batches.is_full or not self.linger):
            breath = 0.0 if self.linger else self.breath
            await self.progress.called(self.handled_here, timeout=breath)
        else:
            await self._wait(moved)

    async def _wait(self, moved: bool) -> None:
        patience = min([IDLE, *(one.patience for one in self.followers)])
        at_work = self._at_work()
        if not at_work or (not moved and self._batches.holds(self._slowest())):
            # There are facts, which the handlers cannot take yet.
            await asyncio.sleep(patience)
        elif await self.feed.beyond(self._slowest(), timeout=patience) and self.linger:
            await asyncio.sleep(self.linger)

    def _fail(self, error: Exception) -> None:
        self._begin_again()
        self.on_trouble(error)

    async def release(self) -> None:
        """Leave everything to other processes, at once."""
        for one in self.followers:
            await one.release()

    async def share(self) -> None:
        """Begin what is ours by its lease, and leave what is another process's."""
        for one in self.followers:
            if not await one.lease.hold():
                await one.stand_by()
            elif one.must_begin:
                # Not while tables are being changed: their positions change, too.
                async with self._turn:
                    await one.begin()

    # Without leases and waiting.

    async def catch_up(self) -> None:
        """Handle all that is recorded by now, whichever process has the leases."""
        await self.resume()
        while await self.step():
            pass
        for one in self.followers:
            await one.store()

    async def resume(self) -> None:
        """Find out where the followers were left."""
        self._begin_again()
        for one in self.followers:
            if one.must_begin:
                await one.begin()

    async def step(self) -> bool:
        """Handle a batch; returns whether there may be more.

        Raises:
            Exception: What stopped a follower, once the others are done with the batch.
        """
        moved, troubles = await self._handle_batch()
        _raise_first(troubles)
        return moved

    @asynccontextmanager
    async def at_rest(self) -> AsyncIterator[None]:
        """Between two batches; nothing that was read before is used afterwards."""
        async with self._turn:
            try:
                yield
            finally:
                self._begin_again()

    def _begin_again(self) -> None:
        self._batches.forget()
        for one in self.followers:
            one.begin_again()

    # A batch.

    def _at_work(self) -> Sequence[Follower]:
        return [one for one in self.followers if one.position is not None]

    async def _handle_batch(self) -> tuple[bool, Troubles]:
        """Whether one of the followers got further, and what stopped which of them."""
        async with self._turn:
            at_work = self._at_work()
            facts = await self._batches.read(self._slowest()) if at_work else ()
            # A handler that stores its position with its rows has nothing to do without facts.
            called = [one for one in at_work if facts or one.checkpoint is not None]
            # All end before a failure is shown: none may still be writing when it begins again.
            outcomes = await asyncio.gather(
                *(one.handle(facts) for one in called), return_exceptions=True
            )
            moved, troubles = False, dict[str, Exception]()
            for one, outcome in zip(called, outcomes, strict=True):
                if isinstance(outcome, Exception):
                    troubles[one.name] = outcome
                elif isinstance(outcome, BaseException):
                    raise outcome
                else:
                    moved = moved or outcome
            for one in at_work:
                if one.name not in troubles:
                    one.recovered()
            return moved, troubles

    def _slowest(self) -> int:
        return min(one.position for one in self._at_work() if one.position is not None)


@frozen
class Subscriptions:
    """Makes a subscription of one handler, under a lease and a checkpoint of one name."""

    feed: Feed
    cards: Cards
    leases: Leases
    progress: Progress
    on_trouble: Callable[[Exception], None] = lambda error: None
    stored_after: float = STORED_AFTER

    def of(
        self,
        handler: Handler,
        key: str,
        *,
        renews: bool = False,
        marks_empty: bool = False,
        **pace: float,
    ) -> Subscription:
        checkpoint = Checkpoint(self.cards, key, self.stored_after, marks_empty)
        follower = Follower(handler, Lease(self.leases, key), self.progress, checkpoint, renews)
        name, one = handler.name, [follower]
        return Subscription(name, one, self.feed, self.progress, self.on_trouble, BATCH, **pace)


def _raise_first(troubles: Troubles) -> None:
    for error in troubles.values():
        raise error
