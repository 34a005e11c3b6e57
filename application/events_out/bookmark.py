"""How far an outbox came, kept where projections keep it."""

from collections.abc import Awaitable, Callable

from attrs import define

from application.ports.cards import Cards


@define
class Bookmark:
    cards: Cards
    name: str
    kept: int = 0

    async def find(self, first: Callable[[], Awaitable[int]]) -> int:
        """Where to go on; `first` says where to begin if it was never kept."""
        self.kept = await self.cards.reached(self.name)
        if not self.kept and not await self.cards.reached(self._began_empty):
            await self._begin(await first())
        return self.kept

    async def move(self, to: int) -> None:
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
