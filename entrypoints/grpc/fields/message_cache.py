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
        known = self._made.pop(id(thing), None) or (thing, self.make(thing))
        # The last ones are those that were asked for last.
        self._made[id(thing)] = known
        while len(self._made) > self.most:
            del self._made[next(iter(self._made))]
        return known[1]
