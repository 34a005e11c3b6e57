"""What comes later under an id does not overtake what came first."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from attrs import define, evolve, field

from adapters.blobs.directory import DirectoryBlobs
from adapters.sqlite.evidence.cache import SLICE, SqliteEvidenceCache
from adapters.sqlite.evidence.file import EvidenceFile
from application.evidence.sampling import Sieve
from domain.evidence.report import EvidenceReport
from tests.adapters.evidence_archive.archives import fresh_ulid, over
from tests.application.evidence.samples import telling
from tests.application.evidence.test_crashes import Process
from tests.application.evidence.test_first_put import DAY, START, id_made, opened, sent, size_read
from tests.application.store import ADMIN, StandingClock
from tests.support.event_loop_turns import others_go_on


@define
class Heard:
    """An archive that tells when it has kept something, and nothing else before it is let."""

    inner: Any
    has_kept: asyncio.Event = field(factory=asyncio.Event)
    may_tell: asyncio.Event = field(factory=asyncio.Event)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def keep(self, evidence: Any) -> Any:
        name = await self.inner.keep(evidence)
        self.has_kept.set()
        return name

    async def named(self, ids: Any) -> Any:
        await self.may_tell.wait()
        return await self.inner.named(ids)


async def heard(inner: Any, cache: Any, clock: StandingClock) -> tuple[Process, Heard]:
    archive = Heard(inner)
    process = Process(archive, cache, clock)
    process.put = evolve(process.put, sieve=Sieve(1.0))
    await process.upkeep.look()
    return process, archive


async def both_sent(process: Process, first: list[EvidenceReport], later: EvidenceReport) -> None:
    """The later one comes when the archive has the first, and the cache has not."""
    before = asyncio.create_task(process.put(first, by=ADMIN))
    await process.archive.has_kept.wait()
    await asyncio.gather(before, process.put([later], by=ADMIN))


def test_what_is_put_in_several_writes_is_not_overtaken(tmp_path: Path) -> None:
    async def scene() -> None:
        clock = StandingClock()
        cache = SqliteEvidenceCache(EvidenceFile(tmp_path / "cache.db"), clock, telling)
        archive = over(DirectoryBlobs(tmp_path / "archive"), process=fresh_ulid())
        process, _ = await heard(archive, cache, clock)
        moments = (clock.at + timedelta(milliseconds=1 + n) for n in range(3 * SLICE))
        many, name = [sent(id_made(at), 5) for at in moments], id_made(clock.at)
        await both_sent(process, [*many, sent(name, 1)], sent(name, 2))
        assert (await cache.named([name]))[name].payload_size_bytes == 1
        cache.close()

    asyncio.run(scene())


def test_what_the_archive_must_be_asked_about_is_not_overtaken() -> None:
    async def scene() -> None:
        _, inner, cache = opened()
        process, archive = await heard(inner, cache, cache.inner.clock)
        name, aged = id_made(START), id_made(START - 3 * DAY)
        first = [sent(name, 1), sent(aged, 9)]
        sending = asyncio.create_task(both_sent(process, first, sent(name, 2)))
        await others_go_on(50)
        assert not await cache.named([name])
        archive.may_tell.set()
        await sending
        assert (await cache.named([name]))[name].payload_size_bytes == 1

    asyncio.run(scene())


def test_others_need_not_wait_for_what_the_archive_must_be_asked_about() -> None:
    async def scene() -> None:
        _, inner, cache = opened()
        process, archive = await heard(inner, cache, cache.inner.clock)
        other, aged = id_made(START), id_made(START - 3 * DAY)
        first = asyncio.create_task(process.put([sent(aged, 9)], by=ADMIN))
        await archive.has_kept.wait()
        await process.put([sent(other, 2)], by=ADMIN)
        assert await cache.named([other])
        assert not first.done()
        archive.may_tell.set()
        await first
        assert process.filler._in_order.is_idle

    asyncio.run(scene())


def test_what_was_kept_before_a_restart_is_not_overtaken_though_its_id_is_fresh() -> None:
    async def scene() -> None:
        process, archive, cache = opened()
        await process.upkeep.look()
        name = id_made(START)
        await archive.keep([sent(name, 1).evidence(recorded_at=START)])
        after = Process(archive, cache, process.clock)
        after.clock.at += timedelta(seconds=5)
        after.put = evolve(after.put, sieve=Sieve(1.0))
        await after.put([sent(name, 2)], by=ADMIN)
        await after.upkeep.look()
        assert await size_read(after, name) == 1

    asyncio.run(scene())


def test_who_gives_up_waiting_lets_nobody_overtake_the_first() -> None:
    async def scene() -> None:
        process, archive, cache = opened()
        await process.upkeep.look()
        slow = process.filler.cache = Slow(cache)
        name = id_made(START)
        one = sent(name, 1).evidence(recorded_at=START)
        calls = [
            asyncio.create_task(process.filler.fill(await archive.keep([again]), [again]))
            for again in (one, evolve(one, payload_size_bytes=2), evolve(one, payload_size_bytes=3))
        ]
        await slow.has_begun.wait()
        calls[1].cancel()
        await others_go_on(20)
        slow.may_go_on.set()
        await asyncio.gather(*calls, return_exceptions=True)
        assert (await cache.named([name]))[name].payload_size_bytes == 1
        assert process.filler._in_order.is_idle

    asyncio.run(scene())


@define
class Slow:
    """A cache whose first put takes its time."""

    inner: Any
    has_begun: asyncio.Event = field(factory=asyncio.Event)
    may_go_on: asyncio.Event = field(factory=asyncio.Event)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def put(self, *args: Any, **more: Any) -> None:
        if not self.has_begun.is_set():
            self.has_begun.set()
            await self.may_go_on.wait()
        await self.inner.put(*args, **more)


@pytest.mark.parametrize("turns", [1, 5, 20, 60])
def test_what_is_being_put_while_the_cache_is_emptied_is_not_taken_for_the_first(
    tmp_path: Path, turns: int
) -> None:
    """It was looked up in what was there before."""

    async def scene() -> None:
        clock = StandingClock()
        cache = SqliteEvidenceCache(EvidenceFile(tmp_path / "cache.db"), clock, telling)
        inner = over(DirectoryBlobs(tmp_path / "archive"), process=fresh_ulid())
        process, archive = await heard(inner, cache, clock)
        archive.may_tell.set()
        name = id_made(clock.at)
        await process.put([sent(name, 1)], by=ADMIN)
        archive.has_kept.clear()
        clock.at += timedelta(minutes=5)
        fresh = (id_made(clock.at + timedelta(milliseconds=n)) for n in range(3 * SLICE))
        again = [*(sent(other, 5) for other in fresh), sent(name, 2)]
        sending = asyncio.create_task(process.put(again, by=ADMIN))
        await archive.has_kept.wait()
        await others_go_on(turns)
        await process.filler.empty()
        await sending
        await process.upkeep.recover()
        assert (await cache.named([name]))[name].payload_size_bytes == 1
        cache.close()

    asyncio.run(scene())


def test_what_comes_while_the_cache_is_emptied_is_not_taken_for_the_first() -> None:
    async def scene() -> None:
        process, archive, cache = opened()
        await process.upkeep.look()
        name = id_made(START)
        await process.put([sent(name, 1)], by=ADMIN)
        await process.upkeep.compact()
        before, after = Slow(cache), Slow(cache)
        process.filler.cache = before
        other = sent(id_made(START + timedelta(seconds=1)), 5).evidence(recorded_at=START)
        again = sent(name, 2).evidence(recorded_at=START)
        calls = [asyncio.create_task(process.filler.fill(await archive.keep([other]), [other]))]
        await before.has_begun.wait()
        process.filler.cache = after
        calls.append(asyncio.create_task(process.filler.empty()))
        await others_go_on(5)
        calls.append(asyncio.create_task(process.filler.fill(await archive.keep([again]), [again])))
        await after.has_begun.wait()
        before.may_go_on.set()
        await asyncio.gather(*calls[:2])
        after.may_go_on.set()
        await calls[2]
        assert (await cache.named([name]))[name].payload_size_bytes == 1

    asyncio.run(scene())
