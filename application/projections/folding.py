"""Folding facts into one projection, and filing what they changed in pieces that fit."""

import asyncio
from collections.abc import Sequence

from attrs import define, field, frozen

from application.following import BATCH
from application.ports.cards import Cards, TooMuchAtOnce
from application.ports.set_aside import SetAside
from application.projections.batch import Batch
from application.projections.known_cards import KnownCards
from application.projections.progress import Reached
from application.projections.projection import Projection
from application.recorded import Recorded


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
        await _folded(batch, projection, most)
        try:
            await self.cards.file(projection.name, batch.changes, upto=batch.facts[-1].position)
        except TooMuchAtOnce:
            if most == 1 or len(batch.facts) == 1:
                raise
            self._may_file[projection.name] = max(1, len(batch.changes) // 2)
            return await self.fold(projection, facts, reached=reached, most_filed=most_filed)
        self._may_file[projection.name] = min(2 * most, most_filed)
        self._known.remember(batch.changes)
        last = batch.facts[-1]
        return Folded(Reached(last.position, last.at), batch.set_aside)


async def _folded(batch: Batch, projection: Projection, most: int) -> None:
    """Fold its facts until so many cards have changed, letting others run now and then."""
    for number, fact in enumerate(batch.facts, 1):
        batch.fold(projection, fact)
        if len(batch.changes) >= most:
            batch.facts = batch.facts[:number]
            return
        if number % BATCH == 0:
            await asyncio.sleep(0)
