"""Several processes on one archive."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from adapters.blobs.directory import DirectoryBlobs
from application.errors import Unavailable
from tests.adapters.evidence_archive.archives import over
from tests.adapters.evidence_archive.contents import listed, recorded
from tests.adapters.evidence_archive.crashing_blobs import MortalBlobs
from tests.adapters.evidence_archive.samples import ORDERS, START, evidence

HOUR, SECOND = timedelta(hours=1), timedelta(seconds=1)


def test_what_one_keeps_the_other_shows(tmp_path: Path) -> None:
    async def scene() -> None:
        one, other = (over(DirectoryBlobs(tmp_path), process) for process in ("p1", "p2"))
        kept = [evidence(n, created=SECOND * n) for n in range(4)]
        ids = [item.evidence_id for item in kept]
        names = [await one.keep(kept[:2]), await other.keep(kept[2:])]
        assert await one.batches() == await other.batches() == names
        for archive in (one, other):
            assert len(await archive.named(ids)) == 4
            assert await listed(archive, ORDERS) == kept[::-1]

    asyncio.run(scene())


def test_whoever_reads_is_not_disturbed_by_sorting(tmp_path: Path) -> None:
    """The reader asks all the time while batches become segments, and segments are merged."""
    kept = [
        evidence(n, created=SECOND * n, recorded=SECOND * n, made=HOUR * (n % 2))
        for n in range(240)
    ]
    ids = {one.evidence_id for one in kept}

    async def scene() -> None:
        writer, reader = (over(DirectoryBlobs(tmp_path), process) for process in ("p1", "p2"))
        names = [await writer.keep(kept[n : n + 10]) for n in range(0, 240, 10)]
        looks = 0

        async def look() -> None:
            nonlocal looks
            while not sorting.done():
                assert (await reader.named(ids)).keys() == ids
                assert await listed(reader, ORDERS, size=100) == kept[::-1]
                assert (await recorded(reader, START)).keys() == ids
                looks += 1

        async def sort() -> None:
            for n in range(0, len(names), 2):
                await writer.compact(names[n : n + 2])

        sorting = asyncio.create_task(sort())
        await look()
        await sorting
        assert looks > 1
        assert await reader.batches() == []

    asyncio.run(scene())


def test_what_was_listed_once_is_listed_again_when_it_is_gone(tmp_path: Path) -> None:
    """What was read of the segment before is held, and the segment merged by another process."""

    async def scene() -> None:
        writer, reader = (over(DirectoryBlobs(tmp_path), process) for process in ("p1", "p2"))
        first, second = evidence(1), evidence(2)
        await writer.compact([await writer.keep([first])])
        (before,) = await writer.objects.listed("segments")
        assert await reader.named([first.evidence_id]) == {first.evidence_id: first}
        await writer.compact([await writer.keep([second])])
        assert before not in await writer.objects.listed("segments")
        assert await reader.named([first.evidence_id]) == {first.evidence_id: first}

    asyncio.run(scene())


def test_two_that_sort_the_same_batches_make_nothing_twice(tmp_path: Path) -> None:
    async def scene() -> None:
        one, other = (over(DirectoryBlobs(tmp_path), process) for process in ("p1", "p2"))
        kept = [evidence(n, created=SECOND * n) for n in range(60)]
        names = [await one.keep(kept[n : n + 6]) for n in range(0, 60, 6)]
        await asyncio.gather(one.compact(names), other.compact(names))
        for archive in (one, other):
            assert await listed(archive, ORDERS) == kept[::-1]
            assert len(await archive.named([item.evidence_id for item in kept])) == 60

    asyncio.run(scene())


def test_a_store_that_loses_what_it_lists_is_unavailable(tmp_path: Path) -> None:
    class Losing(MortalBlobs):
        async def get(self, name: str) -> bytes | None:
            return None

        async def part(self, name: str, start: int, length: int) -> bytes | None:
            return None

    async def scene() -> None:
        archive = over(DirectoryBlobs(tmp_path))
        await archive.compact([await archive.keep([evidence(1)])])
        losing = over(Losing(DirectoryBlobs(tmp_path), steps=100), "p2")
        with pytest.raises(Unavailable, match="gone again and again"):
            await losing.named([evidence(1).evidence_id])

    asyncio.run(scene())
