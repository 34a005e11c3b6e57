"""A cache is dropped only if the archive can fill it again, or the loss is accepted."""

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from datetime import timedelta
from typing import Any

import pytest
from attrs import define

from adapters.memory.evidence_archive import MemoryEvidenceArchive
from application.errors import Damaged, Unavailable
from application.evidence.cache_rebuild import RebuildEvidence, RefillCache, RenewCache
from application.evidence.progress import UNTOLD
from domain.evidence.evidence import Evidence
from domain.ids import EvidenceId
from tests.application.evidence.samples import some_id
from tests.application.evidence.test_crashes import Anyone, NoPins, Process
from tests.application.evidence.test_maintenance import kept, shown, some, stores
from tests.application.store import ADMIN

KEPT_FOR = timedelta(hours=24)


@define
class DamagedArchive:
    """Tells the rest, then that a part is damaged, as archives do."""

    inner: Any
    lost: str

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def recorded_since(self, *asked: Any) -> AsyncIterator[Sequence[Evidence]]:
        async for evidence in self.inner.recorded_since(*asked):
            yield [one for one in evidence if one.evidence_id != self.lost]
        raise Damaged("a segment", "its checksum differs")


@define
class Away:
    inner: Any
    error: Exception

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def recorded_since(self, *_: Any) -> AsyncIterator[Sequence[Evidence]]:
        for one in (self.error,):
            raise one
        yield ()


def renewing(process: Process, archive: Any) -> RenewCache:
    pins: Any = NoPins()
    refill = RefillCache(archive, process.cache, process.filler, pins, process.clock, KEPT_FOR)
    return RenewCache(refill, process.filler, process.cache)


def rebuilding(process: Process, archive: Any) -> RebuildEvidence:
    return RebuildEvidence(renewing(process, archive), process.upkeep.lease, Anyone())


def test_while_the_archive_is_damaged_nothing_is_dropped_unless_that_is_accepted() -> None:
    async def scene() -> None:
        archive, cache = stores()
        process = Process(archive, cache)
        await process.upkeep.look()
        await kept(process, 1, 2)
        await archive.keep(some(3))
        rebuild = rebuilding(process, DamagedArchive(archive, some(1)[0].evidence_id))
        with pytest.raises(
            Damaged, match=r"its checksum differs; nothing was dropped.*accept-loss"
        ):
            await rebuild(UNTOLD, by=ADMIN)
        assert await shown(cache, 1, 2)
        assert process.filler.is_whole
        # Of the archive all that can be read is put.
        with pytest.raises(Damaged, match=r"its checksum differs$"):
            await rebuild(UNTOLD, accept_loss=True, by=ADMIN)
        assert await shown(cache, 2, 3)
        assert not await shown(cache, 1)
        assert not process.filler.is_whole

    asyncio.run(scene())


@pytest.mark.parametrize("error", [Unavailable("it", "is away"), Damaged("it", "differs")])
def test_nothing_is_thrown_away_if_nothing_can_be_read(error: Exception) -> None:
    async def scene() -> None:
        archive, cache = stores()
        process = Process(archive, cache)
        await process.upkeep.look()
        await kept(process, 1, 2)

        archive.inner = Away(archive.inner, error)
        with pytest.raises(Unavailable):
            await rebuilding(process, archive)(UNTOLD, by=ADMIN)
        assert await shown(cache, 1, 2)
        assert process.filler.is_whole

    asyncio.run(scene())


def test_an_archive_that_does_not_answer_costs_nothing_even_if_loss_is_accepted() -> None:
    async def scene() -> None:
        archive, cache = stores()
        process = Process(archive, cache)
        await process.upkeep.look()
        await kept(process, 1, 2)
        away = Away(archive, Unavailable("it", "is away"))
        with pytest.raises(Unavailable, match="is away"):
            await rebuilding(process, away)(UNTOLD, accept_loss=True, by=ADMIN)
        assert await shown(cache, 1, 2)
        assert process.filler.is_whole

    asyncio.run(scene())


