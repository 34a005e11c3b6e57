"""Checkpoints: stored positions of handlers that write no rows of their own."""

import asyncio
from math import inf

from attrs import define, field

from application.projections.view_store import Cards

STORED_EVERY, STORED_AFTER = 1_000, 10.0
"""Facts, and seconds after which a smaller step is stored, too."""


@define
class Checkpoint:
    """Stored now and then only: a fact that is handled again does no harm."""

    cards: Cards
    key: str
    stored_after: float = STORED_AFTER
    marks_empty: bool = False
    """Whether to remember a beginning on an empty log, which no position can express."""
    _stored: int = field(default=0, init=False)
    _stored_at: float = field(default=-inf, init=False)

    async def read(self) -> int:
        return await self.cards.reached(self.key)

    async def find(self) -> int | None:
        """None if it was never stored."""
        self._stored = await self.read()
        if self._stored or (self.marks_empty and await self.cards.reached(self._began_empty)):
            return self._stored
        return None

    async def begin(self, at: int) -> None:
        """Store it before anything is handled. Else facts that come until then would be skipped
        after a restart: a new handler begins at the end of the log.
        """
        if at:
            await self.store(at)
        elif self.marks_empty:
            await self.cards.file(self._began_empty, {}, upto=1)

    async def store(self, position: int) -> None:
        self._stored_at = _now()
        if position > self._stored:
            await self.cards.file(self.key, {}, upto=position)
            self._stored = position

    async def store_if_due(self, position: int) -> None:
        """If it is far behind, or old."""
        is_old = _now() - self._stored_at >= self.stored_after
        if position - self._stored >= STORED_EVERY or is_old:
            await self.store(position)

    @property
    def _began_empty(self) -> str:
        return f"{self.key}/began-empty"


def _now() -> float:
    return asyncio.get_running_loop().time()
