"""What the cache lacks is put there, batches are sorted only then; trouble stops nothing else."""

import asyncio
from collections.abc import Collection
from contextlib import suppress
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from attrs import define, evolve, field

from adapters.leases.shared import SharedLeases
from adapters.memory.evidence_archive import MemoryEvidenceArchive
from adapters.memory.evidence_cache import MemoryEvidenceCache
from adapters.memory.leases import MemoryLeaseBoard
from application.errors import Damaged, Unavailable
from application.evidence.archive import BatchName
from application.evidence.archive_maintenance import ForgetEvidence
from application.evidence.maintenance import (
    FILLED_AGAIN_EVERY,
    LEASE,
    LOOKS_EVERY,
    MANY,
    MUCH,
    SORTED_EVERY,
)
from application.evidence.progress import UNTOLD
from application.subscriptions.lease import Lease
from domain.evidence.evidence import Evidence
from tests.application.evidence.samples import Broken, some_evidence, telling
from tests.application.evidence.test_crashes import Anyone, NoPins, Process
from tests.application.store import ADMIN, NOON, StandingClock


def stores() -> tuple[Broken, Broken]:
    return Broken(MemoryEvidenceArchive()), Broken(MemoryEvidenceCache(StandingClock(), telling))


def some(*numbers: int) -> list[Evidence]:
    return [some_evidence(number) for number in numbers]


async def kept(process: Process, *numbers: int) -> BatchName:
    evidence = some(*numbers)
    name: BatchName = await process.archive.keep(evidence)
    await process.filler.fill(name, evidence)
    return name


async def shown(cache: Any, *numbers: int) -> bool:
    names = [one.evidence_id for one in some(*numbers)]
    return len(await cache.named(names)) == len(names)


def test_what_the_cache_did_not_take_is_put_later_and_not_sorted_before() -> None:
    async def scene() -> None:
        archive, cache = stores()
        process = Process(archive, cache)
        await process.upkeep.look()
        wholes = [process.filler.is_whole]
        cache.methods = {"put"}
        name = await kept(process, 1, 2)
        wholes.append(process.filler.is_whole)
        cache.methods = set()
        await process.upkeep.recover()
        assert [*wholes, process.filler.is_whole] == [True, False, True]
        assert await shown(cache, 1, 2)
        await process.upkeep.compact()
        assert name not in await archive.batches()
        assert await shown(archive, 1, 2)

    asyncio.run(scene())


def test_what_is_too_much_to_be_remembered_is_read_from_the_archive_again() -> None:
    async def scene() -> None:
        archive, cache = stores()
        process = Process(archive, cache)
        process.filler.most_held = 3
        await process.upkeep.look()
        cache.methods = {"put"}
        for numbers in ((1, 2), (3, 4), (5,)):
            await kept(process, *numbers)
        held = [len(process.filler._lacking[name]) for name in process.filler.lacking]
        assert held == [2, 0, 1]
        cache.methods = set()
        await process.upkeep.recover()
        assert await shown(cache, 1, 2, 3, 4, 5)
        assert process.filler._held == 0

    asyncio.run(scene())


def test_batches_of_another_process_are_put_before_they_are_sorted() -> None:
    async def scene() -> None:
        archive, cache = stores()
        mine = Process(archive, cache)
        await mine.upkeep.look()
        await archive.keep(some(1, 2))
        await mine.upkeep.compact()
        assert await shown(cache, 1, 2)
        assert not await archive.batches()

    asyncio.run(scene())


def test_a_batch_that_the_cache_does_not_take_is_not_sorted() -> None:
    async def scene() -> None:
        archive, cache = stores()
        process = Process(archive, cache)
        await process.upkeep.look()
        name = await archive.keep(some(1))
        cache.methods = {"put"}
        with pytest.raises(Unavailable):
            await process.upkeep.compact()
        assert name in await archive.batches()

    asyncio.run(scene())


def test_a_cache_that_was_thrown_away_in_part_is_not_taken_for_whole() -> None:
    async def scene() -> None:
        archive, cache = stores()
        process = Process(archive, cache)
        await process.upkeep.look()
        await kept(process, 1)
        cache.methods = {"clear"}
        with pytest.raises(Unavailable):
            await process.filler.empty()
        cache.methods = set()
        after = Process(archive, cache)
        assert not await after.filler.look_at_mark()
        await after.upkeep.recover()
        assert after.filler.is_whole

    asyncio.run(scene())


@define
class DamagedBatch:
    """An archive of which one batch cannot be read."""

    inner: Any
    name: BatchName
    error: Exception | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def batch(self, name: BatchName) -> Any:
        if name == self.name:
            raise self.error or Damaged(self.name, "its checksum differs")
        return await self.inner.batch(name)

    async def compact(self, batches: Collection[BatchName], *more: Any) -> None:
        if self.name in batches:
            raise self.error or Damaged(self.name, "its checksum differs")
        await self.inner.compact(batches, *more)


@define
class Told:
    lines: list[str] = field(factory=list)

    def __call__(self, what: str, error: Exception | None) -> None:
        self.lines.append(f"{what}: {error or 'again'}")


