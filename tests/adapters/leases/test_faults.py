"""Leases whose board does not answer."""

import asyncio

import pytest
from attrs import define

from adapters.leases.lease import LeaseRecord
from adapters.leases.shared import SharedLeases
from adapters.memory.leases import MemoryLeaseBoard
from application.errors import Unavailable
from tests.adapters.leases.boards import MANNERS


@define
class Flaky:
    """A board that can be away, and that can store what it does not confirm."""

    inner: MemoryLeaseBoard
    away: bool = False
    loses_replies: bool = False

    async def read(self, name: str) -> LeaseRecord:
        if self.away:
            raise Unavailable("the lease", "it is away")
        return await self.inner.read(name)

    async def replace(self, name: str, new: LeaseRecord) -> LeaseRecord:
        if self.away:
            raise Unavailable("the lease", "it is away")
        present = await self.inner.replace(name, new)
        if self.loses_replies:
            raise Unavailable("the lease", "no reply")
        return present


@define
class Clock:
    at: float = 0.0

    def __call__(self) -> float:
        return self.at


def test_a_holder_goes_on_while_its_lease_lasts_and_no_longer() -> None:
    async def story() -> None:
        board, clock = Flaky(MemoryLeaseBoard()), Clock()
        leases = SharedLeases(board, "a", MANNERS, clock)
        assert await leases.hold("x")
        board.away = True
        clock.at = MANNERS.lasts - 0.1
        assert await leases.hold("x")
        clock.at = MANNERS.lasts
        with pytest.raises(Unavailable):
            await leases.hold("x")
        board.away = False
        assert await leases.hold("x")

    asyncio.run(story())


def test_a_renewal_without_a_reply_is_recognised() -> None:
    async def story() -> None:
        board, clock = Flaky(MemoryLeaseBoard()), Clock()
        leases = SharedLeases(board, "a", MANNERS, clock)
        assert await leases.hold("x")
        for _ in range(5):
            clock.at += MANNERS.renewed
            board.loses_replies = True
            assert await leases.hold("x")
            board.loses_replies = False
            assert await leases.hold("x")

    asyncio.run(story())


def test_a_lease_taken_without_a_reply_is_ours_at_the_next_look() -> None:
    async def story() -> None:
        board = Flaky(MemoryLeaseBoard(), loses_replies=True)
        leases = SharedLeases(board, "a", MANNERS, Clock())
        with pytest.raises(Unavailable):
            await leases.hold("x")
        board.loses_replies = False
        assert await leases.hold("x")

    asyncio.run(story())


def test_a_release_that_cannot_be_told_harms_nobody() -> None:
    async def story() -> None:
        board, clock = Flaky(MemoryLeaseBoard()), Clock()
        a, b = (SharedLeases(board, name, MANNERS, clock) for name in "ab")
        assert await a.hold("x")
        board.away = True
        await a.release("x")
        board.away = False
        assert not await b.hold("x")
        clock.at += MANNERS.lasts
        assert await b.hold("x")

    asyncio.run(story())
