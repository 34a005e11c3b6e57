"""Reading the log in batches that grow while there is more, and are small at its end."""

from collections.abc import Sequence

from attrs import define

from application.following import BATCH
from application.ports.feed import Feed
from application.recorded import Recorded

LARGEST_BATCH = 4_096
"""Facts folded at once when far behind: the more, the fewer rows are written twice."""


@define
class GrowingBatches:
    feed: Feed
    size: int = BATCH

    async def read(self, after: int) -> Sequence[Recorded]:
        """What was recorded beyond the position, in order; nothing if there is nothing."""
        facts: list[Recorded] = []
        while len(facts) < self.size:
            page = await self.feed.read(after, BATCH)
            facts += page
            if len(page) < BATCH:
                break
            after = page[-1].position
        full = len(facts) >= self.size
        self.size = min(2 * self.size, LARGEST_BATCH) if full else BATCH
        return facts
