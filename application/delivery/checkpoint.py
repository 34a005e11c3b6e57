"""How far an outbox came, kept where projections keep it."""

import asyncio
from collections.abc import Awaitable, Callable
from math import inf

from attrs import define

from application.projections.view_store import Cards

KEPT_EVERY = 1_000


@define
class Bookmark:
    cards: Cards
    name: str
    kept_after: float
    """Seconds after which it is worth moving for little."""
    kept: int = 0
    _kept_at: float = -inf

    async def find(self, first: Callable[[], Awaitable[int]]) -> int:
        """Where to go on; `first` says where to begin if it was never kept."""
        self.kept = await self.cards.reached(self.name)
        if not self.kept and not await self.cards.reached(self._began_empty):
            await self._begin(await first())
        return self.kept

    def is_due(self, at: int) -> bool:
        """Whether it should be moved, though nothing was sent: it is far behind, or old."""
        now = asyncio.get_running_loop().time()
        return at - self.kept >= KEPT_EVERY or now - self._kept_at >= self.kept_after

    async def move(self, to: int) -> None:
        self._kept_at = asyncio.get_running_loop().time()
        if to > self.kept:
            await self.cards.file(self.name, {}, upto=to)
            self.kept = to

    async def _begin(self, at: int) -> None:
        """Kept before anything is sent. Else what comes until then would be past, after a stop."""
        if at:
            await self.move(at)
        else:
            await self.cards.file(self._began_empty, {}, upto=1)

    @property
    def _began_empty(self) -> str:
        """Says that it began before anything was recorded, which no position can say."""
        return f"{self.name}/began-empty"
