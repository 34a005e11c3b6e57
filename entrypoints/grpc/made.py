"""What was made lately of things that do not change, and are shown again and again."""

from collections.abc import Callable
from typing import Generic, TypeVar

from attrs import define, field

A = TypeVar("A")
B = TypeVar("B")

MOST = 5_000


@define
class Made(Generic[A, B]):
    """Makes something of a thing, unless it is the very thing that it was made of before.

    Things are told apart by identity: comparing them would take longer than making. They are held
    on to, so that no other takes their place.
    """

    make: Callable[[A], B]
    most: int = MOST
    _made: dict[int, tuple[A, B]] = field(factory=dict, init=False)

    def of(self, thing: A) -> B:
        known = self._made.get(id(thing))
        if known is not None:
            return known[1]
        made = self.make(thing)
        if len(self._made) >= self.most:
            # Those that are asked for are soon made again; finding them would cost every read.
            self._made.clear()
        self._made[id(thing)] = (thing, made)
        return made
