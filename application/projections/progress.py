"""How far the projections have come, as this process knows, and waiting until they have."""

import asyncio
from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import datetime

from attrs import define, field, frozen


@frozen
class Reached:
    """The last position folded in, and when its fact was recorded."""

    position: int = 0
    at: datetime | None = None


_NOWHERE = Reached()


@define
class Progress:
    _troubles: dict[str, str] = field(factory=dict)
    _reached: dict[str, Reached] = field(factory=dict)
    _waiters: dict[str, list[tuple[int, asyncio.Future[None]]]] = field(factory=dict)
    _called: asyncio.Event = field(factory=asyncio.Event)

    @property
    def trouble(self) -> str | None:
        """Why some of those who follow the log do not follow it now, if so."""
        told = [f"{who}: {why}" for who, why in sorted(self._troubles.items())]
        return "; ".join(told) or None

    def trouble_of(self, who: str) -> str | None:
        return self._troubles.get(who)

    def stuck(self, who: str, reason: str) -> None:
        self._troubles[who] = reason

    def goes_on(self, who: str) -> None:
        self._troubles.pop(who, None)

    def moved(self, projection: str, reached: Reached) -> None:
        self._reached[projection] = reached
        waiting = self._waiters.get(projection)
        if not waiting:
            return
        self._waiters[projection] = [w for w in waiting if w[0] > reached.position]
        for position, waiter in waiting:
            if position <= reached.position and not waiter.done():
                waiter.set_result(None)

    def reached(self, projection: str) -> Reached:
        return self._reached.get(projection, _NOWHERE)

    def all(self) -> Mapping[str, Reached]:
        return dict(self._reached)

    async def wait(self, projection: str, position: int, *, timeout: float) -> bool:
        """Return whether the projection reached the position in time."""
        if self.reached(projection).position >= position:
            return True
        waiter = asyncio.get_running_loop().create_future()
        entry = (position, waiter)
        self._waiters.setdefault(projection, []).append(entry)
        self._called.set()
        try:
            async with asyncio.timeout(timeout):
                await waiter
        except TimeoutError:
            return False
        finally:
            if entry in self._waiters[projection]:
                self._waiters[projection].remove(entry)
        return True

    def waited_for(self, projections: Collection[str]) -> Collection[str]:
        """Those of the projections that somebody waits for."""
        return [name for name in projections if self._waiters.get(name)]

    async def called(self, projections: Collection[str], *, timeout: float) -> None:
        """Return as soon as somebody waits for one of them, or when the time is up."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                while not self.waited_for(projections):
                    self._called.clear()
                    await self._called.wait()
