"""Work that nobody waits for, spread over a time so that callers hardly notice it."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from time import monotonic
from typing import TypeVar

from attrs import define, field

T = TypeVar("T")


@define
class Pace:
    """Who is late does not rest, so that it never takes much longer than it must."""

    whole: int
    within: float
    """Seconds that the whole of it may take."""
    now: Callable[[], float] = monotonic
    rest: Callable[[float], Awaitable[None]] = asyncio.sleep
    _done: int = field(default=0, init=False)
    _began: float = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._began = self.now()

    async def did(self, some: int) -> None:
        """Rest until so much would be done if all went evenly."""
        self._done += some
        early = self._began + self.within * self._done / max(self.whole, 1) - self.now()
        if early > 0:
            await self.rest(early)


def few_at_a_time(whole: Sequence[T], few: int) -> Iterator[Sequence[T]]:
    return (whole[start : start + few] for start in range(0, len(whole), few))
