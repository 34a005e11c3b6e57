"""Filling read models anew while the old ones are served."""

from collections.abc import Sequence

from attrs import frozen

from application.caller import Caller
from application.maintenance.generations import Drafts
from application.maintenance.progress import LongWork
from application.ports.access import Access
from application.projections.cutover import HandOver

DRAFT = "rebuild"


@frozen
class Rebuilt:
    projection: str
    generation: int
    events: int
    """Folded from the log, what was recorded meanwhile not counted."""


@frozen
class Rebuild:
    """Fold the log into a new generation of tables, and read from it once it has caught up.

    Interrupted, the next one goes on where this one's fold ended. The generation before stays
    until it is known that the new one is right: see `Verify`.
    """

    drafts: Drafts
    hand_over: HandOver
    access: Access

    async def __call__(
        self, projections: Sequence[str], work: LongWork, *, by: Caller, afresh: bool = False
    ) -> Sequence[Rebuilt]:
        await self.access.permit(by, "projection:rebuild", "*")
        done: list[Rebuilt] = []
        async with self.drafts.folded(DRAFT, projections, work, afresh=afresh) as draft:
            for name in projections:
                events = await draft.reached(name)
                number = await self.hand_over(draft, name, work)
                done.append(Rebuilt(name, number, events))
        await self.drafts.discard(DRAFT)
        return done