def test_a_damaged_batch_is_told_left_where_it_is_and_stops_no_other() -> None:
    async def scene() -> None:
        inner, cache = stores()
        bad, _ = await inner.keep(some(1)), await inner.keep(some(2))
        told = Told()
        damaged = DamagedBatch(inner, bad)
        process = Process(damaged, cache)
        process.upkeep.on_trouble = told
        for _ in range(3):
            await process.upkeep.recover()
            await process.upkeep.compact()
        assert await shown(cache, 2)
        assert await inner.batches() == [bad]
        assert told.lines == [f"{bad}: {bad} is damaged: its checksum differs"]
        # What may be missing in the cache is not listed from it.
        assert not process.filler.is_whole
        damaged.name = BatchName("none")
        await process.upkeep.recover()
        assert told.lines[1:] == [f"{bad}: again"]
        assert process.filler.is_whole

    asyncio.run(scene())


def test_a_batch_that_was_damaged_after_the_cache_took_it_is_known_and_stops_no_other() -> None:
    async def scene() -> None:
        inner, cache = stores()
        damaged = DamagedBatch(inner, BatchName("none"))
        process = Process(damaged, cache)
        await process.upkeep.look()
        bad, _ = await kept(process, 1), await kept(process, 2)
        damaged.name = bad
        await process.upkeep.compact()
        assert await inner.batches() == [bad]
        assert [*process.filler.unread] == [bad]
        assert "its checksum differs" in str(process.upkeep.standing.trouble)
        damaged.name = BatchName("none")
        await process.upkeep.compact()
        assert await inner.batches() == []

    asyncio.run(scene())


def test_forgetting_sorts_nothing_that_the_cache_lacks() -> None:
    async def scene() -> None:
        archive, cache = stores()
        process = Process(archive, cache)
        pins: Any = NoPins()
        await process.upkeep.look()
        await archive.keep(some(1, 2))
        forget = ForgetEvidence(
            archive,
            pins,
            process.upkeep,
            process.upkeep.lease,
            Anyone(),
            process.clock,
            timedelta(hours=24),
        )
        await forget(timedelta(days=90), UNTOLD, by=ADMIN)
        assert await shown(cache, 1, 2)
        assert not await archive.batches()

    asyncio.run(scene())


class EnoughError(Exception):
    pass


@define
class Bed:
    most: int
    rests: list[float] = field(factory=list)

    async def rest(self, seconds: float) -> None:
        self.rests.append(seconds)
        if len(self.rests) >= self.most:
            raise EnoughError


def test_batches_are_sorted_every_minute_or_when_there_are_many_or_much_is_in_them() -> None:
    async def scene() -> None:
        archive, cache = stores()
        process = Process(archive, cache)
        await process.upkeep.look()
        await kept(process, 1)
        for _ in range(SORTED_EVERY - 1):
            await process.upkeep.look()
        assert len(await archive.batches()) == 1
        await process.upkeep.look()
        assert not await archive.batches()
        for number in range(MANY):
            await kept(process, number)
        await process.upkeep.look()
        assert not await archive.batches()
        await kept(process, *range(MUCH - 1))
        await process.upkeep.look()
        assert len(await archive.batches()) == 1
        await kept(process, MUCH)
        await process.upkeep.look()
        assert not await archive.batches()

    asyncio.run(scene())


def test_trouble_is_told_and_the_next_look_comes() -> None:
    async def scene() -> None:
        archive, cache = stores()
        archive.methods = {"batches"}
        process, bed, told = Process(archive, cache), Bed(70), Told()
        process.upkeep.on_trouble, process.upkeep.rest = told, bed.rest
        with suppress(EnoughError):
            await process.upkeep.run()
        assert bed.rests == [LOOKS_EVERY] * 70
        # Once each, however often it is tried.
        assert told.lines == ["sorting: it is unavailable: it is broken"]
        archive.methods = set()
        for _ in range(SORTED_EVERY):
            await process.upkeep.look()
        assert told.lines[1:] == ["sorting: again"]

    asyncio.run(scene())


def test_an_archive_that_is_damaged_in_part_stops_no_other_work() -> None:
    async def scene() -> None:
        archive, cache = stores()
        process, told, refills = Process(archive, cache), Told(), list[int]()
        process.upkeep.on_trouble = told

        async def refill() -> None:
            refills.append(process.upkeep._looks)
            raise Damaged("a segment", "its checksum differs")

        process.upkeep.refill = refill
        ended = evolve(some_evidence(1), recorded_at=NOON - timedelta(days=9))
        await cache.put([ended, *some(2)])
        await archive.keep(some(2))
        await process.upkeep.look()
        assert not await archive.batches()
        assert ended.evidence_id not in cache.inner._kept
        damaged = "the cache cannot be filled: a segment is damaged: its checksum differs"
        assert process.upkeep.standing.trouble == damaged
        # All that can be read is read each time: that is not done all the while.
        for _ in range(FILLED_AGAIN_EVERY):
            await process.upkeep.look()
        assert refills == [0, FILLED_AGAIN_EVERY]
        assert process.upkeep.standing.trouble == damaged
        assert told.lines == []

    asyncio.run(scene())


def test_of_several_processes_one_sorts() -> None:
    async def scene() -> None:
        archive, cache = stores()
        board, later = MemoryLeaseBoard(), count(step=2)
        elsewhere = SharedLeases(board, "other")
        assert await elsewhere.hold(LEASE)
        process = Process(archive, cache)
        process.upkeep.lease = Lease(SharedLeases(board, "me", now=lambda: next(later)), LEASE)
        await kept(process, 1)
        await process.upkeep.lease.if_free(process.upkeep.compact)
        assert len(await archive.batches()) == 1
        await elsewhere.release(LEASE)
        await process.upkeep.lease.if_free(process.upkeep.compact)
        assert not await archive.batches()

    asyncio.run(scene())
