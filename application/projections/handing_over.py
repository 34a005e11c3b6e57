"""Handing over: a new generation catches up with the log and is read from then on."""

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager

from attrs import frozen

from application.ports.cards import Cards
from application.ports.drafts import Draft
from application.ports.feed import Feed
from application.ports.long_work import LongWork
from application.projections.progress import Progress
from application.projections.projection import Projection
from application.projections.runner import Runner

AtRest = Callable[[], AbstractAsyncContextManager[None]]


@frozen
class HandOver:
    """Only projections are run on the new generation: nothing is sent, and no policy acts."""

    projections: Mapping[str, Projection]
    feed: Feed
    at_rest: AtRest
    """Between two batches of whoever folds into the tables that are served."""

    async def __call__(self, draft: Draft, projection: str, work: LongWork) -> int:
        """Returns the number of the generation that is read now."""
        generation = await draft.as_generation(projection, work)
        work.begin(f"{projection}: catching up")
        while not await self._caught_up(projection, generation.cards):
            pass
        async with self.at_rest():
            # What was recorded since; then nothing can come between.
            await self._runner(projection, generation.cards).catch_up()
            await generation.serve()
        return generation.number

    async def _caught_up(self, projection: str, cards: Cards) -> bool:
        # At rest even here: whoever is erased between two batches must not be written anew.
        async with self.at_rest():
            runner = self._runner(projection, cards)
            await runner.resume()
            return not await runner.step()

    def _runner(self, projection: str, cards: Cards) -> Runner:
        return Runner([self.projections[projection]], self.feed, cards, Progress())
