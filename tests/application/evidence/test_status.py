"""What fails is known while it fails, and told once when it begins and once when it is over."""

import asyncio
from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import timedelta

import pytest
from attrs import define

from application.errors import Damaged, Unavailable
from application.evidence import ListEvidence, ReadEvidence
from application.evidence.archive import ArchiveReads, EvidenceAsked
from application.evidence.cache import CacheReads
from application.evidence.maintenance import SORTED_EVERY, TRIED_EVERY
from application.evidence.observed_faults import MOST_KNOWN, ArchiveAsked, CacheAsked, FaultsMet
from application.evidence.status import EvidenceStanding
from application.evidence.writer import EvidenceKeeper
from application.reads.paging import Page, PageRequest
from domain.evidence.evidence import Evidence
from domain.ids import EvidenceId
from tests.application.evidence.samples import some_id, telling
from tests.application.evidence.test_crashes import Anyone, Process
from tests.application.evidence.test_maintenance import DamagedBatch, kept, some, stores
from tests.application.store import ADMIN


def test_an_archive_that_goes_away_and_comes_back_is_told_once_each() -> None:
    async def scene() -> None:
        archive, cache = stores()
        told = list[str | None]()
        process, standing = Process(archive, cache), EvidenceStanding(told.append)
        keeper = EvidenceKeeper(archive, process.filler, 100, gathered_for=0, standing=standing)
        process.upkeep.standing = standing
        await process.upkeep.look()
        archive.methods = {"keep"}
        for number in range(3):
            with pytest.raises(Unavailable):
                await keeper.keep(some(number))
        assert standing.trouble == "evidence cannot be kept: it is unavailable: it is broken"
        archive.methods = {"batches"}
        await keeper.keep(some(4))
        for _ in range(2 * TRIED_EVERY):
            await process.upkeep.look()
        assert standing.trouble == "the archive cannot be read: it is unavailable: it is broken"
        archive.methods = set()
        for _ in range(TRIED_EVERY):
            await process.upkeep.look()
        assert standing.unsorted == 1
        assert [line is None for line in told] == [False, True, False, True]

    asyncio.run(scene())


def test_damage_that_only_readers_meet_is_told_until_it_is_restored() -> None:
    async def scene() -> None:
        archive, cache = stores()
        told = list[str | None]()
        archive.error, archive.methods = Damaged("a segment", "its checksum differs"), {"named"}
        process, standing = Process(archive, cache), EvidenceStanding(told.append)
        met = FaultsMet(standing.met)
        process.upkeep.look_again = met.look_again
        reading = reads(process, archive=ArchiveAsked(archive, met))
        ids = [one.evidence_id for one in some(1, 2)]
        for _ in range(2):
            with pytest.raises(Damaged):
                await reading(ids, by=ADMIN)
        reason = "what was asked for is damaged: a segment is damaged: its checksum differs"
        assert standing.trouble == reason
        await _a_minute(process)
        archive.error = Unavailable("the archive", "it is away")
        await _a_minute(process)
        assert standing.trouble == reason
        archive.methods = set()
        await _a_minute(process)
        assert told == [reason, None]

    asyncio.run(scene())


@pytest.mark.parametrize(
    "fault",
    [
        Damaged("evd-1 in the evidence cache", "its checksum differs"),
        Unavailable("evidence.db", "database disk image is malformed"),
    ],
)
@pytest.mark.parametrize("method", ["named", "told"])
def test_what_the_cache_fails_to_answer_is_told_though_the_archive_does(
    fault: Unavailable, method: str
) -> None:
    async def scene() -> None:
        archive, cache = stores()
        told = list[str | None]()
        process, standing = Process(archive, cache), EvidenceStanding(told.append)
        process.upkeep.standing = standing
        await process.upkeep.look()
        evidence = some(1, 2)
        await kept(process, 1, 2)
        reading = reads(process, cache=CacheAsked(cache, standing.cache_unread))
        ask = reading.told if method == "told" else reading
        ids = [one.evidence_id for one in evidence]
        cache.error, cache.methods = fault, {method}
        for _ in range(2):
            assert (await ask(ids, by=ADMIN)).keys() == {*ids}
        assert told == [f"the cache cannot be read: {fault}"]
        cache.methods = set()
        await _a_minute(process)
        assert told[1:] == [None]

    asyncio.run(scene())


