"""Reading the log in batches that grow while there is more, and are small at its end."""

from collections.abc import Sequence

from attrs import define, field

from application.recorded import Recorded
from application.subscriptions.feed import Feed

BATCH = 256


@define
class GrowingBatches:
    """Remembers what was read and not handled by all followers; that comes first."""

    feed: Feed
    largest: int = BATCH
    size: int = BATCH
    is_full: bool = field(default=False, init=False)
    """Whether there may be more behind the last batch."""
    _kept: list[Recorded] = field(factory=list, init=False)

    async def read(self, after: int) -> Sequence[Recorded]:
        """Facts beyond the position, in order; empty if there are none."""
        self._kept = self._kept_beyond(after) or await self._more(after)
        return self._kept

    def holds(self, after: int) -> bool:
        """Whether some beyond the position were read already."""
        return bool(self._kept_beyond(after))

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
        self.is_full = len(facts) >= self.size
        self.size = min(2 * self.size, self.largest) if self.is_full else BATCH
        return facts
