"""Proving read models equal to their history."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from attrs import frozen

from application.caller import Caller
from application.maintenance.generations import Draft, Drafts, Generations, Left, RowDifference
from application.maintenance.progress import LongWork
from application.ports.access import Access
from application.projections.cutover import AtRest, HandOver
from application.projections.view_store import Cards

DRAFT = "verify"
MOST_TOLD = 1_000
"""Differences of a projection that are told; beyond them it is only told that there are more."""

LOOKS, PAUSE = 5, 0.2
"""How often rows are looked at again that another process may be about to write, in seconds."""


@frozen
class FactTold:
    """A fact as people are told of it."""

    position: int
    stream: str
    version: int
    name: str
    at: datetime
    by: str


class FactsTold(Protocol):
    async def at(self, position: int) -> FactTold | None:
        """The fact at the position, nothing if there is none."""
        ...


@frozen
class Difference:
    """A row that is not what the log says, and the facts that explain it."""

    row: RowDifference
    facts: Sequence[FactTold]


@frozen
class Verified:
    projection: str
    upto: int
    """All that was recorded up to this position was compared."""
    differences: Sequence[Difference] = ()
    more: bool = False
    """Whether there are differences beyond those."""
    repaired: int | None = None
    """The generation that replaced what differed."""
    dropped: Sequence[int] = ()
    left: Left | None = None
    """Generations that could not be dropped yet."""

    @property
    def sound(self) -> bool:
        return not self.differences


@frozen
class Verify:
    """Fold the log again and compare every row with what is served.

    Where nothing differs, the generations before are thrown away. What differs can be repaired: a
    generation made of the fresh fold takes over, so that nobody ever reads half of it.
    """

    drafts: Drafts
    generations: Generations
    cards: Cards
    facts: FactsTold
    hand_over: HandOver
    at_rest: AtRest
    access: Access

    async def __call__(
        self, projections: Sequence[str], work: LongWork, *, repair: bool, by: Caller
    ) -> Sequence[Verified]:
        await self.access.permit(by, "projection:verify", "*")
        async with self.drafts.folded(DRAFT, projections, work, afresh=True) as draft:
            done = [await self._verified(draft, name, work, repair) for name in projections]
        await self.drafts.discard(DRAFT)
        return done

    async def _verified(
        self, draft: Draft, projection: str, work: LongWork, repair: bool
    ) -> Verified:
        wrong = await self._wrong(draft, projection, work)
        upto = await draft.reached(projection)
        if not wrong:
            dropped = await self.generations.drop_old(projection)
            left = await self.generations.left(projection)
            return Verified(projection, upto, dropped=dropped, left=left)
        told = [Difference(one, await self._explained(one)) for one in wrong[:MOST_TOLD]]
        repaired = await self.hand_over(draft, projection, work) if repair else None
        return Verified(projection, upto, told, len(wrong) > MOST_TOLD, repaired)

    async def _wrong(
        self, draft: Draft, projection: str, work: LongWork
    ) -> Sequence[RowDifference]:
        """What differs for good; not all of it, if that is more than anyone wants to read."""
        wrong: list[RowDifference] = []
        suspects: list[RowDifference] = []
        async for one in draft.differences(projection, work):
            suspects.append(one)
            if len(suspects) == MOST_TOLD:
                wrong += await self._settled(draft, projection, suspects)
                suspects.clear()
            if len(wrong) > MOST_TOLD:
                return wrong
        return [*wrong, *await self._settled(draft, projection, suspects)]

    async def _settled(
        self, draft: Draft, projection: str, suspects: Sequence[RowDifference]
    ) -> Sequence[RowDifference]:
        """Those that differ once both are at the same position."""
        for look in range(LOOKS):
            async with self.at_rest():
                reached = await self.cards.reached(projection)
                await draft.fold(projection, upto=reached)
                suspects = await draft.again(projection, suspects)
            if not any(_may_be_ahead(one, reached) for one in suspects):
                break
            if look < LOOKS - 1:
                await asyncio.sleep(PAUSE)
        return suspects

    async def _explained(self, row: RowDifference) -> Sequence[FactTold]:
        facts = [await self.facts.at(position) for position in row.positions()]
        return [fact for fact in facts if fact is not None]


def _may_be_ahead(difference: RowDifference, reached: int) -> bool:
    """Whether another process may be in the middle of writing it, or of taking it away: progress
    comes last.
    """
    if difference.found is None:
        return True
    position = difference.found.get("position")
    return isinstance(position, int) and position > reached
