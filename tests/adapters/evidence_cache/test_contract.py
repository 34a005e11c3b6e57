"""What every evidence cache promises (S0-100..S0-109, S0-194, S0-210)."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from attrs import evolve

from adapters.memory.evidence_archive import MemoryEvidenceArchive
from application.evidence.archive import EvidenceAsked
from application.evidence.cache import EvidenceCache
from application.evidence.cache_filler import MARK, CacheFiller
from application.reads.paging import PageRequest
from domain.evidence.evidence import Evidence, Source, Verdict
from domain.ids import EvidenceId, is_dataset_urn, is_evidence_id
from domain.signal.evaluation import Producer
from tests.adapters.evidence_cache.caches import KEPT_FOR, KINDS, SetClock, scene
from tests.adapters.evidence_cache.some_evidence import (
    BARE,
    FULL,
    NOON,
    ORDERS,
    PAYMENTS,
    WHOLE_DAY,
    name_of,
    some,
)
from tests.application.evidence.samples import telling

SECOND, MILLISECOND = timedelta(seconds=1), timedelta(milliseconds=1)


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture(params=KINDS)
def cache(
    request: pytest.FixtureRequest, tmp_path: Path, clock: SetClock
) -> Iterator[EvidenceCache]:
    with KINDS[request.param](tmp_path, clock) as opened:
        yield opened


async def shown(cache: EvidenceCache, *evidence: Evidence) -> list[bool]:
    """And told, just as it is shown."""
    names = [one.evidence_id for one in evidence]
    found = await cache.named(names)
    assert await cache.told(names) == {name: telling(one) for name, one in found.items()}
    return [found.get(one.evidence_id) == one for one in evidence]


async def pages(cache: EvidenceCache, asked: EvidenceAsked, size: int) -> list[Sequence[Evidence]]:
    page = await cache.of_dataset(asked, PageRequest(size))
    found = [page.items]
    while page.next is not None:
        page = await cache.of_dataset(asked, PageRequest(size, page.next))
        found.append(page.items)
    return found


@pytest.mark.parametrize(
    "one",
    [
        FULL,
        BARE,
        evolve(FULL, producer=Producer("orders-svc")),
        evolve(FULL, source=Source("raw", 0, 2**53)),
        evolve(FULL, schema_fingerprint=None, span_id=None),
        evolve(FULL, failed_gates=(), reason_codes=()),
        evolve(FULL, verdict=Verdict.PASS, payload_size_bytes=0, payload_ref="file:é"),
        evolve(FULL, failed_gates=("G1",) * 50, reason_codes=("LATE:x",) * 50),
    ],
)
@scene
async def test_evidence_comes_back_as_it_was_put(cache: EvidenceCache, one: Evidence) -> None:
    await cache.put([one])
    assert await cache.named([one.evidence_id]) == {one.evidence_id: one}
    assert await cache.told([one.evidence_id]) == {one.evidence_id: telling(one)}
    assert (await cache.of_dataset(WHOLE_DAY, PageRequest())).items == [one]


@scene
async def test_many_are_put_and_read_at_once(cache: EvidenceCache) -> None:
    """S0-210, S0-317: more than a batch of any engine."""
    every = [some(number) for number in range(620)]
    await cache.put(every)
    assert all(await shown(cache, *every))
    found = await cache.named([*(one.evidence_id for one in every), name_of(1000), name_of(0)])
    assert len(found) == 620


@scene
async def test_nothing_is_no_trouble(cache: EvidenceCache) -> None:
    await cache.put([])
    assert await cache.named([]) == {}
    assert await cache.told([]) == {}
    assert await cache.pin([]) in ([], set())
    await cache.unpin([name_of(1)])
    assert (await cache.of_dataset(WHOLE_DAY, PageRequest())).items == []


@scene
async def test_what_came_first_under_an_id_stays(cache: EvidenceCache) -> None:
    other = evolve(FULL, verdict=Verdict.PASS)
    await cache.put([FULL, other])
    await cache.put([other])
    assert await shown(cache, FULL) == [True]


@scene
async def test_what_has_ended_is_not_shown(cache: EvidenceCache, clock: SetClock) -> None:
    """T2, T26: 24 hours after it was recorded, to the full second, whenever it was created."""
    late = some(1, created_at=NOON - timedelta(hours=20), recorded_at=NOON + MILLISECOND)
    await cache.put([FULL, late])
    clock.at = NOON + KEPT_FOR - MILLISECOND
    assert await shown(cache, FULL, late) == [True, True]
    clock.at = NOON + KEPT_FOR
    assert await shown(cache, FULL, late) == [False, True]
    assert (await cache.of_dataset(WHOLE_DAY, PageRequest())).items == [late]
    clock.at += SECOND
    assert await shown(cache, FULL, late) == [False, False]
    assert (await cache.of_dataset(WHOLE_DAY, PageRequest())).items == []


@scene
async def test_what_has_ended_may_be_put_again(cache: EvidenceCache, clock: SetClock) -> None:
    await cache.put([FULL])
    clock.at = NOON + KEPT_FOR
    again = evolve(FULL, recorded_at=clock.at)
    await cache.put([again])
    assert await shown(cache, again) == [True]


# Pinning (S0-327).


@scene
async def test_what_is_pinned_does_not_end(cache: EvidenceCache, clock: SetClock) -> None:
    await cache.put([FULL, some(1)])
    assert not await cache.pin([FULL.evidence_id])
    assert not await cache.pin([FULL.evidence_id])
    clock.at = NOON + timedelta(days=30)
    await cache.sweep()
    assert await shown(cache, FULL, some(1)) == [True, False]
    assert (await cache.of_dataset(WHOLE_DAY, PageRequest())).items == [FULL]


@scene
async def test_what_is_unpinned_ends_when_it_would_have(
    cache: EvidenceCache, clock: SetClock
) -> None:
    await cache.put([FULL], pinned=[FULL.evidence_id])
    await cache.unpin([FULL.evidence_id, name_of(7)])
    assert await shown(cache, FULL) == [True]
    clock.at = NOON + KEPT_FOR - SECOND
    assert await shown(cache, FULL) == [True]
    clock.at += SECOND
    assert await shown(cache, FULL) == [False]


@scene
async def test_what_ended_while_it_was_pinned_goes_at_once(
    cache: EvidenceCache, clock: SetClock
) -> None:
    await cache.put([FULL], pinned=[FULL.evidence_id])
    clock.at = NOON + timedelta(days=3)
    await cache.unpin([FULL.evidence_id])
    assert await shown(cache, FULL) == [False]


@scene
async def test_pinning_tells_what_is_not_there(cache: EvidenceCache, clock: SetClock) -> None:
    await cache.put([FULL, some(1)])
    await cache.pin([some(1).evidence_id])
    clock.at = NOON + KEPT_FOR
    ids = [FULL.evidence_id, some(1).evidence_id, name_of(2)]
    assert set(await cache.pin(ids)) == {FULL.evidence_id, name_of(2)}
    assert await shown(cache, FULL) == [False]


@scene
async def test_what_ended_long_ago_can_be_put_as_pinned(
    cache: EvidenceCache, clock: SetClock
) -> None:
    clock.at = NOON + timedelta(days=30)
    await cache.put([FULL, some(1)], pinned=[FULL.evidence_id, name_of(9)])
    assert await shown(cache, FULL, some(1)) == [True, False]


@scene
async def test_putting_again_neither_unpins_nor_fails_to_pin(
    cache: EvidenceCache, clock: SetClock
) -> None:
    await cache.put([FULL, some(1)], pinned=[FULL.evidence_id])
    await cache.put([FULL, some(1)], pinned=[some(1).evidence_id])
    clock.at = NOON + timedelta(days=30)
    assert await shown(cache, FULL, some(1)) == [True, True]


# Throwing away.


@scene
async def test_sweeping_leaves_what_is_shown(cache: EvidenceCache, clock: SetClock) -> None:
    ended = [some(number) for number in range(1, 701)]
    await cache.put([FULL, BARE, *ended], pinned=[FULL.evidence_id])
    young = some(2000, recorded_at=NOON + SECOND)
    await cache.put([young])
    clock.at = NOON + KEPT_FOR
    assert await cache.sweep() in (len(ended) + 1, 0)  # Some engines sweep by themselves.
    assert await shown(cache, FULL, young, BARE, *ended) == [True, True, *[False] * 701]
    assert await cache.sweep() == 0


@scene
async def test_clearing_takes_everything(cache: EvidenceCache) -> None:
    every = [some(number) for number in range(60)]
    await cache.put(every, pinned=[every[0].evidence_id])
    await cache.clear()
    assert not any(await shown(cache, *every))
    await cache.put([every[0]])
    assert await shown(cache, every[0]) == [True]


@scene
async def test_all_ids_that_are_shown_are_told(cache: EvidenceCache, clock: SetClock) -> None:
    """More than a slice of any engine, and nothing twice."""
    every = [some(number) for number in range(1_100)]
    young = some(2_000, recorded_at=NOON + SECOND)
    await cache.put([*every, young], pinned=[every[7].evidence_id])
    told = [name async for ids in cache.ids() for name in ids]
    assert sorted(told) == sorted(one.evidence_id for one in (*every, young))
    clock.at = NOON + KEPT_FOR
    told = [name async for ids in cache.ids() for name in ids]
    assert sorted(told) == sorted([every[7].evidence_id, young.evidence_id])
    await cache.clear()
    assert [name async for ids in cache.ids() for name in ids] == []


# By dataset and time (S0-101, S0-194).


@pytest.mark.parametrize("size", [1, 2, 3, 5, 50])
@scene
async def test_a_dataset_is_walked_from_the_last_to_the_first(
    cache: EvidenceCache, size: int
) -> None:
    """Several were created in the same millisecond, on both sides of every page's end."""
    every = [some(number, created_at=NOON + number % 4 * MILLISECOND) for number in range(11)]
    await cache.put([*every, some(99, dataset=PAYMENTS)])
    found = await pages(cache, WHOLE_DAY, size)
    wanted = sorted(every, key=lambda one: (one.created_at, one.evidence_id), reverse=True)
    assert [one for page in found for one in page] == wanted
    assert [len(page) for page in found[:-1]] == [size] * (len(found) - 1)
    assert 0 < len(found[-1]) <= size


