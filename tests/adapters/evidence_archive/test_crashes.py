"""A process that dies at any step loses nothing that was kept, and nothing is shown twice."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from adapters.blobs.directory import DirectoryBlobs
from adapters.blobs.store import BlobStore
from adapters.evidence_archive.archive import BlobEvidenceArchive
from adapters.memory.blobs import MemoryBlobs
from adapters.memory.evidence_archive import MemoryEvidenceArchive
from application.evidence.archive import EvidenceArchive
from domain.evidence.evidence import Evidence
from domain.ids import DatasetUrn
from tests.adapters.evidence_archive.archives import over
from tests.adapters.evidence_archive.contents import listed, recorded, shown
from tests.adapters.evidence_archive.crashing_blobs import Died, MortalBlobs
from tests.adapters.evidence_archive.samples import ORDERS, START, STOCK, evidence
from tests.support.scale import scaled

HOUR = timedelta(hours=1)
Step = Callable[[EvidenceArchive], Awaitable[object]]


def kept(first: int, count: int) -> list[Evidence]:
    """Over two datasets and three hours; every fifth id was said before, about something else."""
    return [
        evidence(
            n if n % 5 else n // 2,
            dataset=(ORDERS, STOCK)[n % 2],
            created=HOUR * (n % 3),
            recorded=timedelta(seconds=n),
            made=HOUR * (n // 2 % 2) if n % 5 else timedelta(),
        )
        for n in range(first, first + count)
    ]


def keeping(first: int, count: int) -> Step:
    return lambda archive: archive.keep(kept(first, count))


async def compact(archive: EvidenceArchive) -> None:
    await archive.compact(await archive.batches())


SPARED = [one.evidence_id for one in kept(3, 4)]


async def forget(archive: EvidenceArchive) -> None:
    await archive.forget(START + 2 * HOUR, sparing=SPARED)


STEPS: Sequence[Step] = (
    keeping(1, 6),
    keeping(7, 5),
    compact,
    keeping(12, 8),
    keeping(20, 3),
    compact,
    keeping(23, 4),
    forget,
    compact,
)
IDS = [one.evidence_id for one in kept(1, 26)]


async def seen(archive: EvidenceArchive) -> object:
    by_id, lists = await shown(archive, IDS, [ORDERS, STOCK])
    assert (await recorded(archive, START)).keys() == by_id.keys()
    return by_id, lists


async def expected() -> list[object]:
    """What is to be seen before each step, and in the end."""
    twin = MemoryEvidenceArchive()
    states = [await seen(twin)]
    for step in STEPS:
        await step(twin)
        states.append(await seen(twin))
    return states


async def lived(archive: BlobEvidenceArchive) -> int:
    """How many steps were done."""
    for done, step in enumerate(STEPS):
        try:
            await step(archive)
        except Died:
            return done
    return len(STEPS)


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_death_at_any_step(after: bool) -> None:
    async def scene(steps: int, states: list[object]) -> bool:
        blobs = MemoryBlobs()
        done = await lived(over(MortalBlobs(blobs, steps, after)))
        survivor = over(blobs, "p2")
        if done < len(STEPS) and STEPS[done] is not forget:
            assert await seen(survivor) in states[done : done + 2]
        for number, step in enumerate(STEPS[done:], done + 1):
            await step(survivor)
            assert await seen(survivor) == states[number]
        return done == len(STEPS)

    states = asyncio.run(expected())
    deaths = 0
    while not asyncio.run(scene(deaths, states)):
        deaths += 1
    assert deaths > 50


def many(count: int) -> list[Evidence]:
    return [
        evidence(
            n,
            dataset=DatasetUrn(f"urn:dp:sales:table-{n * 7 % 20}:v1"),
            created=HOUR * (n % 3) + timedelta(milliseconds=n % 997),
            recorded=timedelta(milliseconds=n),
            made=timedelta(milliseconds=n),
        )
        for n in range(count)
    ]


def test_many_items_and_deaths_in_a_folder(tmp_path: Path) -> None:
    """S0-103..S0-109: what was kept is what is there, in a folder that processes died on."""
    dice, items = Random(7), many(scaled(20_000, 200_000))

    async def until_done(blobs: BlobStore, step: Step) -> None:
        while True:
            mortal = MortalBlobs(blobs, dice.randrange(400), dice.random() < 0.5)
            try:
                await step(over(mortal, fan_in=4))
            except Died:
                continue
            return

    async def scene() -> None:
        blobs = DirectoryBlobs(tmp_path)
        for start in range(0, len(items), 500):
            some = items[start : start + 500]
            await until_done(blobs, lambda archive, some=some: archive.keep(some))  # type: ignore[misc]
            if start % 5_000 == 4_500:
                await until_done(blobs, compact)
        archive = over(blobs, fan_in=4)
        assert await archive.named([one.evidence_id for one in items]) == {
            one.evidence_id: one for one in items
        }
        for dataset in {one.dataset for one in items}:
            mine = [one for one in items if one.dataset == dataset]
            mine.sort(key=lambda one: (one.created_at, one.evidence_id), reverse=True)
            assert await listed(archive, dataset, size=400) == mine
        assert len(await recorded(archive, START)) == len(items)

    asyncio.run(scene())
