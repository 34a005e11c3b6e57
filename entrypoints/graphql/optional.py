"""What may not be there."""

from collections.abc import Callable
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")


def told(thing: A | None, as_: Callable[[A], B]) -> B | None:
    """The thing as dashboards see it, nothing if there is none."""
    return None if thing is None else as_(thing)
