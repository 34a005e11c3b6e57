"""What every archive of evidence promises."""

import asyncio
from datetime import timedelta

import pytest

from application.evidence.archive import ArchiveStock, BatchName, EvidenceArchive
from domain.ids import EvidenceId
from tests.adapters.evidence_archive.contents import listed, recorded
from tests.adapters.evidence_archive.samples import (
    ORDERS,
    START,
    STOCK,
    bare,
    evidence,
    evidence_id,
)

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
SORTED = pytest.mark.parametrize("is_sorted", [False, True], ids=["batches", "segments"])


async def sort(archive: EvidenceArchive, is_sorted: bool) -> None:
    if is_sorted:
        await archive.compact(await archive.batches())
        assert await archive.batches() == []


@SORTED
def test_what_was_kept_is_found_by_its_id(archive: EvidenceArchive, is_sorted: bool) -> None:
    async def scene() -> None:
        kept = [evidence(1), evidence(2, dataset=STOCK, created=-HOUR), bare(3)]
        await archive.keep(kept)
        await sort(archive, is_sorted)
        ids = [one.evidence_id for one in kept]
        assert await archive.named([*ids, evidence_id(4)]) == dict(zip(ids, kept, strict=True))
        assert await archive.named([]) == {}
        assert await archive.named([EvidenceId("not an id")]) == {}

    asyncio.run(scene())


@SORTED
def test_the_first_of_an_id_counts(archive: EvidenceArchive, is_sorted: bool) -> None:
    async def scene() -> None:
        first, other = evidence(1), evidence(2)
        await archive.keep([first, evidence(1, dataset=STOCK, recorded=MINUTE)])
        await sort(archive, is_sorted)
        await archive.keep([evidence(1, dataset=STOCK, created=HOUR), other])
        await archive.keep([evidence(1, created=-HOUR, recorded=HOUR)])
        for _ in range(2):
            assert await archive.named([first.evidence_id]) == {first.evidence_id: first}
            assert await listed(archive, STOCK) == []
            assert set(await listed(archive, ORDERS)) == {first, other}
            assert len(await listed(archive, ORDERS)) == 2
            await sort(archive, True)

    asyncio.run(scene())


def test_what_comes_later_stays_unheard_though_it_is_sorted_first(archive: EvidenceArchive) -> None:
    async def scene() -> None:
        first, later = evidence(1), evidence(1, dataset=STOCK, recorded=MINUTE)
        await archive.keep([first])
        await archive.compact([await archive.keep([later])])
        assert await archive.named([first.evidence_id]) == {first.evidence_id: first}
        await sort(archive, True)
        assert await listed(archive, STOCK) == []
        assert await listed(archive, ORDERS) == [first]

    asyncio.run(scene())


@SORTED
def test_a_dataset_is_listed_from_the_last_to_the_first(
    archive: EvidenceArchive, is_sorted: bool
) -> None:
    async def scene() -> None:
        kept = [evidence(n, created=MINUTE * (n * 7 % 30)) for n in range(90)]
        others = [evidence(n, dataset=STOCK) for n in range(100, 103)]
        for start in range(0, 90, 9):
            await archive.keep([*kept[start : start + 9], *others])
        await sort(archive, is_sorted)
        expected = sorted(kept, key=lambda one: (one.created_at, one.evidence_id), reverse=True)
        for size in (19, 90, 1_000):
            assert await listed(archive, ORDERS, size=size) == expected
        span = (START + 3 * MINUTE, START + 20 * MINUTE)
        fitting = [one for one in expected if span[0] <= one.created_at < span[1]]
        assert await listed(archive, ORDERS, span) == fitting
        assert await listed(archive, ORDERS, (START, START)) == []

    asyncio.run(scene())