def test_a_list_that_the_cache_fails_to_answer_is_told() -> None:
    async def scene() -> None:
        archive, cache = stores()
        process, standing = Process(archive, cache), EvidenceStanding()
        [one] = some(1)
        await archive.keep([one])
        await process.upkeep.look()
        listing = ListEvidence(
            archive,
            CacheAsked(cache, standing.cache_unread),
            process.filler,
            Anyone(),
            process.clock,
            timedelta(days=1),
        )
        cache.methods = {"of_dataset"}
        asked = EvidenceAsked(one.dataset, one.created_at, one.created_at + timedelta(hours=1))
        page = await listing(asked, PageRequest(10), by=ADMIN)
        assert [shown.evidence for shown in page.items] == [one]
        assert standing.trouble == "the cache cannot be read: it is unavailable: it is broken"

    asyncio.run(scene())


def test_of_several_damaged_parts_each_is_known_until_it_is_restored() -> None:
    async def scene() -> None:
        standing, bad = EvidenceStanding(), {1, 2}
        met = FaultsMet(standing.met)
        archive = ArchiveAsked(Holed(bad), met)
        for number in (1, 2, 3):
            with suppress(Damaged):
                await archive.named([some_id(number)])
        assert "segment 1" in str(standing.trouble)
        assert str(standing.trouble).endswith("and 1 more")
        bad.remove(1)
        await met.look_again()
        assert "segment 2" in str(standing.trouble)
        bad.clear()
        await met.look_again()
        assert not standing.trouble

    asyncio.run(scene())


def test_what_is_damaged_in_another_way_by_now_is_known_by_its_new_name() -> None:
    async def scene() -> None:
        standing, bad = EvidenceStanding(), {1, 2}
        met = FaultsMet(standing.met)
        archive = ArchiveAsked(Holed(bad), met)
        with pytest.raises(Damaged):
            await archive.named([some_id(1), some_id(2)])
        assert "segment 1" in str(standing.trouble)
        bad.remove(1)
        await met.look_again()
        assert "segment 2" in str(standing.trouble)
        assert "more" not in str(standing.trouble)

    asyncio.run(scene())


def reads(
    process: Process, *, archive: ArchiveReads | None = None, cache: CacheReads | None = None
) -> ReadEvidence:
    return ReadEvidence(
        archive or process.archive,
        cache or process.cache,
        Anyone(),
        process.clock,
        telling,
        timedelta(days=1),
    )


@define
class Holed:
    """Has what is asked for, but what is bad."""

    bad: set[int]

    async def named(self, ids: Collection[EvidenceId]) -> Mapping[EvidenceId, Evidence]:
        for number in sorted(self.bad):
            if some_id(number) in ids:
                raise Damaged(f"segment {number}", "its checksum differs")
        return {}

    async def of_dataset(self, asked: EvidenceAsked, page: PageRequest) -> Page[Evidence]:
        return Page([])


async def _a_minute(process: Process) -> None:
    for _ in range(SORTED_EVERY):
        await process.upkeep.look()


def test_a_cache_that_takes_nothing_and_a_damaged_batch_are_told() -> None:
    async def scene() -> None:
        archive, cache = stores()
        cache.methods = {"put"}
        process = Process(archive, cache)
        await process.upkeep.look()
        trouble = "the cache cannot be filled: it is unavailable: it is broken"
        assert process.upkeep.standing.trouble == trouble
        cache.methods = set()
        bad = await archive.keep(some(1))
        after = Process(DamagedBatch(archive, bad), cache)
        await after.upkeep.look()
        reason = f"{bad} is damaged: its checksum differs"
        assert after.upkeep.standing.trouble == f"the cache cannot be filled: {reason}"
        assert [*after.filler.unread] == [bad]

    asyncio.run(scene())


def test_a_cache_that_does_not_answer_is_told_until_it_does() -> None:
    async def scene() -> None:
        archive, cache = stores()
        process, standing = Process(archive, cache), EvidenceStanding()
        process.upkeep.standing = standing
        await process.upkeep.look()
        asked: CacheReads = CacheAsked(cache, standing.cache_unread)
        cache.methods = {"named"}
        with pytest.raises(Unavailable):
            await asked.named([some_id(1)])
        await _a_minute(process)
        assert "the cache cannot be read: it is unavailable: it is broken" in str(standing.trouble)
        cache.methods = set()
        await _a_minute(process)
        assert standing.trouble is None

    asyncio.run(scene())


def test_only_so_many_questions_are_remembered() -> None:
    async def scene() -> None:
        archive, _ = stores()
        met = FaultsMet(EvidenceStanding().met)
        asked: ArchiveReads = ArchiveAsked(archive, met)
        archive.methods = {"named"}
        for number in range(MOST_KNOWN + 5):
            archive.error = Damaged(f"segment {number}", "its checksum differs")
            for _ in range(2):
                with pytest.raises(Unavailable):
                    await asked.named([some_id(number)])
        assert len(met._met) == MOST_KNOWN
        archive.methods = set()
        await met.look_again()
        assert not met._met

    asyncio.run(scene())
