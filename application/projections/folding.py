"""Folding facts into one projection, and filing what they changed in pieces that fit."""

import asyncio
from collections.abc import Callable, Sequence

from attrs import define, field

from application.projections.batch import Batch
from application.projections.progress import Reached
from application.projections.projection import Projection
from application.projections.quarantined_facts import SetAside
from application.projections.view_cache import KnownCards
from application.projections.view_store import Cards, TooMuchAtOnce
from application.recorded import Recorded
from application.subscriptions.batches import BATCH

LARGEST_FILING = 512
"""Cards filed at once when far behind, or what one more fact changes: whoever appends to the same
file waits that long."""


@define
class Folding:
    """Of all projections of a process: what was filed lately is known to each."""

    cards: Cards
    most_filed: int = LARGEST_FILING
    on_set_aside: Callable[[SetAside], None] = lambda fact: None
    _may_file: dict[str, int] = field(factory=dict)
    """How many cards at once, where more were too much lately."""
    _known: KnownCards = field(factory=KnownCards)

    def forget(self) -> None:
        """Remember nothing of what was read: it may be read otherwise from now on."""
        self._known.forget()

    async def fold(
        self, projection: Projection, facts: Sequence[Recorded], *, reached: int
    ) -> Reached:
        """Fold the first of the facts, until so many cards have changed, and file those.

        Returns how far the projection is now, whichever process filed it.

        Raises:
            TooMuchAtOnce: What one fact changes is too much already.
        """
        batch = await Batch.of(projection, facts, self.cards, self._known.filed)
        filed = await self.cards.reached(projection.name)
        if filed != reached:
            # Another runner has filed meanwhile: the cards just read may be of two times.
            self._known.forget()
            return Reached(filed)
        self._known.found(batch.filed)
        most = self._may_file.get(projection.name, self.most_filed)
        last = await _folded(batch, projection, most) or facts[-1]
        try:
            await self.cards.file(projection.name, batch.changes, upto=last.position)
        except TooMuchAtOnce:
            if most == 1 or len(batch.facts) <= 1:
                raise
            self._may_file[projection.name] = max(1, len(batch.changes) // 2)
            return await self.fold(projection, facts, reached=reached)
        self._may_file[projection.name] = min(2 * most, self.most_filed)
        self._known.remember(batch.changes)
        for fact in batch.set_aside:
            self.on_set_aside(fact)
        return Reached(last.position, last.at)


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
