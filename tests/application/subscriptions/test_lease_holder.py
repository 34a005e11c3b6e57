"""A lease is held for as long as the work within takes, and taken over from those who are gone."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from attrs import define, field

from adapters.leases.shared import Manners, SharedLeases
from adapters.memory.leases import MemoryLeaseBoard
from application.errors import Unavailable
from application.subscriptions import lease_holder
from application.subscriptions.lease_holder import held


@define
class FlakyLeases:
    """Does not answer the first renewal."""

    asked: int = 0
    renewed: asyncio.Event = field(factory=asyncio.Event)
    released: list[str] = field(factory=list)

    async def hold(self, name: str) -> bool:
        self.asked += 1
        if self.asked == 2:
            raise Unavailable("the lease", "it does not answer")
        if self.asked > 2:
            self.renewed.set()
        return True

    async def release(self, name: str) -> None:
        self.released.append(name)


def test_a_renewal_that_fails_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease_holder, "RENEWED_EVERY", 0)
    leases = FlakyLeases()

    async def work() -> None:
        async with held(leases, "the work"), asyncio.timeout(10):
            await leases.renewed.wait()

    asyncio.run(work())
    assert leases.released == ["the work"]


@define
class Passing:
    """Every look takes a second; others may do something meanwhile."""

    board: MemoryLeaseBoard
    meanwhile: Callable[[], Awaitable[object]]
    seconds: float = 0.0
    leases: SharedLeases = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.leases = SharedLeases(self.board, "me", now=lambda: self.seconds)

    async def hold(self, name: str) -> bool:
        self.seconds += 1.0
        await self.meanwhile()
        return await self.leases.hold(name)

    async def release(self, name: str) -> None:
        await self.leases.release(name)


async def nothing() -> None: ...


def test_what_a_killed_one_held_is_taken_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command is run once: it sees by itself that nobody renews any more."""
    monkeypatch.setattr(lease_holder, "LOOKED_EVERY", 0)
    told: list[str] = []

    async def go() -> float:
        board = MemoryLeaseBoard()
        assert await SharedLeases(board, "killed").hold("the work")
        passing = Passing(board, nothing)
        async with held(passing, "the work", lambda: told.append("waiting")):
            return passing.seconds

    assert asyncio.run(go()) == 1 + Manners().lasts
    assert told == ["waiting"]


def test_who_is_still_at_it_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease_holder, "LOOKED_EVERY", 0)

    async def go() -> None:
        board, seconds = MemoryLeaseBoard(), iter(range(1_000))
        other = SharedLeases(board, "another", now=lambda: next(seconds))
        assert await other.hold("the work")
        passing = Passing(board, lambda: other.hold("the work"))
        with pytest.raises(Unavailable, match="another process is at it; try again"):
            async with held(passing, "the work"):
                pass
        assert await other.hold("the work")

    asyncio.run(go())
