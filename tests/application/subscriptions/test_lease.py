"""A lease is held for as long as the work within takes, and taken over from those who are gone."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from attrs import define, field

from adapters.leases.shared import Manners, SharedLeases
from adapters.memory.leases import MemoryLeaseBoard, OwnLeases
from application.errors import Unavailable
from application.subscriptions import lease as module
from application.subscriptions.lease import Lease
from tests.support.event_loop_turns import others_go_on


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
    monkeypatch.setattr(module, "RENEWED_EVERY", 0)
    leases = FlakyLeases()

    async def work() -> None:
        async with Lease(leases, "the work").exclusive(), asyncio.timeout(10):
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
    monkeypatch.setattr(module, "LOOKED_EVERY", 0)
    told: list[str] = []

    async def go() -> float:
        board = MemoryLeaseBoard()
        assert await SharedLeases(board, "killed").hold("the work")
        passing = Passing(board, nothing)
        async with Lease(passing, "the work").exclusive(lambda: told.append("waiting")):
            return passing.seconds

    assert asyncio.run(go()) == 1 + Manners().lasts
    assert told == ["waiting"]


def test_who_is_still_at_it_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOOKED_EVERY", 0)

    async def go() -> None:
        board, seconds = MemoryLeaseBoard(), iter(range(1_000))
        other = SharedLeases(board, "another", now=lambda: next(seconds))
        assert await other.hold("the work")
        passing = Passing(board, lambda: other.hold("the work"))
        with pytest.raises(Unavailable, match="another process is at it; try again"):
            async with Lease(passing, "the work").exclusive():
                pass
        assert await other.hold("the work")

    asyncio.run(go())


def test_what_no_other_process_does_is_always_ours() -> None:
    async def go() -> bool:
        lease = Lease(None, "the work")
        async with lease.exclusive(), lease.renewed():
            pass
        await lease.release()
        return await lease.hold()

    assert asyncio.run(go())


def test_within_a_process_one_works_and_another_waits_or_lets_it_be() -> None:
    async def go() -> list[str]:
        lease, done, working = Lease(OwnLeases(), "the work"), list[str](), asyncio.Event()

        async def work() -> None:
            working.set()
            await others_go_on()
            done.append("first")

        async def never() -> None:
            done.append("never")

        first = asyncio.create_task(lease.if_free(work))
        await working.wait()
        await lease.if_free(never)
        async with lease.exclusive():
            done.append("second")
        await first
        return done

    assert asyncio.run(go()) == ["first", "second"]


def test_what_another_process_does_is_not_done_here() -> None:
    async def go() -> None:
        board = MemoryLeaseBoard()
        other = SharedLeases(board, "another")
        assert await other.hold("the work")

        async def never() -> None:
            raise AssertionError("another process is at it")

        await Lease(SharedLeases(board, "me"), "the work").if_free(never)
        assert await other.hold("the work")

    asyncio.run(go())


def test_a_lease_is_free_after_work_that_failed() -> None:
    async def go() -> None:
        board = MemoryLeaseBoard()

        async def fail() -> None:
            raise Unavailable("the archive", "of a test")

        with pytest.raises(Unavailable):
            await Lease(SharedLeases(board, "me"), "the work").if_free(fail)
        assert await SharedLeases(board, "another").hold("the work")

    asyncio.run(go())
