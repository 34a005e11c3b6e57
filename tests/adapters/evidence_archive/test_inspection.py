"""Whatever is wrong with an object of the archive, reading all of it tells."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from attrs import define

from adapters.evidence_archive.archive import BlobEvidenceArchive
from adapters.evidence_archive.rows import Row, place, recorded, to_row
from adapters.evidence_archive.segments import id_key, id_row
from adapters.memory.blobs import MemoryBlobs
from application.evidence.archive import Inspected
from tests.adapters.evidence_archive.archives import over
from tests.adapters.evidence_archive.samples import STOCK, evidence
from tests.adapters.evidence_archive.test_damage import EVERYWHERE, damaged, scene_of

HOUR = timedelta(hours=1)


def inspected(archive: BlobEvidenceArchive) -> Inspected:
    return asyncio.run(archive.inspect())


@EVERYWHERE
def test_every_flipped_bit_and_every_cut_is_told_of_its_object_alone(folder: str) -> None:
    prepared, name = scene_of(folder)

    async def scene() -> None:
        for data in damaged(prepared.objects[name]):
            found = await prepared.with_(name, data).inspect()
            assert [one.name for one in found.faults] == [name]
            assert found.objects == len(prepared.objects)

    asyncio.run(scene())


@define
class Archive:
    """With two items in one segment, and one run of their ids."""

    blobs: MemoryBlobs
    archive: BlobEvidenceArchive

    @classmethod
    def sorted(cls) -> "Archive":
        blobs = MemoryBlobs()
        archive = over(blobs)

        async def prepare() -> None:
            await archive.compact([await archive.keep([evidence(1), evidence(2)])])

        asyncio.run(prepare())
        return cls(blobs, archive)

    @property
    def segment(self) -> str:
        return next(name for name in self.names if name.startswith("segments"))

    @property
    def run(self) -> str:
        return next(name for name in self.names if name.startswith("ids"))

    @property
    def names(self) -> list[str]:
        return asyncio.run(names_of(self.blobs))

    def write(self, name: str, rows: list[Row], key: Callable[[Row], str], latest: int = 0) -> str:
        """In the place of an object, as if it had been written so."""
        written = self.add(name, rows, key, latest)
        asyncio.run(self.blobs.delete(name))
        return written

    def add(self, name: str, rows: list[Row], key: Callable[[Row], str], latest: int = 0) -> str:
        """Beside an object."""
        folder = name.rpartition("/")[0]
        (one,) = asyncio.run(
            self.archive.objects.write(folder, rows, key, lambda row: latest or recorded(row))
        )
        return one.name

    def told(self) -> list[tuple[str, str]]:
        return [(one.name, one.reason) for one in inspected(over(self.blobs)).faults]


async def names_of(blobs: MemoryBlobs) -> list[str]:
    return [*await blobs.names()]


def test_what_was_written_well_is_well() -> None:
    assert Archive.sorted().told() == []


ROWS = sorted([to_row(evidence(1)), to_row(evidence(2))], key=place)
STRAY = to_row(evidence(3, dataset=STOCK))
LATEST = max(map(recorded, ROWS))
SHORT = to_row(evidence(2))[:-1]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (ROWS[::-1], "its rows are not in their order"),
        ([ROWS[0], ROWS[0], ROWS[1]], "its rows are not in their order"),
        ([*ROWS, STRAY], "something in it belongs to segments/Ware_house"),
        ([ROWS[0], SHORT], "a row of it is not understood: evidence has 15 fields, not 14"),
        ([["nonsense", *ROWS[0][1:]]], "a row of it is not understood: nonsense is no id"),
        (
            sorted([*ROWS, to_row(evidence(9))], key=place),
            "1 of its items, such as " + evidence(9).evidence_id + ", are not what is found",
        ),
    ],
    ids=["order", "twice", "another's", "no row", "no id", "not found"],
)
def test_a_segment_that_was_written_wrong_is_told(rows: list[Row], reason: str) -> None:
    archive = Archive.sorted()
    name = archive.write(archive.segment, rows, place)
    ((told, why),) = archive.told()
    assert told == name
    assert reason in why


def test_a_name_that_hides_what_was_recorded_later_is_told() -> None:
    """Whoever fills the cache passes over what is older by its name."""
    archive = Archive.sorted()
    name = archive.write(archive.segment, ROWS, place, latest=1)
    assert archive.told() == [(name, "something in it was recorded later than its name says")]


def test_a_name_that_counts_other_rows_is_told() -> None:
    archive = Archive.sorted()
    name = archive.segment
    data = asyncio.run(archive.blobs.get(name)) or b""
    wrong = name.replace("-2-", "-3-")
    asyncio.run(archive.blobs.put(wrong, data))
    asyncio.run(archive.blobs.delete(name))
    assert archive.told() == [(wrong, "it has 2 rows instead of 3")]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (ROWS[::-1], "its rows are not in their order"),
        ([*ROWS, to_row(evidence(3, made=5 * HOUR))], "something in it belongs to ids/"),
        ([["nonsense", *ROWS[0][1:]]], "a row of it is not understood: nonsense is no id"),
    ],
    ids=["order", "another's", "no id"],
)
def test_a_run_of_ids_that_was_written_wrong_is_told(rows: list[Row], reason: str) -> None:
    archive = Archive.sorted()
    name = archive.write(archive.run, [id_row(row) for row in rows], id_key, latest=1)
    assert (name, True) in [(told, reason in why) for told, why in archive.told()]


def test_a_run_that_is_gone_is_told_by_what_is_not_found() -> None:
    archive = Archive.sorted()
    asyncio.run(archive.blobs.delete(archive.run))
    ((name, reason),) = archive.told()
    assert name == archive.segment
    assert reason.startswith("2 of its items")


def test_damage_in_a_run_is_not_laid_to_the_segments() -> None:
    archive = Archive.sorted()
    asyncio.run(archive.blobs.put(archive.run, b"?"))
    assert [name for name, _ in archive.told()] == [archive.run]


@define
class ForgottenMeanwhile:
    """Blobs of which everything is deleted once so many were read whole."""

    inner: MemoryBlobs
    reads: int

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def get(self, name: str) -> bytes | None:
        found = await self.inner.get(name)
        self.reads -= 1
        if self.reads == 0:
            for each in await self.inner.names():
                await self.inner.delete(each)
        return found


@pytest.mark.parametrize("reads", [1, 2])
def test_what_is_forgotten_meanwhile_is_no_fault(reads: int) -> None:
    blobs: Any = ForgottenMeanwhile(Archive.sorted().blobs, reads)
    found = inspected(over(blobs))
    assert not found.faults
    assert found.objects == reads


def test_what_is_sorted_meanwhile_is_no_fault() -> None:
    """Another process sorts and merges whatever lies there, at every step of the reading."""

    async def scene() -> None:
        blobs = MemoryBlobs()
        one, other = over(blobs, "p1"), over(blobs, "p2")
        for number in range(6):
            await one.keep([evidence(number)])

        def sort(done: int, whole: int) -> None:
            steps.append((done, whole))

        steps = list[tuple[int, int]]()
        inspecting = asyncio.create_task(one.inspect(sort))
        for number in range(6):
            await asyncio.sleep(0)
            await other.compact((await other.batches())[:1])
            await one.keep([evidence(10 + number)])
        found = await inspecting
        assert not found.faults
        assert steps[-1][0] == steps[-1][1]
        assert not (await one.inspect()).faults

    asyncio.run(scene())


def test_what_is_sorted_and_not_yet_found_by_its_id_is_no_fault() -> None:
    """Segments are written first, then their ids; the batches go last, be it after a crash."""

    async def scene() -> None:
        blobs = MemoryBlobs()
        archive = over(blobs)
        batch = await archive.keep([evidence(1), evidence(2)])
        data = await blobs.get(batch) or b""
        await archive.compact([batch])
        (run,) = [name for name in await blobs.names() if name.startswith("ids")]
        await blobs.put(batch, data)
        await blobs.delete(run)
        assert not (await over(blobs).inspect()).faults
        await blobs.delete(batch)
        assert len((await over(blobs).inspect()).faults) == 1

    asyncio.run(scene())


def test_how_far_it_is_is_told() -> None:
    async def scene() -> None:
        archive = over(MemoryBlobs())
        await archive.keep([evidence(1), evidence(2)])
        await archive.keep([evidence(3, created=HOUR)])
        steps = list[tuple[int, int]]()
        found = await archive.inspect(lambda *at: steps.append(at))
        assert steps == [(2, 3), (3, 3)]
        assert (found.objects, found.items) == (2, 3)

    asyncio.run(scene())