def test_what_the_archive_does_not_have_is_dropped_only_if_that_is_accepted() -> None:
    async def scene() -> None:
        archive, cache = stores()
        process = Process(archive, cache)
        await process.upkeep.look()
        await kept(process, 1, 2)
        await cache.put(some(3, 4))
        rebuild = rebuilding(process, archive)
        with pytest.raises(Damaged, match=r"it lacks 2 items .*; nothing was dropped.*accept-loss"):
            await rebuild(UNTOLD, by=ADMIN)
        assert await shown(cache, 1, 2, 3, 4)
        await archive.keep(some(3))
        with pytest.raises(Damaged, match="it lacks 1 item "):
            await rebuild(UNTOLD, by=ADMIN)
        assert (await rebuild(UNTOLD, accept_loss=True, by=ADMIN)).items == 3
        assert await shown(cache, 1, 2, 3)
        assert not await shown(cache, 4)
        assert process.filler.is_whole

    asyncio.run(scene())


@pytest.mark.parametrize("accept_loss", [False, True])
def test_an_archive_that_is_empty_although_the_cache_is_not_costs_nothing(
    accept_loss: bool,
) -> None:
    """It may lie in a folder that is not there now."""

    async def scene() -> None:
        archive, cache = stores()
        process = Process(archive, cache)
        await process.upkeep.look()
        await kept(process, 1, 2)
        archive.inner = MemoryEvidenceArchive()
        with pytest.raises(Unavailable, match=r"it is empty .*; nothing was dropped"):
            await rebuilding(process, archive)(UNTOLD, accept_loss=accept_loss, by=ADMIN)
        assert await shown(cache, 1, 2)
        assert process.filler.is_whole

    asyncio.run(scene())


def test_an_empty_archive_fills_no_cache_of_which_nobody_knows_what_it_has() -> None:
    """Else it would be called whole, and lack everything once the archive is back."""

    async def scene() -> None:
        archive, cache = stores()
        process = Process(archive, cache)
        await process.upkeep.look()
        await kept(process, 1)
        archive.inner = MemoryEvidenceArchive()
        cache.error, cache.methods = Damaged("the file", "a page is malformed"), {"check"}
        process.cache = process.filler.cache = process.upkeep.cache = Unlisted(cache)
        with pytest.raises(Unavailable, match="it is empty"):
            await rebuilding(process, archive)(UNTOLD, by=ADMIN)
        assert await shown(cache, 1)

    asyncio.run(scene())


def test_a_store_without_evidence_has_nothing_to_lose() -> None:
    async def scene() -> None:
        archive, cache = stores()
        process = Process(archive, cache)
        await process.upkeep.look()
        assert (await rebuilding(process, archive)(UNTOLD, by=ADMIN)).items == 0
        assert process.filler.is_whole

    asyncio.run(scene())


@define
class Unlisted:
    """A cache that cannot tell what it has."""

    inner: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def ids(self) -> AsyncIterator[Sequence[EvidenceId]]:
        for error in (Damaged("the file", "a page is malformed"),):
            raise error
        yield ()


def test_what_is_pinned_does_not_count_for_what_is_lost() -> None:
    async def scene() -> None:
        archive, cache = stores()
        process = Process(archive, cache)
        await process.upkeep.look()
        await kept(process, 2)
        await cache.put(some(1))
        pins: Any = Holding(frozenset({some_id(2)}))
        refill = RefillCache(archive, cache, process.filler, pins, process.clock, KEPT_FOR)
        with pytest.raises(Damaged, match="it lacks 1 item "):
            await RenewCache(refill, process.filler, cache)(UNTOLD)
        assert await shown(cache, 1, 2)

    asyncio.run(scene())


@define
class Aging:
    """A cache of which everything ends when it has told what it shows."""

    inner: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def ids(self) -> Any:
        async for ids in self.inner.ids():
            self.inner.clock.at += 2 * KEPT_FOR
            yield ids


def test_what_ends_meanwhile_is_not_missed() -> None:
    async def scene() -> None:
        archive, cache = stores()
        process = Process(archive, cache)
        await process.upkeep.look()
        await kept(process, 1, 2)
        process.cache = Aging(cache)
        await rebuilding(process, archive)(UNTOLD, by=ADMIN)
        assert process.filler.is_whole or await process.filler.look_at_mark()

    asyncio.run(scene())


