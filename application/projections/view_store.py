"""Where projections keep their cards."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from attrs import define, frozen

Key = Any
"""A frozen value that names one card, such as `SignalKey`."""

Card = Any


class Group(Protocol):
    """Names all cards of a kind that belong together, such as `SignalsOf`."""

    def holds(self, key: Key) -> bool: ...


@frozen
class Filed:
    """A card and the position of the fact that changed it last."""

    card: Card
    position: int


@define
class TooMuchAtOnce(Exception):
    """So many cards cannot be filed all or nothing; nothing was. Fewer facts make fewer cards."""

    cards: int

    def __str__(self) -> str:
        return f"{self.cards} cards are too many, or too large, to be filed at once"


class Cards(Protocol):
    async def find(self, keys: Iterable[Key]) -> Mapping[Key, Filed]:
        """The cards there are under the keys."""
        ...

    async def group(self, group: Group) -> Mapping[Key, Filed]:
        """All cards of a group."""
        ...

    async def file(
        self, projection: str, changes: Mapping[Key, tuple[Card | None, int]], *, upto: int
    ) -> None:
        """Put the cards (or take away, where there is none) and remember how far this went.

        A card is replaced only at a later position than its own. If this ends half done, folding
        again from `reached` leads to the same cards.

        Raises:
            TooMuchAtOnce: Nothing was filed; fewer facts can be.
            Unavailable: Not all could be filed now.
        """
        ...

    async def reached(self, projection: str) -> int:
        """How far the projection has gone."""
        ...
