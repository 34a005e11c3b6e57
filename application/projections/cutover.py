"""Handing over: a new generation catches up with the log and is read from then on."""

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager

from attrs import frozen

from application.maintenance.generations import Draft, Generation
from application.maintenance.progress import LongWork
from application.projections.progress import Progress
from application.projections.projection import Projection
from application.projections.runner import projection_runner
from application.projections.view_store import Cards
from application.subscriptions.feed import Feed
from application.subscriptions.lease import Lease, Leases

AtRest = Callable[[], AbstractAsyncContextManager[None]]


@frozen
class HandOver:
    """Only projections are run on the new generation: nothing is sent, and no policy acts."""

    projections: Mapping[str, Projection]
    feed: Feed
    cards: Cards
    """Those that are served."""
    at_rest: AtRest
    """Between two batches of whoever folds into the tables that are served."""
    leases: Leases

    async def __call__(self, draft: Draft, projection: str, work: LongWork) -> int:
        """Returns the number of the generation that is read now.

        Raises:
            Unavailable: Another process is handing over the same projection, and is not gone.
        """

        def on_wait() -> None:
            work.begin(f"{projection}: another process is at it, or ended just now; waiting")

        lease = Lease(self.leases, f"rebuild/{projection}")
        async with lease.exclusive(on_wait):
            return await self._handed_over(draft, projection, work)

    async def _handed_over(self, draft: Draft, projection: str, work: LongWork) -> int:
        generation = await draft.as_generation(projection, work)
        work.begin(f"{projection}: catching up")
        head = await self.feed.head()
        while not await self._took_over(projection, generation, head):
            pass
        return generation.number

    async def _took_over(self, projection: str, generation: Generation, head: int) -> bool:
        """Serve once nothing is missing that was served, else come a batch closer.

        At rest, so that what is served stands still; and because whoever is erased between two
        batches must not be written anew.
        """
        async with self.at_rest():
            served = await self.cards.reached(projection)
            if await generation.cards.reached(projection) >= max(head, served):
                await generation.serve()
                return True
            folds = [self.projections[projection]]
            runner = projection_runner(folds, self.feed, generation.cards, Progress())
            await runner.turn()
            return False
