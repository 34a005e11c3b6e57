"""Taking evidence: it is sifted, and what belongs to the sample is kept."""

from collections.abc import Sequence

from attrs import evolve, frozen

from application.caller import Caller
from application.evidence.outcomes import Outcome
from application.evidence.sampling import Sift
from application.evidence.writer import EvidenceKeeper
from application.ports.access import Access
from application.ports.clock import Clock
from domain.timestamps import to_millisecond


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
            # Not when it came: of one id the first that is recorded counts, which must be the
            # first that is kept. Others may have been sifted, and kept, in less time.
            at = to_millisecond(self.clock.now())
            await self.keeper.keep([evolve(one, recorded_at=at) for one in sifted.kept])
        return sifted.outcomes