@scene
async def test_a_span_holds_its_beginning_and_not_its_end(cache: EvidenceCache) -> None:
    every = [some(number, created_at=NOON + number * MILLISECOND) for number in range(5)]
    await cache.put(every)
    fine = timedelta(microseconds=1)

    async def between(since: timedelta, until: timedelta) -> list[int]:
        asked = EvidenceAsked(ORDERS, NOON + since, NOON + until)
        found = (await cache.of_dataset(asked, PageRequest())).items
        return [every.index(one) for one in found]

    assert await between(MILLISECOND, 3 * MILLISECOND) == [2, 1]
    assert await between(MILLISECOND + fine, 3 * MILLISECOND + fine) == [3, 2]
    assert await between(MILLISECOND, MILLISECOND) == []
    assert await between(3 * MILLISECOND, MILLISECOND) == []


@scene
async def test_a_walk_goes_on_where_something_ended_or_came(
    cache: EvidenceCache, clock: SetClock
) -> None:
    every = [some(number, recorded_at=NOON + number * SECOND) for number in range(6)]
    await cache.put(every)
    first = await cache.of_dataset(WHOLE_DAY, PageRequest(2))
    assert list(first.items) == [every[5], every[4]]
    clock.at = NOON + KEPT_FOR + SECOND
    await cache.put([some(9)], pinned=[name_of(9)])
    rest = await cache.of_dataset(WHOLE_DAY, PageRequest(9, first.next))
    assert list(rest.items) == [every[3], every[2]]


@scene
async def test_the_mark_of_a_whole_cache_is_no_evidence(cache: EvidenceCache) -> None:
    """Whatever evidence is put, it is not the mark; whoever asks for evidence is not shown it."""
    filler = CacheFiller(MemoryEvidenceArchive(), cache)
    smallest = evolve(BARE, evidence_id=EvidenceId("evd-" + "0" * 26))
    await cache.put([smallest])
    assert not await filler.look_at_mark()
    await cache.clear()
    await filler.mark()
    assert await filler.look_at_mark()
    assert not await cache.named([smallest.evidence_id])
    assert not is_evidence_id(MARK.evidence_id)
    assert not is_dataset_urn(MARK.dataset)
    await filler.empty()
    assert not await filler.look_at_mark()
