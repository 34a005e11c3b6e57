"""One process at a time tells the copies, at its own pace, and leaves what the next one needs."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from attrs import define, evolve, field

import application.delivery.cache_invalidation as module
from application.errors import OutcomeUnknown
from application.recorded import Recorded
from application.subscriptions import subscription
from domain.signal.evaluation import SignalStateEnum
from tests.application.delivery.shared_copies import Redis, Surroundings
from tests.application.delivery.test_outbox_leases import LeaseThatIsRenewed
from tests.application.projections.story import ListFeed, registered


@define
class Lease:
    """Ours, or another process's."""

    is_ours: bool = True
    released: bool = False

    async def hold(self, name: str) -> bool:
        return self.is_ours

    async def release(self, name: str) -> None:
        self.released = True


@define
class CountedFeed(ListFeed):
    """There is always more in it."""

    reads: int = 0

    async def read(self, after: int, limit: int) -> Sequence[Recorded]:
        self.reads += 1
        return await super().read(after, limit)

    async def beyond(self, position: int, *, timeout: float) -> bool:
        return True


def test_what_is_not_folded_is_not_read_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LINGER", 0.0)
    monkeypatch.setattr(subscription, "IDLE", 3600.0)
    story = registered().evaluate(SignalStateEnum.OK)
    around = Surroundings(story.facts)

    async def happen() -> int:
        await around.fold()
        await around.outbox().catch_up()
        story.evaluate(SignalStateEnum.CRITICAL, hour=1)
        outbox = around.outbox(feed=(feed := CountedFeed(story.facts)))
        running = asyncio.create_task(outbox.run())
        for _ in range(1_000):
            await asyncio.sleep(0)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        return feed.reads

    assert asyncio.run(happen()) == 1


def test_whoever_is_stopped_keeps_how_far_it_came_and_lets_go() -> None:
    story, lease = registered(), Lease()
    around = Surroundings(story.facts, leases=lease)

    async def happen() -> int:
        await around.fold()
        outbox = around.outbox(stored_after=3600.0, feed=ListFeed(story.facts))
        await outbox.catch_up()
        story.evaluate(SignalStateEnum.OK)
        await around.fold()
        running = asyncio.create_task(outbox.run())
        assert await around.progress.wait("redis", len(story.facts), timeout=30)
        assert await around.cards.reached("outbox/redis") < len(story.facts)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        return await around.cards.reached("outbox/redis")

    assert asyncio.run(happen()) == len(story.facts)
    assert lease.released


def test_whoever_cannot_keep_how_far_it_came_lets_go_all_the_same() -> None:
    story, lease = registered(), Lease()
    around = Surroundings(story.facts, leases=lease)

    async def happen() -> None:
        await around.fold()
        outbox = around.outbox(stored_after=3600.0, cards=(cards := Unkept(around.cards)))
        await outbox.catch_up()
        story.evaluate(SignalStateEnum.OK)
        await around.fold()
        cards.away = True
        running = asyncio.create_task(outbox.run())
        assert await around.progress.wait("redis", len(story.facts), timeout=30)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(happen())
    assert lease.released


@define
class Unkept:
    """Cards of which nobody can say whether they were filed."""

    cards: Any
    away: bool = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.cards, name)

    async def file(self, *filed: Any, **more: Any) -> None:
        if self.away:
            raise OutcomeUnknown("the tables", "they do not answer")
        await self.cards.file(*filed, **more)


def test_whoever_tells_again_goes_on_from_what_the_other_one_kept() -> None:
    story, lease = registered(), Lease()
    around = Surroundings(story.facts, leases=lease)

    async def happen() -> None:
        await around.fold()
        outbox = around.outbox()
        await outbox.catch_up()
        lease.is_ours = False
        story.evaluate(SignalStateEnum.OK)
        await around.fold()
        assert not await outbox.turn()
        await evolve(around, leases=Lease()).outbox().catch_up()
        lease.is_ours = True
        assert not await outbox.turn()
        assert around.progress.reached("redis").position == len(story.facts)

    asyncio.run(happen())


@define
class SlowRedis(Redis):
    """Answers only after the lease was renewed."""

    lease: LeaseThatIsRenewed = field(factory=LeaseThatIsRenewed)

    async def drop(self, names: Mapping[str, int]) -> None:
        await asyncio.wait_for(self.lease.renewed.wait(), 30)
        await super().drop(names)

    async def clear(self) -> int:
        await asyncio.wait_for(self.lease.renewed.wait(), 30)
        return await super().clear()


@pytest.mark.parametrize("is_new", [True, False])
def test_a_lease_is_kept_while_redis_takes_its_time(
    monkeypatch: pytest.MonkeyPatch, is_new: bool
) -> None:
    monkeypatch.setattr("application.subscriptions.lease.RENEWED_EVERY", 0.0)
    redis = SlowRedis()
    around = Surroundings(
        registered().evaluate(SignalStateEnum.OK).facts, redis=redis, leases=redis.lease
    )

    async def happen() -> None:
        await around.fold()
        if not is_new:
            await around.was_told(1)
        await around.outbox().catch_up()

    asyncio.run(happen())
    assert around.progress.reached("redis").position == len(around.facts)
    assert redis.cleared == is_new
