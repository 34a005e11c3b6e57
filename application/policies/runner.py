"""Lets a policy follow the log and the clock: order, progress and waiting."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from attrs import define, field

from application.errors import Unavailable
from application.policies.policy import Policy
from application.ports.clock import Clock
from application.projections.incidents import INCIDENT_BOARD
from application.projections.progress import Progress, Reached
from application.projections.view_store import Cards
from application.subscriptions.feed import Feed
from application.subscriptions.follower import BATCH, IDLE, Follower
from application.subscriptions.lease import Leases

BREATH = 0.05
KEPT_EVERY = 1_000
KEPT_AFTER = 10.0
PATIENCE = 10.0


@define
class PolicyRunner:
    """Shows a policy every fact once it is recorded, in order.

    How far it came is kept only now and then: a fact that is shown again does no harm. Of several
    processes the one with the lease acts; the others stand by, and go on where it ended.
    """

    policy: Policy
    feed: Feed
    cards: Cards
    boards: Progress
    progress: Progress
    clock: Clock
    leases: Leases
    on_trouble: Callable[[Exception], None] = lambda error: None
    looks_back: int = 0
    """Facts that are heeded again at the start: the list of what is open may lag so far behind."""
    _reached: int | None = None
    _kept: int = 0
    _kept_at: float = 0.0
    _turn: asyncio.Lock = field(factory=asyncio.Lock)

    async def run(self) -> None:
        """Follow the log until cancelled."""
        try:
            follower = Follower(self.policy.name, self.progress, self.on_trouble)
            await follower.follow(self._turn_or_wait)
        finally:
            with suppress(Unavailable):
                await self._keep()
            await self.leases.release(self.key)

    async def catch_up(self) -> None:
        """Heed all that is recorded by now, and what follows from it."""
        while await self.step():
            pass
        await self._keep()

    async def step(self) -> bool:
        """Heed a batch and do what is due; False when there was nothing left to heed."""
        async with self._turn:
            facts = await self.feed.read(await self._begun(), BATCH)
            for fact in facts:
                if self.policy.concerns(fact):
                    await self.policy.heed(fact)
                    self._move(Reached(fact.position, fact.at))
            if facts:
                self._move(Reached(facts[-1].position, facts[-1].at))
            await self.policy.act(self.clock.now())
            return bool(facts)

    async def _turn_or_wait(self) -> None:
        if not await self.leases.hold(self.key):
            await self._stand_by()
            return
        heeded = await self.step()
        if self._is_time_to_keep():
            await self._keep()
        if heeded:
            # Facts that come one by one are heeded together: nobody waits for a policy.
            await asyncio.sleep(BREATH)
        else:
            await self.feed.beyond(await self._begun(), timeout=self._patience())

    async def _stand_by(self) -> None:
        """Another process acts. What it did not come to is begun with when it is our turn."""
        self._reached = None
        self.progress.moved(self.policy.name, Reached(await self.cards.reached(self.key)))
        await asyncio.sleep(IDLE)

    async def _begun(self) -> int:
        if self._reached is not None:
            return self._reached
        kept = await self.cards.reached(self.key)
        # What is watched is read from the board, which must not be older than what was heeded.
        if not await self.boards.wait(INCIDENT_BOARD, kept, timeout=PATIENCE):
            said = f"{INCIDENT_BOARD} does not follow the log"
            raise Unavailable(f"the policy {self.policy.name}", said)
        # A policy that is new to a log begins where the board is: the past is past.
        new_to_it = self.boards.reached(INCIDENT_BOARD).position
        reached = max(kept - self.looks_back, 0) if kept else new_to_it
        await self.policy.begin()
        self._kept = kept
        self._move(Reached(reached))
        if not kept:
            await self._keep()
        return reached

    def _is_time_to_keep(self) -> bool:
        if (self._reached or 0) - self._kept >= KEPT_EVERY:
            return True
        return asyncio.get_running_loop().time() - self._kept_at >= KEPT_AFTER

    async def _keep(self) -> None:
        self._kept_at = asyncio.get_running_loop().time()
        if self._reached is not None and self._reached > self._kept:
            await self.cards.file(self.key, {}, upto=self._reached)
            self._kept = self._reached

    def _patience(self) -> float:
        due = self.policy.due()
        if due is None:
            return IDLE
        return min(max((due - self.clock.now()).total_seconds(), 0.0), IDLE)

    def _move(self, to: Reached) -> None:
        self._reached = to.position
        self.progress.moved(self.policy.name, to)

    @property
    def key(self) -> str:
        return f"policy/{self.policy.name}"
