"""Lets a policy follow the log and the clock: order, progress, waiting and trying again."""

import asyncio
from collections.abc import Callable

from attrs import define, field

from application.errors import Contended, Unavailable
from application.policies.policy import Policy
from application.ports.cards import Cards
from application.ports.clock import Clock
from application.ports.feed import Feed
from application.projections.progress import Progress, Reached

BATCH = 256
IDLE = 1.0
KEPT_EVERY = 1_000
PATIENCE = 10.0
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 5.0
BOARD = "incident-board"


@define
class PolicyRunner:
    """Shows a policy every fact once it is recorded, in order.

    How far it came is kept only now and then: a fact that is shown again does no harm.
    """

    policy: Policy
    feed: Feed
    cards: Cards
    boards: Progress
    progress: Progress
    clock: Clock
    on_trouble: Callable[[Exception], None] = lambda error: None
    _reached: int | None = None
    _kept: int = 0
    _turn: asyncio.Lock = field(factory=asyncio.Lock)

    async def run(self) -> None:
        """Follow the log until cancelled."""
        pause = FIRST_PAUSE
        while True:
            try:
                if not await self.step():
                    await self._keep()
                    await self.feed.beyond(await self._begun(), timeout=self._patience())
                pause, self.progress.trouble = FIRST_PAUSE, None
            except (Unavailable, Contended) as error:
                self.progress.trouble = str(error)
                self.on_trouble(error)
                await asyncio.sleep(pause)
                pause = min(pause * 2, LONGEST_PAUSE)

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
                await self.policy.heed(fact)
                self._move(Reached(fact.position, fact.at))
            await self.policy.act(self.clock.now())
            if self._reached is not None and self._reached - self._kept >= KEPT_EVERY:
                await self._keep()
            return bool(facts)

    async def _begun(self) -> int:
        if self._reached is not None:
            return self._reached
        reached = await self.cards.reached(self._key)
        # What is watched is read from the board, which must not be older than what was heeded.
        if not await self.boards.wait(BOARD, reached, timeout=PATIENCE):
            raise Unavailable(f"the policy {self.policy.name}", f"{BOARD} does not follow the log")
        await self.policy.begin()
        self._kept = reached
        self._move(Reached(reached))
        return reached

    async def _keep(self) -> None:
        if self._reached is not None and self._reached > self._kept:
            await self.cards.file(self._key, {}, upto=self._reached)
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
    def _key(self) -> str:
        return f"policy/{self.policy.name}"