def test_what_nobody_can_read_any_more_goes() -> None:
    async def scene() -> None:
        archive, cache = stores()
        process = Process(archive, DamagedFor(cache, some(3)[0].evidence_id))
        await process.upkeep.look()
        await kept(process, 1, 2)
        await cache.put(some(3))
        assert (await rebuilding(process, archive)(UNTOLD, by=ADMIN)).items == 2
        assert await shown(cache, 1, 2)
        assert not await shown(cache, 3)

    asyncio.run(scene())


class DamagedFor:
    """Cannot tell of some ids, nor of others that are asked for with them."""

    def __init__(self, inner: Any, *lost: str) -> None:
        self.inner, self.lost = inner, lost

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def named(self, ids: Collection[EvidenceId]) -> Any:
        if not {*self.lost}.isdisjoint(ids):
            raise Damaged("a segment", "a bit is flipped")
        return await self.inner.named(ids)


@define
class Holding:
    ids: frozenset[EvidenceId]

    async def all(self) -> dict[str, frozenset[EvidenceId]]:
        return {"INC-1": self.ids}

    async def of(self, name: str) -> frozenset[EvidenceId]:
        return self.ids


def test_what_a_severe_incident_holds_and_nobody_can_read_stops_nothing_else() -> None:
    async def scene() -> None:
        archive, cache = stores()
        process = Process(archive, cache)
        await archive.keep(some(1, 2, 3, 4))
        damaged: Any = DamagedFor(archive, some_id(1))
        pins: Any = Holding(frozenset({some_id(1), some_id(2)}))
        refill = RefillCache(damaged, cache, process.filler, pins, process.clock, KEPT_FOR)
        with pytest.raises(Damaged):
            await refill(UNTOLD)
        assert await shown(cache, 2, 3, 4)
        assert not await process.filler.look_at_mark()
        cache.clock.at += KEPT_FOR
        assert await shown(cache, 2)

    asyncio.run(scene())


def test_a_cache_that_cannot_even_let_go_of_its_mark_is_thrown_away() -> None:
    async def scene() -> None:
        archive, cache = stores()
        process = Process(archive, cache)
        await process.upkeep.look()
        await kept(process, 1)
        cache.methods, cache.error = {"unpin"}, Damaged("the file", "a page is malformed")
        await process.filler.empty()
        assert not await shown(cache, 1)
        assert not await process.filler.look_at_mark()

    asyncio.run(scene())


@define
class SeesMark:
    """Somebody looks at the mark before it goes, and knows that it was there."""

    inner: Any
    process: Process

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def unpin(self, ids: Collection[EvidenceId]) -> None:
        assert await self.process.filler.look_at_mark()
        await self.inner.unpin(ids)


def test_who_sees_the_mark_while_it_goes_does_not_take_an_empty_cache_for_whole() -> None:
    async def scene() -> None:
        archive, cache = stores()
        process = Process(archive, cache)
        await process.upkeep.look()
        await kept(process, 1)
        process.cache = process.filler.cache = SeesMark(cache, process)
        await process.filler.empty()
        assert not process.filler.is_whole

    asyncio.run(scene())


def test_what_a_severe_incident_holds_is_looked_at_before_anything_is_thrown_away() -> None:
    """It may have been recorded long before all else that is at hand."""

    async def scene() -> None:
        archive, cache = stores()
        process = Process(archive, cache)
        await process.upkeep.look()
        await kept(process, 1)
        await cache.pin([some_id(1)])
        cache.clock.at += 2 * KEPT_FOR
        process.clock.at = cache.clock.at
        damaged: Any = DamagedFor(archive, some_id(1))
        pins: Any = Holding(frozenset({some_id(1)}))
        refill = RefillCache(damaged, cache, process.filler, pins, process.clock, KEPT_FOR)
        with pytest.raises(Damaged):
            await RenewCache(refill, process.filler, cache)(UNTOLD)
        assert await shown(cache, 1)

    asyncio.run(scene())
