"""The first evidence of an id counts, also where the cache has it not, or not any more."""

import asyncio
from datetime import datetime, timedelta
from typing import Any

import pytest
from attrs import define, evolve
from hypothesis import given
from hypothesis import strategies as st

from adapters.memory.blobs import MemoryBlobs
from application.errors import Damaged
from application.evidence import ReadEvidence
from application.evidence.maintenance import SORTED_EVERY, TRIED_EVERY
from application.evidence.sampling import Sieve, Sifted
from domain.evidence.report import EvidenceReport
from domain.ids import EvidenceId, made_milliseconds
from tests.adapters.evidence_archive.archives import over
from tests.application.evidence.samples import DATASETS, some_report, telling
from tests.application.evidence.test_crashes import Anyone, Process
from tests.application.evidence.test_maintenance import stores
from tests.application.store import ADMIN, StandingClock
from tests.support.event_loop_turns import others_go_on

DAY = timedelta(hours=24)
START = StandingClock().at
_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def id_made(at: datetime) -> EvidenceId:
    made, digits = round(at.timestamp() * 1000), ""
    for _ in range(10):
        made, digit = divmod(made, 32)
        digits = _DIGITS[digit] + digits
    return EvidenceId(f"evd-{digits}{'0' * 16}")


def sent(name: EvidenceId, size: int) -> EvidenceReport:
    """The size tells which one it is."""
    return some_report(0, evidence_id=name, created_at=START, dataset_urn=DATASETS[0])._replace(
        payload_size_bytes=size
    )


async def size_read(process: Process, name: EvidenceId) -> int | None:
    reading = ReadEvidence(process.archive, process.cache, Anyone(), process.clock, telling, DAY)
    return (await reading([name], by=ADMIN))[name].evidence.payload_size_bytes


def opened() -> tuple[Process, Any, Any]:
    archive, cache = stores()
    process = Process(archive, cache, cache.inner.clock)
    process.put = evolve(process.put, sieve=Sieve(0.0))
    return process, archive, cache


def test_an_id_tells_when_it_was_made() -> None:
    assert made_milliseconds(id_made(START)) == START.timestamp() * 1000


@pytest.mark.parametrize("ahead", [timedelta(), timedelta(minutes=59), timedelta(days=3)])
def test_what_is_sent_again_after_the_first_has_ended_is_not_heard(ahead: timedelta) -> None:
    async def scene() -> None:
        process, _, _ = opened()
        await process.upkeep.look()
        name = id_made(process.clock.at + ahead)
        await process.put([sent(name, 1)], by=ADMIN)
        process.clock.at += DAY + timedelta(minutes=1)
        await process.put([sent(name, 2)], by=ADMIN)
        assert await size_read(process, name) == 1

    asyncio.run(scene())


def test_the_first_that_is_kept_is_the_first_that_is_recorded() -> None:
    """Though it came later: another was still being sifted."""

    async def scene() -> None:
        process, _, cache = opened()
        await process.upkeep.look()
        name, other = id_made(process.clock.at), id_made(process.clock.at + timedelta(minutes=1))
        slow = asyncio.Event()

        async def sift(at: datetime) -> Sifted:
            await slow.wait()
            return process.put.sieve.sifted([sent(name, 1)], at)

        putting = asyncio.create_task(process.put.put(sift, by=ADMIN))
        await others_go_on(3)
        process.clock.at += timedelta(seconds=1)
        await process.put([sent(other, 2)], by=ADMIN)
        process.clock.at += timedelta(seconds=1)
        slow.set()
        await putting
        kept = await cache.named([name, other])
        assert kept[other].recorded_at < kept[name].recorded_at == process.clock.at

    asyncio.run(scene())


def test_what_is_sent_again_after_the_cache_was_lost_is_not_heard() -> None:
    async def scene() -> None:
        process, _, cache = opened()
        await process.upkeep.look()
        name = id_made(process.clock.at)
        await process.put([sent(name, 1)], by=ADMIN)
        await cache.clear()
        process.clock.at += timedelta(minutes=2)
        await process.put([sent(name, 2)], by=ADMIN)
        assert await size_read(process, name) == 1

    asyncio.run(scene())


def test_what_is_sent_again_before_the_cache_took_the_first_is_not_heard() -> None:
    async def scene() -> None:
        process, _, cache = opened()
        await process.upkeep.look()
        name = id_made(process.clock.at)
        cache.methods = {"put"}
        await process.put([sent(name, 1)], by=ADMIN)
        cache.methods = set()
        await process.put([sent(name, 2)], by=ADMIN)
        await process.upkeep.recover()
        assert await size_read(process, name) == 1
        assert process.filler.is_whole

    asyncio.run(scene())


def test_a_batch_that_is_put_after_a_crash_shows_what_came_before_it() -> None:
    async def scene() -> None:
        before, archive, cache = opened()
        await before.upkeep.look()
        name = id_made(before.clock.at)
        await before.put([sent(name, 1)], by=ADMIN)
        await before.upkeep.compact()
        before.clock.at += timedelta(minutes=2)
        await archive.keep([sent(name, 2).evidence(recorded_at=before.clock.at)])
        await cache.clear()
        after = Process(archive, cache, before.clock)
        await after.upkeep.recover()
        assert await size_read(after, name) == 1

    asyncio.run(scene())


