"""Folding facts into one projection, and filing what they changed in pieces that fit."""

import asyncio
from collections.abc import Sequence

from attrs import define, field, frozen

from application.projections.batch import Batch
from application.projections.progress import Reached
from application.projections.projection import Projection
from application.projections.quarantined_facts import SetAside
from application.projections.view_cache import KnownCards
from application.projections.view_store import Cards, TooMuchAtOnce
from application.recorded import Recorded
from application.subscriptions.batches import BATCH


@frozen
class Folded:
    reached: Reached
    """How far the projection is now, whoever filed it."""
    set_aside: Sequence[SetAside] = ()


@define
class Folding:
    cards: Cards
    _may_file: dict[str, int] = field(factory=dict)
    """How many cards at once, where more were too much lately."""
    _known: KnownCards = field(factory=KnownCards)

    def forget(self) -> None:
        """Remember nothing of what was read: it may be read otherwise from now on."""
        self._known.forget()

    async def fold(
        self, projection: Projection, facts: Sequence[Recorded], *, reached: int, most_filed: int
    ) -> Folded:
        """Fold the first of the facts, until so many cards have changed, and file those.

        Raises:
            TooMuchAtOnce: What one fact changes is too much already.
        """
        batch = await Batch.of(projection, facts, self.cards, self._known.filed)
        filed = await self.cards.reached(projection.name)
        if filed != reached:
            # Another runner has filed meanwhile: the cards just read may be of two times.
            self._known.forget()
            return Folded(Reached(filed))
        self._known.found(batch.filed)
        most = self._may_file.get(projection.name, most_filed)
        last = await _folded(batch, projection, most) or facts[-1]
        try:
            await self.cards.file(projection.name, batch.changes, upto=last.position)
        except TooMuchAtOnce:
            if most == 1 or len(batch.facts) <= 1:
                raise
            self._may_file[projection.name] = max(1, len(batch.changes) // 2)
            return await self.fold(projection, facts, reached=reached, most_filed=most_filed)
        self._may_file[projection.name] = min(2 * most, most_filed)
        self._known.remember(batch.changes)
        return Folded(Reached(last.position, last.at), batch.set_aside)


async def _folded(batch: Batch, projection: Projection, most: int) -> Recorded | None:
    """Fold its facts until so many cards have changed, letting others run now and then.

    Returns the fact after which it stopped, if there are others left.
    """
    for number, fact in enumerate(batch.facts, 1):
        batch.fold(projection, fact)
        if len(batch.changes) >= most:
            batch.facts = batch.facts[:number]
            return fact
        if number % BATCH == 0:
            await asyncio.sleep(0)
    return None
