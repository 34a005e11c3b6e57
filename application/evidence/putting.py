"""Taking evidence: it is sifted, and what belongs to the sample is kept."""

from collections.abc import Sequence

from attrs import frozen

from application.caller import Caller
from application.evidence.keeper import EvidenceKeeper
from application.evidence.outcomes import Outcome
from application.evidence.sifting import Sift
from application.ports.access import Access
from application.ports.clock import Clock


@frozen
class PutEvidence:
    keeper: EvidenceKeeper
    access: Access
    clock: Clock

    async def __call__(self, sift: Sift, *, by: Caller) -> Sequence[Outcome]:
        """What became of each report, in their order. One that is wrong does not stop the others.

        Raises:
            Overloaded: As much as there is room for waits to be kept; none of these is.
            Unavailable: The archive does not answer; none of these is known to be kept.
        """
        await self.access.permit(by, "evidence:put", "evidence")
        sifted = await sift(self.clock.now())
        if sifted.kept:
            await self.keeper.keep(sifted.kept)
        return sifted.outcomes
