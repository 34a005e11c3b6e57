"""How far those projections are that other processes fold, so that reads here can wait for them."""

import asyncio
from collections.abc import Callable, Collection, Sequence

from attrs import define

from application.projections.progress import Progress, Reached
from application.projections.view_store import Cards
from application.subscriptions.backoff import keep_trying

NAME = "watcher"
OFTEN, RARELY = 0.015, 1.0
"""Seconds between looks: while somebody waits, and otherwise."""


@define
class Watcher:
    """Looks often at what somebody waits for, rarely at the rest, never at what is folded here."""

    projections: Sequence[str]
    cards: Cards
    progress: Progress
    folded_here: Callable[[], Collection[str]]
    on_trouble: Callable[[Exception], None] = lambda error: None

    async def run(self) -> None:
        """Watch until cancelled."""
        await keep_trying(NAME, self._look_and_wait, self.progress, self.on_trouble)

    async def look(self) -> None:
        """Find out how far the others' projections are."""
        await self._look_at(self._others())

    async def _look_and_wait(self) -> None:
        others = self._others()
        wanted = self.progress.waited_for(others)
        await self._look_at(wanted or others)
        if self.progress.waited_for(others):
            await asyncio.sleep(OFTEN)
        else:
            await self.progress.called(others, timeout=RARELY)

    def _others(self) -> Collection[str]:
        here = self.folded_here()
        return [name for name in self.projections if name not in here]

    async def _look_at(self, names: Collection[str]) -> None:
        for name in names:
            position = await self.cards.reached(name)
            # What is folded here by now, the runner knows better.
            known = self.progress.reached(name).position
            if name not in self.folded_here() and position != known:
                self.progress.moved(name, Reached(position))
