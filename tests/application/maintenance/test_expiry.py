"""Sweeping in slices, with rests, and never so early that a late projection misses a card."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from attrs import define, field

from application.errors import Unavailable
from application.maintenance.expiry import EVERY, LAG, PAUSE, SLICE, Sweeper

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)


@define
class Clock:
    at: datetime = NOON

    def now(self) -> datetime:
        return self.at


@define
class Heap:
    """Things that ended, each at a moment."""

    ended: list[datetime] = field(factory=list)
    slices: list[int] = field(factory=list)
    broken: bool = False

    async def sweep(self, ended_by: datetime, *, most: int) -> int:
        if self.broken:
            raise Unavailable("the heap", "it is locked")
        gone = [at for at in self.ended if at <= ended_by][:most]
        for at in gone:
            self.ended.remove(at)
        self.slices.append(len(gone))
        return len(gone)


class EnoughError(Exception):
    pass


@define
class Bed:
    """Notes each rest; after so many it is time to stop."""

    most: int = 1_000
    rests: list[float] = field(factory=list)

    async def rest(self, seconds: float) -> None:
        self.rests.append(seconds)
        if len(self.rests) >= self.most:
            raise EnoughError


def test_all_that_has_ended_goes_in_slices_with_a_rest_between() -> None:
    heap, bed = Heap([NOON - timedelta(days=1)] * (2 * SLICE + 5)), Bed()
    assert asyncio.run(Sweeper(heap, Clock(), rest=bed.rest).sweep()) == 2 * SLICE + 5
    assert heap.slices == [SLICE, SLICE, 5]
    assert bed.rests == [PAUSE, PAUSE]


def test_what_ended_just_now_stays_for_those_who_are_behind() -> None:
    heap = Heap([NOON - LAG, NOON - LAG + timedelta(seconds=1)])
    assert asyncio.run(Sweeper(heap, Clock()).sweep()) == 1
    assert heap.ended == [NOON - LAG + timedelta(seconds=1)]


def test_it_tells_how_many_and_comes_again() -> None:
    heap, bed, told = Heap([NOON - timedelta(days=1)] * 3), Bed(most=2), list[int]()
    sweeper = Sweeper(heap, Clock(), on_swept=told.append, rest=bed.rest)
    with pytest.raises(EnoughError):
        asyncio.run(sweeper.run())
    assert (told, bed.rests) == ([3], [EVERY, EVERY])


def test_trouble_is_told_and_it_is_tried_again() -> None:
    heap, bed, told = Heap(broken=True), Bed(most=2), list[Exception]()
    sweeper = Sweeper(heap, Clock(), on_trouble=told.append, rest=bed.rest)
    with pytest.raises(EnoughError):
        asyncio.run(sweeper.run())
    assert [str(error) for error in told] == ["the heap is unavailable: it is locked"] * 2