def test_if_nobody_can_tell_what_came_first_it_is_not_shown_before_somebody_can() -> None:
    async def scene() -> None:
        process, archive, cache = opened()
        await process.upkeep.look()
        name = id_made(process.clock.at - DAY * 2)
        await archive.keep([sent(name, 1).evidence(recorded_at=process.clock.at - DAY)])
        archive.methods = {"named"}
        await process.put([sent(name, 2)], by=ADMIN)
        assert not await cache.named([name])
        assert not process.filler.is_whole
        archive.methods = set()
        await process.upkeep.recover()
        assert await size_read(process, name) == 1
        assert process.filler.is_whole

    asyncio.run(scene())


def test_for_fresh_ids_the_archive_is_not_asked() -> None:
    async def scene() -> None:
        process, archive, cache = opened()
        await process.upkeep.look()
        archive.methods = {"named"}
        made = [timedelta(), timedelta(minutes=50), timedelta(hours=22)]
        names = [id_made(process.clock.at - age) for age in made]
        await process.put([sent(name, 1) for name in names], by=ADMIN)
        assert len(await cache.named(names)) == len(names)

    asyncio.run(scene())


STEPS = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.sampled_from(["send", "send", "lose", "restart", "compact", "look", "break", "mend"]),
        st.sampled_from([0, 90, 3_600, 90_000]),
    ),
    max_size=20,
)


@given(STEPS)
def test_whatever_happens_reads_show_the_first(steps: list[tuple[int, str, int]]) -> None:
    async def scene() -> None:
        process, archive, cache = opened()
        await process.upkeep.recover()
        names, first = dict[int, EvidenceId](), dict[EvidenceId, int]()
        for number, (which, step, seconds) in enumerate(steps):
            process.clock.at += timedelta(seconds=seconds)
            name = names.setdefault(
                which, id_made(process.clock.at + timedelta(milliseconds=which))
            )
            if step == "send":
                await process.put([sent(name, number)], by=ADMIN)
                first.setdefault(name, number)
            elif step == "lose":
                # Whoever sends within a minute of the first is not noticed.
                process.clock.at += timedelta(minutes=2)
                await cache.inner.clear()
            elif step == "restart":
                process = Process(archive, cache, process.clock)
                process.put = evolve(process.put, sieve=Sieve(0.0))
            elif step in ("break", "mend"):
                cache.methods = {"put"} if step == "break" else set()
            elif not cache.methods:
                await (process.upkeep.compact() if step == "compact" else process.upkeep.recover())
            for known, number_sent in first.items():
                assert await size_read(process, known) == number_sent

    asyncio.run(scene())


def test_where_the_cache_was_damaged_the_second_is_not_put() -> None:
    async def scene() -> None:
        process, archive, cache = opened()
        await process.upkeep.look()
        name = id_made(START)
        await process.put([sent(name, 1)], by=ADMIN)
        await process.upkeep.compact()
        await archive.keep([sent(name, 2).evidence(recorded_at=START + timedelta(seconds=5))])
        after = Process(archive, Spoilt(cache, name), process.clock)
        for _ in range(SORTED_EVERY + TRIED_EVERY):
            await after.upkeep.look()
        assert after.filler.is_whole
        assert (await cache.named([name]))[name].payload_size_bytes == 1

    asyncio.run(scene())


@define
class Spoilt:
    """A cache that cannot show one of its rows, until it is cleared."""

    inner: Any
    name: EvidenceId
    is_suspect: bool = False
    is_cleared: bool = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def named(self, ids: Any) -> Any:
        if self.name in ids and not self.is_cleared:
            self.is_suspect = True
            raise Damaged(self.name, "its checksum differs")
        return await self.inner.named(ids)

    async def check(self) -> None:
        if self.is_suspect:
            raise Damaged(self.name, "its checksum differs")

    async def clear(self) -> None:
        await self.inner.clear()
        self.is_suspect, self.is_cleared = False, True


@pytest.mark.parametrize("is_lost", [False, True], ids=["refused once", "cache lost"])
def test_a_damaged_batch_keeps_fresh_evidence_from_nobody(is_lost: bool) -> None:
    """Of what it held nobody can tell, but what was made just now was hardly in it."""

    async def scene() -> None:
        blobs = MemoryBlobs()
        _, _, cache = opened()
        clock = cache.inner.clock
        before = Process(over(blobs), cache, clock)
        before.put = evolve(before.put, sieve=Sieve(1.0))
        await before.upkeep.look()
        await before.put([sent(id_made(clock.at), 1)], by=ADMIN)
        (batch,) = await blobs.names()
        await blobs.put(batch, b"x" * len(await blobs.get(batch) or b""))
        if is_lost:
            await cache.clear()
        process = Process(over(blobs), cache, clock)
        process.put = evolve(process.put, sieve=Sieve(1.0))
        for _ in range(2 * TRIED_EVERY):
            await process.upkeep.look()
        clock.at += timedelta(minutes=5)
        name = id_made(clock.at)
        cache.methods = set() if is_lost else {"put"}
        await process.put([sent(name, 2)], by=ADMIN)
        cache.methods = set()
        for _ in range(SORTED_EVERY + TRIED_EVERY):
            await process.upkeep.look()
        assert await size_read(process, name) == 2
        assert await cache.named([name])
        assert [*await process.archive.batches()] == [batch]

    asyncio.run(scene())
