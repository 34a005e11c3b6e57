"""Once the cache can be filled again it is, whatever else is in the way."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from attrs import define

from adapters.memory.evidence_archive import MemoryEvidenceArchive
from application.errors import Damaged, NotReadable
from application.evidence.archive import BatchName
from application.evidence.maintenance import SORTED_EVERY, TRIED_EVERY
from tests.application.evidence.test_crashes import Process
from tests.application.evidence.test_maintenance import DamagedBatch, kept, shown, some, stores


def test_what_comes_while_the_cache_is_filled_again_is_put_at_once() -> None:
    """Else it would lack something for as long as much comes."""

    async def scene() -> None:
        archive, cache = stores()
        process = Process(archive, cache)
        await process.upkeep.look()
        cache.methods = {"put"}
        await kept(process, 1)
        await kept(process, 2)
        cache.methods = set()
        process.filler.cache = WhilePut(cache, lambda: kept(process, 3), after=2)
        await process.upkeep.recover()
        assert not process.filler.lacking
        assert await shown(cache, 1, 2, 3)

    asyncio.run(scene())


@define
class WhilePut:
    """A cache in which something else happens during one of its writes."""

    inner: Any
    happens: Callable[[], Awaitable[object]]
    after: int

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def put(self, *args: Any, **more: Any) -> None:
        self.after -= 1
        if self.after == 0:
            await self.happens()
        await self.inner.put(*args, **more)


def test_a_batch_of_a_newer_program_stops_no_other() -> None:
    async def scene() -> None:
        archive, cache = stores()
        first, second = await archive.keep(some(1)), await archive.keep(some(2))
        newer = DamagedBatch(archive, first, NotReadable("a batch", "it has the format 2"))
        process = Process(newer, cache)
        for _ in range(SORTED_EVERY + 1):
            await process.upkeep.look()
        assert await shown(cache, 2)
        assert [*await archive.batches()] == [first]
        assert second not in process.filler.lacking

    asyncio.run(scene())


def test_once_a_damaged_batch_is_moved_away_all_is_well_at_the_next_look() -> None:
    async def scene() -> None:
        archive, cache = stores()
        first, _ = await archive.keep(some(1)), await archive.keep(some(2))
        spoilt = SpoiltBatch(archive, first)
        process = Process(spoilt, cache)
        for _ in range(2 * TRIED_EVERY):
            await process.upkeep.look()
        assert "the cache cannot be filled" in (process.upkeep.standing.trouble or "")
        spoilt.is_there = False
        for _ in range(2 * TRIED_EVERY):
            await process.upkeep.look()
        assert process.upkeep.standing.trouble is None
        assert process.filler.is_whole

    asyncio.run(scene())


@define
class SpoiltBatch:
    """An archive with a damaged batch, until that is moved out of it."""

    inner: Any
    name: BatchName
    is_there: bool = True

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def batches(self) -> Any:
        names = await self.inner.batches()
        return names if self.is_there else [name for name in names if name != self.name]

    async def batch(self, name: BatchName) -> Any:
        if name == self.name:
            if self.is_there:
                raise Damaged("a batch", "a bit is flipped")
            return []
        return await self.inner.batch(name)

    async def recorded_since(self, *args: Any) -> Any:
        async for evidence in self.inner.recorded_since(*args):
            yield evidence
        if self.is_there:
            raise Damaged("a batch", "a bit is flipped")


def test_an_archive_that_is_empty_though_something_is_at_hand_is_told() -> None:
    """It may lie in a folder that is not there now."""

    async def scene() -> None:
        archive, cache = stores()
        process = Process(archive, cache)
        await process.upkeep.look()
        assert process.upkeep.standing.trouble is None
        await kept(process, 1)
        whole, archive.inner = archive.inner, MemoryEvidenceArchive()
        after = Process(archive, cache)
        await after.upkeep.look()
        assert "the archive is empty" in (after.upkeep.standing.trouble or "")
        archive.inner = whole
        for _ in range(SORTED_EVERY):
            await after.upkeep.look()
        assert after.upkeep.standing.trouble is None

    asyncio.run(scene())
