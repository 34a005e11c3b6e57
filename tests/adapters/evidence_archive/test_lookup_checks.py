"""Whether what is in segments is what is found under its id, however much there is."""

import asyncio
from collections import Counter
from typing import Any

import pytest
from attrs import define, field

from adapters.evidence_archive.object_names import stored
from adapters.evidence_archive.rows import CREATED, hour_of, place, to_row
from adapters.evidence_archive.segments import id_key, id_row
from adapters.memory.blobs import MemoryBlobs
from application.evidence.archive import Inspected
from tests.adapters.evidence_archive.archives import over
from tests.adapters.evidence_archive.samples import ORDERS, START, STOCK, evidence
from tests.adapters.evidence_archive.test_inspection import (
    HOUR,
    LATEST,
    ROWS,
    Archive,
    ForgottenMeanwhile,
    inspected,
    names_of,
)


@define
class Counting:
    """Blobs that count what is read of each."""

    inner: MemoryBlobs
    wholes: Counter[str] = field(factory=Counter)
    parts: Counter[str] = field(factory=Counter)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def get(self, name: str) -> bytes | None:
        self.wholes[name] += 1
        return await self.inner.get(name)

    async def part(self, name: str, start: int, length: int) -> bytes | None:
        self.parts[name] += 1
        return await self.inner.part(name, start, length)


async def many_hours() -> MemoryBlobs:
    """Of two datasets and three hours; ids were made in hours of their own."""
    blobs = MemoryBlobs()
    archive = over(blobs, fan_in=9)
    for n in range(30):
        one = evidence(n, dataset=(ORDERS, STOCK)[n % 2], created=HOUR * (n % 3), made=HOUR * n)
        await archive.compact([await archive.keep([one])])
    return blobs


def test_every_object_is_read_once() -> None:
    blobs: Any = Counting(asyncio.run(many_hours()))
    found = inspected(over(blobs))
    assert (found.objects, found.items, found.faults) == (len(blobs.wholes), 30, [])
    assert {*blobs.wholes.values()} == {1}
    assert not blobs.parts


@pytest.mark.parametrize("rows", [1, 7, 100])
def test_what_is_looked_up_part_by_part_is_all_of_it(
    rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.evidence_archive.inspection._ROWS_AT_ONCE", rows)
    blobs = asyncio.run(many_hours())
    names = asyncio.run(names_of(blobs))
    assert inspected(over(blobs)) == Inspected(len(names), 30, [])
    for run in [name for name in names if name.startswith("ids")][:3]:
        asyncio.run(blobs.delete(run))
    found = inspected(over(blobs))
    assert sum(int(one.reason.split()[0]) for one in found.faults) == 3
    told = stored(one.name for one in found.faults)
    assert found.items == 30 - sum(one.rows for one in told)


def test_an_item_in_two_objects_is_well() -> None:
    archive = Archive.sorted()
    for name, rows, key in (
        (archive.segment, ROWS[1:], place),
        (archive.run, [id_row(row) for row in ROWS[1:]], id_key),
    ):
        archive.add(name, rows, key, LATEST)
    assert archive.told() == []


def test_of_two_that_claim_one_place_the_one_that_is_not_found_is_told() -> None:
    archive = Archive.sorted()
    other = [*ROWS[0][:-1], 99]
    archive.add(archive.segment, [other], place)
    ((_, reason),) = archive.told()
    assert reason.startswith(f"1 of its items, such as {ROWS[0][0]},")


def test_an_id_that_came_again_after_it_was_forgotten_is_well() -> None:
    """Its run names both places: runs of later hours keep the names of what was forgotten."""

    async def scene() -> None:
        blobs = MemoryBlobs()
        archive = over(blobs)
        await archive.compact([await archive.keep([evidence(1, made=9 * HOUR)])])
        await archive.forget(START + 2 * HOUR, sparing=[])
        again = evidence(1, made=9 * HOUR, created=5 * HOUR)
        await archive.compact([await archive.keep([again])])
        assert sum(one.rows for one in await archive.objects.listed("ids")) == 2
        found = await over(blobs).inspect()
        assert (found.items, found.faults) == (1, [])

    asyncio.run(scene())


@pytest.mark.parametrize("rows", [1, 100])
@pytest.mark.parametrize("found", [0, 1])
def test_of_two_of_one_id_the_one_that_is_not_found_is_told(
    rows: int, found: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Runs name both: the last that is named is what readers find."""
    monkeypatch.setattr("adapters.evidence_archive.inspection._ROWS_AT_ONCE", rows)
    archive = Archive.sorted()
    both = [to_row(evidence(1, created=created)) for created in (5 * HOUR, 7 * HOUR)]
    folder, run = archive.segment.rpartition("/")[0], archive.run
    asyncio.run(archive.blobs.delete(run))
    asyncio.run(archive.blobs.delete(archive.segment))
    names = [
        archive.add(f"{folder[:-10]}{hour_of(row[CREATED]):010}/", [row], place) for row in both
    ]
    for row in (both[1 - found], both[found]):
        archive.add(run, [id_row(row)], id_key, LATEST)
    assert [name for name, _ in archive.told()] == [names[1 - found]]


@pytest.mark.parametrize("process", ["p0", "p2"])
def test_what_a_damaged_run_may_name_is_not_laid_to_the_segments(process: str) -> None:
    """Whether it is listed before or behind one that is well."""
    archive = Archive.sorted()
    whole = asyncio.run(archive.blobs.get(archive.run)) or b""
    half = archive.write(archive.run, [id_row(min(ROWS))], id_key, LATEST)
    bad = half.replace("-p1-", f"-{process}-")
    asyncio.run(archive.blobs.put(bad, whole))
    assert [name for name, _ in archive.told()] == [bad]


@pytest.mark.parametrize("reads", [1, 2, 3])
def test_what_is_not_found_and_forgotten_by_then_is_no_fault(reads: int) -> None:
    """It is read, read again, and read to tell what is lost."""
    archive = Archive.sorted()
    asyncio.run(archive.blobs.delete(archive.run))
    blobs: Any = ForgottenMeanwhile(archive.blobs, reads)
    assert not inspected(over(blobs)).faults
    assert blobs.reads <= 0


def test_what_lies_in_damaged_objects_is_not_counted() -> None:
    async def scene() -> None:
        blobs = MemoryBlobs()
        archive = over(blobs, fan_in=9)
        for numbers in ((1, 2), (3, 4, 5), (6,), (7, 8)):
            name = await archive.keep([evidence(number) for number in numbers])
            if len(numbers) > 2 or 1 in numbers:
                await archive.compact([name])
        for bad in ((await archive.batches())[1], (await names_of(blobs))[-1]):
            await blobs.put(bad, b"?")
        found = await over(blobs).inspect()
        assert (found.objects, found.items, len(found.faults)) == (6, 3, 2)

    asyncio.run(scene())
