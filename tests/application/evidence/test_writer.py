"""Callers share a batch, each learns of its own fate, and there is an end to what may wait."""

import asyncio
from collections.abc import Sequence

import pytest
from attrs import define, field

from adapters.memory.evidence_archive import MemoryEvidenceArchive
from adapters.memory.evidence_cache import MemoryEvidenceCache
from application.errors import Overloaded, Unavailable
from application.evidence.archive import BatchName
from application.evidence.cache_filler import CacheFiller
from application.evidence.writer import EvidenceKeeper
from domain.evidence.evidence import Evidence
from tests.application.evidence.samples import Broken, some_evidence, telling
from tests.application.store import StandingClock
from tests.support.event_loop_turns import others_go_on


@define
class GatedArchive:
    """Keeps when it is let."""

    inner: MemoryEvidenceArchive = field(factory=MemoryEvidenceArchive)
    begun: asyncio.Event = field(factory=asyncio.Event)
    gate: asyncio.Event = field(factory=asyncio.Event)
    fails: list[Exception] = field(factory=list)

    async def keep(self, evidence: Sequence[Evidence]) -> BatchName:
        self.begun.set()
        await self.gate.wait()
        if self.fails:
            raise self.fails.pop(0)
        return await self.inner.keep(evidence)


@define
class Scene:
    archive: GatedArchive = field(factory=GatedArchive)
    cache: Broken = field(factory=lambda: Broken(MemoryEvidenceCache(StandingClock(), telling)))
    most_waiting: int = 100

    def keeper(self) -> EvidenceKeeper:
        filler = CacheFiller(self.archive.inner, self.cache)
        return EvidenceKeeper(self.archive, filler, self.most_waiting)  # type: ignore[arg-type]

    async def kept(self) -> list[list[str]]:
        inner = self.archive.inner
        return [
            [one.evidence_id for one in await inner.batch(name)] for name in await inner.batches()
        ]


def names(*numbers: int) -> list[str]:
    return [some_evidence(number).evidence_id for number in numbers]


def test_callers_within_a_moment_share_a_batch_and_are_answered_when_it_is_kept() -> None:
    async def scene() -> None:
        set_up = Scene()
        keeper = set_up.keeper()
        calls = [asyncio.create_task(keeper.keep([some_evidence(n)])) for n in range(10)]
        await set_up.archive.begun.wait()
        assert not any(call.done() for call in calls)
        set_up.archive.gate.set()
        await asyncio.gather(*calls)
        assert await set_up.kept() == [names(*range(10))]
        assert len(await set_up.cache.named(names(*range(10)))) == 10
        assert keeper.waiting == 0

    asyncio.run(scene())


def test_what_comes_while_a_batch_is_kept_is_in_the_next_one() -> None:
    async def scene() -> None:
        set_up = Scene()
        keeper = set_up.keeper()
        first = asyncio.create_task(keeper.keep([some_evidence(1)]))
        await set_up.archive.begun.wait()
        others = [asyncio.create_task(keeper.keep([some_evidence(n)])) for n in (2, 3)]
        set_up.archive.gate.set()
        await asyncio.gather(first, *others)
        assert await set_up.kept() == [names(1), names(2, 3)]

    asyncio.run(scene())


def test_a_failure_is_told_to_those_who_were_in_it_and_to_nobody_else() -> None:
    async def scene() -> None:
        set_up = Scene()
        set_up.archive.fails.append(Unavailable("the archive", "the disk is full"))
        keeper = set_up.keeper()
        lost = [asyncio.create_task(keeper.keep([some_evidence(n)])) for n in (1, 2)]
        await set_up.archive.begun.wait()
        kept = asyncio.create_task(keeper.keep([some_evidence(3)]))
        set_up.archive.gate.set()
        await kept
        for call in lost:
            with pytest.raises(Unavailable, match="the disk is full"):
                await call
        assert await set_up.kept() == [names(3)]
        assert keeper.waiting == 0

    asyncio.run(scene())


def test_who_goes_away_takes_nobody_along() -> None:
    async def scene() -> None:
        set_up = Scene()
        keeper = set_up.keeper()
        gone = asyncio.create_task(keeper.keep([some_evidence(1)]))
        stays = asyncio.create_task(keeper.keep([some_evidence(2)]))
        await set_up.archive.begun.wait()
        gone.cancel()
        set_up.archive.gate.set()
        await stays
        assert gone.cancelled()
        assert await set_up.kept() == [names(1, 2)]
        assert keeper.waiting == 0

    asyncio.run(scene())


def test_beyond_the_queue_nothing_of_a_call_is_kept_until_there_is_room_again() -> None:
    async def scene() -> None:
        set_up = Scene(most_waiting=10)
        keeper = set_up.keeper()
        first = asyncio.create_task(keeper.keep([some_evidence(n) for n in range(8)]))
        await set_up.archive.begun.wait()
        with pytest.raises(Overloaded):
            await keeper.keep([some_evidence(n) for n in (20, 21, 22)])
        fits = asyncio.create_task(keeper.keep([some_evidence(30), some_evidence(31)]))
        set_up.archive.gate.set()
        await asyncio.gather(first, fits)
        await keeper.keep([some_evidence(n) for n in (20, 21, 22)])
        assert await set_up.kept() == [names(*range(8)), names(30, 31), names(20, 21, 22)]

    asyncio.run(scene())


def test_a_call_that_is_larger_than_the_queue_waits_alone() -> None:
    async def scene() -> None:
        set_up = Scene(most_waiting=2)
        set_up.archive.gate.set()
        await set_up.keeper().keep([some_evidence(n) for n in range(5)])
        assert await set_up.kept() == [names(*range(5))]

    asyncio.run(scene())


def test_a_cache_that_fails_fails_nobody() -> None:
    async def scene() -> None:
        set_up = Scene()
        set_up.archive.gate.set()
        set_up.cache.methods = {"put"}
        keeper = set_up.keeper()
        await keeper.keep([some_evidence(1)])
        assert await set_up.kept() == [names(1)]
        assert len(keeper.filler.lacking) == 1

    asyncio.run(scene())


def test_at_the_end_all_that_was_taken_is_answered_for() -> None:
    async def scene() -> None:
        set_up = Scene()
        keeper = set_up.keeper()
        calls = [asyncio.create_task(keeper.keep([some_evidence(1)]))]
        await set_up.archive.begun.wait()
        calls.append(asyncio.create_task(keeper.keep([some_evidence(2)])))
        asyncio.get_running_loop().call_soon(set_up.archive.gate.set)
        await others_go_on()
        await keeper.drain(within=60)
        assert keeper.waiting == 0
        await asyncio.gather(*calls)
        assert await set_up.kept() == [names(1), names(2)]

    asyncio.run(scene())


def test_an_archive_that_does_not_answer_holds_up_no_end() -> None:
    async def scene() -> None:
        set_up = Scene()
        keeper = set_up.keeper()
        calls = [asyncio.create_task(keeper.keep([some_evidence(1)]))]
        await set_up.archive.begun.wait()
        calls.append(asyncio.create_task(keeper.keep([some_evidence(2)])))
        await others_go_on()
        async with asyncio.timeout(60):
            await keeper.drain(within=0.01)
        for call in calls:
            with pytest.raises(Unavailable, match="the store ends"):
                await call
        assert keeper.waiting == 0

    asyncio.run(scene())
