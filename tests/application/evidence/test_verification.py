"""The cache is compared with the archive; what differs is told, and mended without loss."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from attrs import define, evolve, field

from adapters.blobs.directory import DirectoryBlobs
from adapters.sqlite.evidence.cache import SqliteEvidenceCache
from adapters.sqlite.evidence.file import EvidenceFile
from application.errors import Damaged, Unavailable
from application.evidence.archive import ArchiveFault, Inspected
from application.evidence.progress import UNTOLD
from application.evidence.verification import (
    MOST_TOLD,
    ON_ITS_WAY,
    EvidenceVerified,
    Kind,
    VerifyEvidence,
)
from domain.evidence.evidence import Verdict
from domain.ids import EvidenceId
from tests.adapters.evidence_archive.archives import fresh_ulid, over
from tests.application.evidence.samples import some_evidence, some_id, telling
from tests.application.evidence.test_cache_rebuild import DamagedFor, Unlisted, renewing
from tests.application.evidence.test_crashes import Anyone, Process
from tests.application.evidence.test_maintenance import kept, shown, some, stores
from tests.application.store import ADMIN, StandingClock

KEPT_FOR = timedelta(hours=24)
LATER = StandingClock().at + timedelta(hours=1)


def verifying(process: Process) -> VerifyEvidence:
    return VerifyEvidence(
        process.archive,
        process.cache,
        renewing(process, process.archive),
        process.upkeep.lease,
        Anyone(),
        process.clock,
        telling,
        KEPT_FOR,
    )


async def verified(process: Process, *, repair: bool = False) -> EvidenceVerified:
    return await verifying(process)(UNTOLD, repair=repair, by=ADMIN)


@asynccontextmanager
async def some_process(*numbers: int) -> AsyncIterator[Process]:
    """With whole evidence in memory, an hour after it was recorded."""
    archive, cache = stores()
    process = Process(archive, cache)
    process.clock.at = cache.clock.at = LATER
    await process.upkeep.look()
    await kept(process, *numbers)
    yield process


def scene(test: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    def run() -> None:
        asyncio.run(test())

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


@scene
async def test_what_is_well_is_told_so() -> None:
    async with some_process(1, 2, 3) as process:
        done = await verified(process)
        assert done.sound
        assert (done.compared, done.undecided, dict(done.counts)) == (3, 0, {})
        assert (done.archive.items, done.repaired) == (3, False)
        assert not (await verified(process, repair=True)).repaired


@scene
async def test_what_is_not_at_hand_is_told_and_put_there_again() -> None:
    async with some_process(1, 2, 3) as process:
        await process.archive.keep(some(4))
        done = await verified(process)
        assert not done.sound
        assert not done.repaired
        assert dict(done.differences) == {some_id(4): Kind.MISSING_IN_CACHE}
        assert not await shown(process.cache, 4)
        mended = await verified(process, repair=True)
        assert mended.repaired
        assert await shown(process.cache, 1, 2, 3, 4)
        assert (await verified(process)).sound


@scene
async def test_what_has_ended_or_is_on_its_way_is_not_missed() -> None:
    async with some_process(1) as process:
        recorded = [
            LATER - KEPT_FOR - timedelta(hours=1),
            LATER - KEPT_FOR,
            LATER - ON_ITS_WAY + timedelta(seconds=1),
        ]
        evidence = [
            evolve(one, recorded_at=at) for one, at in zip(some(2, 3, 4), recorded, strict=True)
        ]
        await process.archive.keep(evidence)
        assert (await verified(process)).sound
        process.clock.at += timedelta(seconds=1)
        assert dict((await verified(process)).differences) == {some_id(4): Kind.MISSING_IN_CACHE}


@pytest.mark.parametrize(
    "changed", [{"verdict": Verdict.FAIL}, {"payload_ref": "s3://elsewhere"}], ids=str
)
def test_what_is_shown_otherwise_is_told_and_filled_anew(changed: dict[str, Any]) -> None:
    async def run() -> None:
        async with some_process(1, 2) as process:
            await process.archive.keep(some(3))
            await process.cache.put([evolve(some_evidence(3), **changed)])
            assert dict((await verified(process)).differences) == {some_id(3): Kind.DIFFERING}
            assert (await verified(process, repair=True)).repaired
            assert (await verified(process)).sound
            found = await process.cache.named([some_id(3)])
            assert found == {some_id(3): some_evidence(3)}

    asyncio.run(run())


@define
class ToldOtherwise:
    """A cache that shows the right rows, and hands on bytes of another time."""

    inner: Any
    otherwise: Mapping[EvidenceId, bytes] = field(factory=dict)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def told(self, ids: Collection[EvidenceId]) -> Mapping[EvidenceId, bytes]:
        found: Mapping[EvidenceId, bytes] = await self.inner.told(ids)
        return {name: self.otherwise.get(name, told) for name, told in found.items()}


@scene
async def test_what_is_told_otherwise_is_different_though_its_row_is_right() -> None:
    async with some_process(1, 2) as process:
        process.cache = ToldOtherwise(process.cache, {some_id(2): b"?"})
        assert dict((await verified(process)).differences) == {some_id(2): Kind.DIFFERING}


@scene
async def test_what_is_shown_otherwise_is_different_though_it_is_told_right() -> None:
    async with some_process(1) as process:
        await process.archive.keep(some(2))
        await process.cache.put([evolve(some_evidence(2), payload_ref="s3://elsewhere")])
        process.cache = ToldOtherwise(process.cache, {some_id(2): telling(some_evidence(2))})
        assert dict((await verified(process)).differences) == {some_id(2): Kind.DIFFERING}


@scene
async def test_what_the_archive_lacks_is_listed_and_nothing_is_dropped() -> None:
    """S0-110: it is to be restored. Meanwhile the cache shows what it has."""
    async with some_process(1, 2) as process:
        await process.archive.keep(some(5))
        await process.cache.put(some(3, 4), pinned=[some_id(4)])
        for repair in (False, True):
            done = await verified(process, repair=repair)
            assert dict(done.differences) == {
                some_id(5): Kind.MISSING_IN_CACHE,
                **{some_id(n): Kind.MISSING_IN_ARCHIVE for n in (3, 4)},
            }
            assert not done.repaired
        assert await shown(process.cache, 1, 2, 3, 4)
        assert not await process.archive.named([some_id(3)])


@scene
async def test_of_what_the_archive_cannot_tell_nothing_is_dropped() -> None:
    async with some_process(1, 2) as process:
        await process.cache.put(some(3))
        process.archive.error = Damaged("a batch", "its checksum differs")
        process.archive.methods = {"named"}
        done = await verified(process, repair=True)
        assert (done.sound, done.repaired) == (False, False)
        assert (done.undecided, done.compared, dict(done.counts)) == (3, 0, {})
        assert await shown(process.cache, 1, 2, 3)
        process.archive.methods = set()
        assert dict((await verified(process)).differences) == {some_id(3): Kind.MISSING_IN_ARCHIVE}


@scene
async def test_a_fault_of_the_archive_is_never_called_repaired() -> None:
    async with some_process(1, 2) as process:
        inner = process.archive
        process.archive = Faulty(inner)
        for repair in (False, True):
            done = await verified(process, repair=repair)
            assert (done.sound, done.repaired) == (False, False)
            assert [one.name for one in done.archive.faults] == ["a segment"]


@define
class Faulty:
    inner: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def inspect(self, *_: Any) -> Inspected:
        return Inspected(1, 0, [ArchiveFault("a segment", "its checksum differs")])


@scene
async def test_while_the_archive_has_a_fault_a_cache_that_differs_is_not_dropped() -> None:
    async with some_process(1, 2) as process:
        await process.cache.put([evolve(some_evidence(3), payload_ref="s3://elsewhere")])
        process.archive = Faulty(process.archive)
        await process.archive.keep(some(3, 4))
        done = await verified(process, repair=True)
        assert not done.repaired
        kinds = {some_id(4): Kind.MISSING_IN_CACHE, some_id(3): Kind.DIFFERING}
        assert dict(done.differences) == kinds
        assert await shown(process.cache, 3)


@scene
async def test_a_row_that_cannot_be_shown_does_not_count_for_what_the_archive_lacks() -> None:
    async with some_process(1, 2) as process:
        await process.cache.put(some(3))
        process.cache = DamagedFor(process.cache, some_id(3))
        done = await verified(process, repair=True)
        assert dict(done.differences) == {some_id(3): Kind.DAMAGED}
        assert done.repaired
        assert await shown(process.cache, 1, 2)
        assert [
            name async for ids in process.cache.ids() for name in ids if name == some_id(3)
        ] == []


@scene
async def test_a_cache_whose_ids_cannot_be_told_is_made_anew_on_request() -> None:
    async with some_process(1) as process:
        cache = process.cache
        process.cache = Unlisted(cache)
        done = await verified(process)
        assert done.cache_fault == "a page is malformed"
        assert not done.sound
        await cache.clear()
        assert (await verified(process, repair=True)).repaired
        assert await shown(cache, 1)


@scene
async def test_what_a_damaged_cache_lacks_says_nothing() -> None:
    async with some_process(1) as process:
        await process.archive.keep(some(2))
        process.cache.error = Damaged("the file", "a page is malformed")
        process.cache.methods = {"check"}
        done = await verified(process)
        assert (done.cache_fault, dict(done.counts)) == ("a page is malformed", {})


@scene
async def test_who_does_not_answer_is_no_difference() -> None:
    async with some_process(1) as process:
        for port, method in ((process.cache, "named"), (process.archive, "named")):
            port.methods = {method}
            with pytest.raises(Unavailable):
                await verified(process, repair=True)
            port.methods = set()
        assert (await verified(process)).sound


@scene
async def test_of_many_differences_some_are_told_and_all_counted() -> None:
    async with some_process(1) as process:
        many = MOST_TOLD + 500
        await process.archive.keep([some_evidence(number) for number in range(10, 10 + many)])
        done = await verified(process)
        assert done.counts == {Kind.MISSING_IN_CACHE: many}
        assert len(done.differences) == MOST_TOLD
        await process.cache.put([some_evidence(2)])
        done = await verified(process)
        assert done.differences[some_id(2)] is Kind.MISSING_IN_ARCHIVE
        assert len(done.differences) == MOST_TOLD + 1


# On disk.


@asynccontextmanager
async def on_disk(folder: Path) -> AsyncIterator[Process]:
    archive = over(DirectoryBlobs(folder / "archive"), process=fresh_ulid())
    clock = StandingClock(LATER)
    cache = SqliteEvidenceCache(EvidenceFile(folder / "cache.db"), clock, telling, KEPT_FOR)
    try:
        yield Process(archive, cache, clock)
    finally:
        cache.close()


def test_an_archive_that_is_lost_is_told_and_the_cache_is_left_alone(tmp_path: Path) -> None:
    async def run() -> None:
        async with on_disk(tmp_path) as process:
            await process.upkeep.look()
            await kept(process, *range(1_200))
            await process.upkeep.compact()
            assert (await verified(process)).sound
        (tmp_path / "archive").rename(tmp_path / "lost")
        async with on_disk(tmp_path) as process:
            for repair in (False, True):
                done = await verified(process, repair=repair)
                assert done.counts == {Kind.MISSING_IN_ARCHIVE: 1_200}
                assert not done.repaired
        (tmp_path / "lost").rename(tmp_path / "archive")
        async with on_disk(tmp_path) as process:
            done = await verified(process)
            assert done.sound
            assert (done.compared, done.archive.items) == (1_200, 1_200)

    asyncio.run(run())


@pytest.mark.parametrize("column", ["row", "told"])
def test_rows_that_are_damaged_are_named_one_by_one(tmp_path: Path, column: str) -> None:
    async def run() -> None:
        async with on_disk(tmp_path) as process:
            await process.upkeep.look()
            await kept(process, *range(600))
            spoilt = [some_id(number) for number in (3, 4, 599)]

            def harm(connection: Any) -> None:
                for name in spoilt:
                    change = f'UPDATE evidence SET "{column}" = ? WHERE evidence_id = ?'
                    connection.execute(change, (b"{}", name))

            await process.cache._database().write(harm)
            done = await verified(process)
            assert dict(done.differences) == dict.fromkeys(spoilt, Kind.DAMAGED)
            assert (await verified(process, repair=True)).repaired
            assert (await verified(process)).sound

    asyncio.run(run())


def test_what_is_damaged_is_not_read_again_for_every_item(tmp_path: Path) -> None:
    async def run() -> None:
        async with on_disk(tmp_path) as process:
            await process.upkeep.look()
            await kept(process, *range(1_200))
            asked = process.archive = Counted(process.archive)
            assert (await verified(process)).undecided == 1_200
            assert asked.times == len([ids async for ids in process.cache.ids()])

    asyncio.run(run())


def test_what_the_archive_can_tell_is_compared_though_another_part_is_damaged(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        async with on_disk(tmp_path) as process:
            await process.upkeep.look()
            await kept(process, *range(1_200))
            pages = [[*ids] async for ids in process.cache.ids()]
            process.archive = DamagedFor(process.archive, pages[0][3], pages[2][7])
            done = await verified(process)
            assert done.undecided == len(pages[0]) - 1 + len(pages[2])
            assert done.compared == len(pages[1])

    asyncio.run(run())


@define
class Counted:
    """An archive that cannot tell of anything, and counts how often it was asked."""

    inner: Any
    times: int = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def named(self, ids: Any) -> Any:
        self.times += 1
        raise Damaged("a batch", "a bit is flipped")
