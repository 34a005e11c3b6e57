"""Long answers, a page at a time."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from attrs import field, frozen

T = TypeVar("T")
U = TypeVar("U")

Cursor = tuple[str, ...]
"""Where the next page begins; only whoever made it knows what it says."""


@frozen
class PageRequest:
    size: int = 50
    after: Cursor | None = None


@frozen
class Page(Generic[T]):
    items: Sequence[T]
    next: Cursor | None = None
    places: Sequence[Cursor] = field(default=(), eq=False)
    """Where a page begins that follows each of the items; nothing where nobody goes on so."""

    def map(self, change: Callable[[T], U]) -> "Page[U]":
        return Page([change(item) for item in self.items], self.next, self.places)
