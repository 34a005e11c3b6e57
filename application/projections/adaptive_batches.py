"""Reading the log in batches that grow while there is more, and are small at its end."""

from collections.abc import Sequence

from attrs import define, field

from application.recorded import Recorded
from application.subscriptions.feed import Feed
from application.subscriptions.follower import BATCH

LARGEST_BATCH = 4_096
"""Facts folded at once when far behind: the more, the fewer rows are written twice."""


@define
class GrowingBatches:
    """What was read and not all have folded yet is kept, and comes first."""

    feed: Feed
    size: int = BATCH
    _kept: list[Recorded] = field(factory=list)

    async def read(self, after: int) -> Sequence[Recorded]:
        """What was recorded beyond the position, in order; nothing if there is nothing."""
        self._kept = self._kept_beyond(after) or await self._more(after)
        return self._kept

    def forget(self) -> None:
        self._kept = []

    def _kept_beyond(self, after: int) -> list[Recorded]:
        """Positions have no gaps."""
        skipped = after + 1 - self._kept[0].position if self._kept else -1
        return self._kept[skipped:] if skipped >= 0 else []

    async def _more(self, after: int) -> list[Recorded]:
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
