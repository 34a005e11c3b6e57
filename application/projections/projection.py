"""What a projection is: it says which cards a fact concerns and what becomes of them."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from application.projections.view_store import Card, Group, Key
from application.recorded import Recorded

Changes = Iterable[tuple[Key, Card | None]]


class View(Protocol):
    """The cards as they are before the fact."""

    def get(self, key: Key) -> Any:
        """The card, or nothing."""
        ...

    def group(self, group: Group) -> Mapping[Key, Card]: ...


class Projection(Protocol):
    @property
    def name(self) -> str:
        """Under which its progress is kept."""
        ...

    def concerns(self, fact: object, version: int) -> bool:
        """Whether a fact, of that version of its stream, may change a card at all.

        Asked of every fact there is: most are none of a projection's business.
        """
        ...

    def keys(self, recorded: Recorded) -> Iterable[Key]:
        """The cards that the fact is folded into."""
        ...

    def groups(self, recorded: Recorded) -> Iterable[Group]:
        """The groups of which every card is."""
        ...

    def after(self, view: View, recorded: Recorded) -> Changes:
        """What the cards become."""
        ...
