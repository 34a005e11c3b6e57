"""What fails is known while it fails, and told once when it begins and once when it is over."""

import asyncio

import pytest

from application.errors import Unavailable
from application.evidence.keeper import EvidenceKeeper
from application.evidence.standing import EvidenceStanding
from application.evidence.upkeep import TRIED_EVERY
from tests.application.evidence.test_crashes import Process
from tests.application.evidence.test_upkeep import DamagedBatch, some, stores


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
        because = f"{bad} is damaged: its checksum differs"
        assert after.upkeep.standing.trouble == f"the cache cannot be filled: {because}"
        assert [*after.filler.unread] == [bad]

    asyncio.run(scene())
