"""Runners that share one board of leases and one set of cards, as processes do."""

from collections.abc import Iterable, Sequence
from typing import Any

from attrs import define, field

from adapters.leases.lease import LeaseBoard
from adapters.leases.shared import Manners, SharedLeases
from adapters.memory.leases import MemoryLeaseBoard
from application.projections.progress import Progress
from application.projections.projection import Projection
from application.projections.remote_progress import Watcher
from application.projections.runner import projection_runner
from application.subscriptions.subscription import Subscription
from tests.application.projections.story import ListFeed, WatchedCards

MANNERS = Manners(lasts=6.0, renewed=2.0, look=1.0)


@define
class Process:
    runner: Subscription
    watcher: Watcher

    @property
    def holds(self) -> set[str]:
        return set(self.runner.handled_here)

    async def turn(self) -> bool:
        """What a process does again and again; whether there was anything to fold."""
        await self.runner.share()
        return await self.runner.step()


@define
class Workshop:
    """Where time passes when the test says so."""

    projections: Sequence[Projection]
    feed: ListFeed
    cards: WatchedCards
    board: LeaseBoard = field(factory=MemoryLeaseBoard)
    time: float = 0.0

    def process(self, name: str, cards: Any = None) -> Process:
        cards, progress = cards or self.cards, Progress()
        leases = SharedLeases(self.board, name, MANNERS, lambda: self.time)
        runner = projection_runner(self.projections, self.feed, cards, progress, leases=leases)
        names = [one.name for one in self.projections]
        return Process(runner, Watcher(names, cards, progress, lambda: runner.handled_here))

    async def work(self, processes: Iterable[Process], *, seconds: int) -> None:
        """All take turns, a second apart."""
        for _ in range(seconds):
            self.time += 1.0
            for process in processes:
                await process.turn()