@SORTED
def test_hours_and_batches_are_joined(archive: EvidenceArchive, is_sorted: bool) -> None:
    async def scene() -> None:
        kept = [evidence(n, created=HOUR * (n % 5), made=HOUR * (n % 3)) for n in range(30)]
        await archive.keep(kept[:10])
        await sort(archive, is_sorted)
        await archive.keep(kept[10:20])
        await sort(archive, is_sorted)
        await archive.keep(kept[20:])
        expected = sorted(kept, key=lambda one: (one.created_at, one.evidence_id), reverse=True)
        assert await listed(archive, ORDERS) == expected
        assert len(await archive.named([one.evidence_id for one in kept])) == 30

    asyncio.run(scene())


@SORTED
def test_what_was_recorded_since_is_told(archive: EvidenceArchive, is_sorted: bool) -> None:
    async def scene() -> None:
        kept = [evidence(n, created=-HOUR * (n % 4), recorded=MINUTE * n) for n in range(60)]
        await archive.keep(kept[:20])
        await sort(archive, is_sorted)
        await archive.keep(kept[20:])
        told: list[tuple[int, int]] = []
        async for _ in archive.recorded_since(START, lambda *at: told.append(at)):
            pass
        assert told[-1] == (60, 60)
        expected = {one.evidence_id: one for one in kept[30:]}
        assert await recorded(archive, START + 30 * MINUTE) == expected
        assert await recorded(archive, START + HOUR) == {}

    asyncio.run(scene())


@SORTED
def test_what_was_said_later_under_an_id_is_not_told(
    archive: EvidenceArchive, is_sorted: bool
) -> None:
    async def scene() -> None:
        first, old = evidence(1), evidence(2, recorded=-2 * HOUR)
        await archive.keep([first, old])
        await sort(archive, is_sorted)
        await archive.keep([evidence(1, recorded=HOUR), evidence(2, dataset=STOCK, recorded=HOUR)])
        told = [one async for some in archive.recorded_since(START) for one in some]
        assert told == [first]

    asyncio.run(scene())


def test_batches_are_told_until_they_are_sorted(archive: EvidenceArchive) -> None:
    async def scene() -> None:
        names = [await archive.keep([evidence(n), evidence(n + 10)]) for n in range(3)]
        assert await archive.batches() == names
        assert list(await archive.batch(names[1])) == [evidence(1), evidence(11)]
        told: list[tuple[int, int]] = []
        await archive.compact(names[:2], lambda *at: told.append(at))
        assert told[-1] == (2, 2)
        assert await archive.batches() == names[2:]
        assert list(await archive.batch(names[1])) == []
        assert list(await archive.batch(BatchName("never was"))) == []
        await archive.compact(names)
        await archive.compact(names)
        assert len(await listed(archive, ORDERS)) == 6

    asyncio.run(scene())


@SORTED
def test_hours_are_forgotten_but_for_what_is_spared(
    archive: EvidenceArchive, is_sorted: bool
) -> None:
    async def scene() -> None:
        kept = [evidence(n, created=HOUR * n, made=HOUR * n) for n in range(5)]
        old = evidence(9, dataset=STOCK)
        await archive.keep([*kept, old])
        await sort(archive, is_sorted)
        spared = {kept[1].evidence_id, kept[4].evidence_id, evidence_id(99)}
        gone = await archive.forget(START + 3 * HOUR + 59 * MINUTE, sparing=spared)
        assert (gone.items, gone.segments, gone.spared) == (3, 3, 1)
        assert await listed(archive, ORDERS) == [kept[4], kept[3], kept[1]]
        assert await listed(archive, STOCK) == []
        assert await archive.named([one.evidence_id for one in (*kept, old)]) == {
            one.evidence_id: one for one in (kept[1], kept[3], kept[4])
        }
        again = await archive.forget(START + 3 * HOUR, sparing=spared)
        assert (again.items, again.segments, again.spared) == (0, 0, 1)
        await archive.forget(START + 3 * HOUR, sparing=())
        assert await listed(archive, ORDERS) == [kept[4], kept[3]]

    asyncio.run(scene())


