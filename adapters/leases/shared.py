"""
Leases among processes that know nothing of each other but what is written on a board.

A holder renews what it holds now and then. The others look now and then; they take a lease that
nobody holds, or whose stamp has not changed for as long as a lease lasts. So that work is spread,
whoever holds fewer leases asks for one of somebody who holds more, and gets it with the next
renewal: one at a time, and only if that makes the two more equal.
"""

import time
from collections.abc import Callable
from contextlib import suppress

from attrs import define, field, frozen

from adapters.leases.lease import NOBODY, LeaseBoard, LeaseRecord
from application.errors import Unavailable


@frozen
class Manners:
    """Seconds."""

    lasts: float = 6.0
    """After how long without a renewal a holder is taken to be gone."""
    renewed: float = 2.0
    """How often a holder renews."""
    look: float = 1.0
    """How often one that does not hold it looks."""


@frozen
class Ours:
    lease: LeaseRecord
    since: float
    """When it was renewed last; before the renewal was sent, so that we never think it longer."""


@frozen
class Theirs:
    lease: LeaseRecord
    since: float
    """When its stamp was first seen."""
    looked: float


@define
class SharedLeases:
    board: LeaseBoard
    me: str
    manners: Manners = Manners()
    now: Callable[[], float] = time.monotonic
    _ours: dict[str, Ours] = field(factory=dict)
    _theirs: dict[str, Theirs] = field(factory=dict)
    _asked_for: str | None = None
    """One at a time: those who ask for many at once would get too many."""

    async def hold(self, name: str) -> bool:
        if name in self._ours:
            return await self._kept(name, self._ours[name])
        seen = self._theirs.get(name)
        if seen is not None and self.now() - seen.looked < self.manners.look:
            return False
        return await self._taken(name)

    async def release(self, name: str) -> None:
        ours = self._ours.pop(name, None)
        if ours is None:
            return
        # Whoever cannot say that it is free lets it run out.
        with suppress(Unavailable):
            present = await self.board.replace(name, ours.lease.of(NOBODY, 0))
            if present.owner == self.me:
                await self.board.replace(name, present.of(NOBODY, 0))

    # What is ours.

    async def _kept(self, name: str, ours: Ours) -> bool:
        age = self.now() - ours.since
        if age < self.manners.renewed:
            return True
        try:
            return await self._renewed(name, ours.lease)
        except Unavailable:
            if age < self.manners.lasts:
                return True
            del self._ours[name]
            raise

    async def _renewed(self, name: str, lease: LeaseRecord) -> bool:
        began = self.now()
        wanted = lease.of(self.me, len(self._ours))
        present = await self.board.replace(name, wanted)
        if present == wanted:
            self._ours[name] = Ours(present, began)
            return True
        if present.owner != self.me:
            del self._ours[name]
            return False
        return await self._asked(name, present)

    async def _asked(self, name: str, lease: LeaseRecord) -> bool:
        """Somebody has written on our lease that it wants it."""
        if lease.is_wanted and len(self._ours) > lease.wanted_load + 1:
            await self.board.replace(name, lease.of(lease.wanted_by, lease.wanted_load + 1))
            del self._ours[name]
            return False
        return await self._renewed(name, lease)

    # What is not.

    async def _taken(self, name: str) -> bool:
        began = self.now()
        present = await self.board.read(name)
        if present.owner in (NOBODY, self.me) or self._is_gone(name, present):
            wanted = present.of(self.me, len(self._ours) + 1)
            present = await self.board.replace(name, wanted)
            if present == wanted:
                self._got(name, Ours(present, began))
                return True
        self._saw(name, present)
        await self._ask_for(name, present)
        return False

    def _got(self, name: str, ours: Ours) -> None:
        self._ours[name] = ours
        self._theirs.pop(name, None)
        if self._asked_for == name:
            self._asked_for = None

    def _is_gone(self, name: str, present: LeaseRecord) -> bool:
        seen = self._theirs.get(name)
        return (
            seen is not None
            and seen.lease.stamp == present.stamp
            and self.now() - seen.since >= self.manners.lasts
        )

    def _saw(self, name: str, lease: LeaseRecord) -> None:
        seen, now = self._theirs.get(name), self.now()
        same = seen is not None and seen.lease.stamp == lease.stamp
        self._theirs[name] = Theirs(lease, seen.since if seen and same else now, now)

    async def _ask_for(self, name: str, lease: LeaseRecord) -> None:
        if self._asked_for == name and lease.wanted_by != self.me:
            self._asked_for = None  # It was declined, or somebody else has it by now.
        if self._asked_for is not None or lease.is_wanted or lease.load <= len(self._ours) + 1:
            return
        wanted = lease.wanted(self.me, len(self._ours))
        if await self.board.replace(name, wanted) == wanted:
            self._asked_for = name
            self._saw(name, wanted)
