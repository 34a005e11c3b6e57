"""Sorting in the background is spread over a time; who sorts on request does not wait."""

import asyncio
from typing import Any

import pytest
from attrs import define, field

from adapters.evidence_archive.compaction import Compaction
from adapters.evidence_archive.pace import Pace, few_at_a_time
from adapters.memory.blobs import MemoryBlobs
from tests.adapters.evidence_archive.archives import over
from tests.adapters.evidence_archive.some_evidence import evidence


@define
class Time:
    """It passes where somebody rests, and where a test says so."""

    now: float = 100.0
    rests: list[float] = field(factory=list)

    async def rest(self, seconds: float) -> None:
        self.rests.append(seconds)
        self.now += seconds


def pace(time: Time, whole: int, within: float) -> Pace:
    return Pace(whole, within, lambda: time.now, time.rest)


def test_work_that_takes_no_time_is_spread_evenly() -> None:
    async def scene() -> None:
        time = Time()
        spread = pace(time, 10, 5.0)
        for _ in range(10):
            await spread.did(1)
        assert time.rests == pytest.approx([0.5] * 10)

    asyncio.run(scene())


def test_who_is_late_does_not_rest_until_it_has_caught_up() -> None:
    async def scene() -> None:
        time = Time()
        spread = pace(time, 10, 5.0)
        time.now += 1.2
        await spread.did(2)
        assert time.rests == []
        await spread.did(1)
        assert time.rests == pytest.approx([0.3])

    asyncio.run(scene())


def test_without_a_time_to_spread_it_over_nobody_rests() -> None:
    async def scene() -> None:
        time = Time()
        for whole in (0, 10):
            await pace(time, whole, 0.0).did(10)
        assert time.rests == []

    asyncio.run(scene())


def test_a_few_at_a_time_are_all_of_them_once() -> None:
    assert list(few_at_a_time("abcde", 2)) == ["ab", "cd", "e"]
    assert list(few_at_a_time("", 2)) == []


def test_a_sorting_takes_the_time_it_may_and_all_is_sorted(monkeypatch: Any) -> None:
    """Every step of each row counts: the last rest ends when the whole time is over."""
    time = Time()

    def paced(whole: int, within: float) -> Pace:
        return pace(time, whole, within)

    monkeypatch.setattr(f"{Compaction.__module__}.Pace", paced)

    async def scene() -> None:
        archive = over(MemoryBlobs())
        all_of_it = [evidence(n) for n in range(40)]
        names = [await archive.keep(all_of_it[n : n + 4]) for n in range(0, 40, 4)]
        await archive.compact(names, within=5.0)
        assert time.now == pytest.approx(105.0)
        assert max(time.rests) < 5.0
        assert await archive.batches() == []
        found = await archive.named([one.evidence_id for one in all_of_it])
        assert len(found) == len(all_of_it)

    asyncio.run(scene())