@SORTED
def test_what_was_recorded_lately_is_not_forgotten_however_old_it_is(
    archive: EvidenceArchive, is_sorted: bool
) -> None:
    async def scene() -> None:
        old, late = evidence(1), evidence(2, recorded=9 * HOUR)
        other = evidence(3, dataset=STOCK, recorded=9 * HOUR)
        await archive.keep([old, late])
        await sort(archive, is_sorted)
        await archive.keep([other])
        spared = {old.evidence_id}
        edge = START + 5 * HOUR
        gone = await archive.forget(START + 3 * HOUR, sparing=spared, recorded_before=edge)
        assert (gone.items, gone.spared) == (0, 3)
        gone = await archive.forget(START + 3 * HOUR, sparing=(), recorded_before=edge)
        assert (gone.items, gone.spared) == (1, 2)
        kept = {one.evidence_id: one for one in (late, other)}
        assert await archive.named([old.evidence_id, *kept]) == kept
        assert not (await archive.inspect()).faults
        edge = START + 10 * HOUR
        gone = await archive.forget(START + 3 * HOUR, sparing=(), recorded_before=edge)
        assert (gone.items, gone.spared) == (2, 0)
        assert await archive.named([*kept]) == {}

    asyncio.run(scene())


@SORTED
def test_what_was_forgotten_may_be_kept_again_and_nothing_else_takes_its_place(
    archive: EvidenceArchive, is_sorted: bool
) -> None:
    async def scene() -> None:
        await archive.keep([evidence(1)])
        await sort(archive, is_sorted)
        await archive.keep([evidence(1, dataset=STOCK, created=5 * HOUR)])
        await archive.forget(START + HOUR, sparing=())
        assert await archive.named([evidence_id(1)]) == {}
        assert await listed(archive, STOCK) == []
        anew = evidence(1, dataset=STOCK, created=6 * HOUR)
        await archive.keep([anew])
        await sort(archive, is_sorted)
        assert await archive.named([evidence_id(1)]) == {evidence_id(1): anew}
        assert await listed(archive, STOCK) == [anew]

    asyncio.run(scene())


def test_the_stock_is_told(archive: EvidenceArchive) -> None:
    async def scene() -> None:
        assert await archive.stock() == ArchiveStock(0, 0, 0, 0, None)
        await archive.keep([evidence(1, created=MINUTE), evidence(2, created=2 * HOUR)])
        stock = await archive.stock()
        assert (stock.batches, stock.items, stock.oldest) == (1, 2, START)
        await sort(archive, True)
        stock = await archive.stock()
        assert (stock.batches, stock.segments, stock.items, stock.oldest) == (0, 2, 2, START)

    asyncio.run(scene())


def test_all_of_it_is_read_whatever_was_done_to_it(archive: EvidenceArchive) -> None:
    async def scene() -> None:
        told: list[tuple[int, int]] = []
        for number in range(4):
            await archive.keep([evidence(number), evidence(9 + number, created=5 * HOUR)])
            await archive.keep([evidence(number, dataset=STOCK, recorded=MINUTE)])
            assert not (await archive.inspect(lambda *at: told.append(at))).faults
            await sort(archive, number % 2 == 1)
        await archive.forget(START + HOUR, sparing=[evidence_id(2)])
        found = await archive.inspect(lambda *at: told.append(at))
        assert (found.items, [*found.faults]) == (5, [])
        assert told[-1][0] == told[-1][1]

    asyncio.run(scene())


def test_a_page_is_asked_of_nothing(archive: EvidenceArchive) -> None:
    async def scene() -> None:
        await archive.keep([])
        assert await listed(archive, ORDERS) == []
        assert await archive.named([evidence_id(1)]) == {}
        assert await recorded(archive, START) == {}
        assert (await archive.forget(START, sparing=())).items == 0

    asyncio.run(scene())
