"""What is shown when the tables or the shared cache do not answer."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from time import monotonic

import pytest

from adapters.memory.shared_cache import MemorySharedCache
from application.datasets.policies import Policy, PolicyAsked, Unchanged
from application.errors import NotCaughtUp, Unavailable
from application.reads.demand import Demand
from application.reads.position import Position
from domain.dataset.tier import Tier
from tests.application.caches.cached_scene import NOWHERE, READER, Scene, play
from tests.application.store import (
    ADMIN,
    ORDERS,
    VOLUME,
)
from tests.support.event_loop_turns import others_go_on


def test_without_tables_signals_are_shown_as_stale_and_never_older_than_needed(
    tmp_path: Path,
) -> None:
    async def story(scene: Scene) -> None:
        read = scene.store.use_cases.read_signal
        fresh = await read(ORDERS, VOLUME, by=READER)
        position = await scene.update(1)
        for name in list(scene.shared._held):
            await scene.shared.drop({name: position})
            scene.cache.local.drop(name, position)
        scene.tables.away = True
        stale = await read(ORDERS, VOLUME, by=READER)
        assert (fresh.stale, stale.stale) == (False, True)
        assert (stale.value, stale.position) == (fresh.value, fresh.position)
        assert "stale" in scene.layers_with_hits_and_times()
        scene.store.container.own_writes().patience = 0.0
        with pytest.raises(Unavailable):
            await read(ORDERS, VOLUME, by=ADMIN)

    play(tmp_path, story)


def test_one_who_must_see_more_takes_no_copies_from_those_who_ask_with_it(tmp_path: Path) -> None:
    async def story(scene: Scene) -> None:
        await scene.version()
        await scene.update(1)
        for name in list(scene.shared._held):
            await scene.shared.drop({name: 9})
            scene.cache.local.drop(name, 9)
        reading, released = scene.tables.held = asyncio.Event(), asyncio.Event()
        scene.tables.fails_late = True
        scene.store.container.own_writes().patience = 0.0
        writer = asyncio.create_task(scene.version(by=ADMIN))
        await reading.wait()
        readers = [asyncio.create_task(scene.version()) for _ in range(3)]
        await others_go_on()
        released.set()
        assert await asyncio.gather(*readers) == [1] * 3
        with pytest.raises(Unavailable):
            await writer

    play(tmp_path, story)


def test_a_copy_is_as_old_as_its_reading_was_begun(tmp_path: Path) -> None:
    async def story(scene: Scene) -> None:
        await scene.store.use_cases.clear_caches(by=ADMIN)
        began = scene.store.clock.at
        reading, released = scene.tables.held = asyncio.Event(), asyncio.Event()
        slow = asyncio.create_task(scene.version())
        await reading.wait()
        scene.store.clock.at = began.replace(second=20)
        released.set()
        await slow
        copy = scene.cache.local.copy(f"ss:{ORDERS}:{VOLUME}")
        assert copy is not None
        assert copy.entry.read_at == began

    play(tmp_path, story)


async def policies(scene: Scene, *asked: PolicyAsked) -> Sequence[Policy]:
    return changed_policies((await scene.store.use_cases.read_policies(asked, by=READER)).value)


def changed_policies(answers: Sequence[Policy | Unchanged]) -> Sequence[Policy]:
    assert not any(isinstance(one, Unchanged) for one in answers)
    return [one for one in answers if isinstance(one, Policy)]


def test_enforcers_are_told_copies_then_the_default(tmp_path: Path) -> None:
    """S0-306, S0-307; that a dataset is not registered is no failure."""

    async def story(scene: Scene) -> None:
        questions = [PolicyAsked(ORDERS), PolicyAsked(NOWHERE)]
        right, unknown = await policies(scene, *questions)
        assert not unknown.is_degraded
        await scene.store.use_cases.clear_caches(by=ADMIN)
        await scene.store.use_cases.read_policies(questions[:1], by=READER)
        scene.cache.local.drop(f"dc:{ORDERS}:LATEST", 10**6)
        await scene.shared.drop({f"dc:{ORDERS}:LATEST": 10**6})
        scene.store.clock.at = scene.store.clock.at.replace(second=30)
        scene.tables.away = True

        told = await scene.store.use_cases.read_policies(
            [*questions, PolicyAsked(ORDERS, (right.tag,))], by=READER
        )
        copy, default, known = changed_policies(told.value)
        assert (copy.card, copy.stale_seconds, copy.is_fallback) == (right.card, 30.0, False)
        assert (default.card, default.tier, default.is_fallback) == (None, Tier.TIER_3, True)
        assert copy.tag == known.tag != right.tag
        assert default.tag != unknown.tag
        assert max(copy.terms.cache_ttl_seconds, default.terms.cache_ttl_seconds) <= 5
        assert told.stale

    play(tmp_path, story)


def test_copies_are_left_however_long_the_tables_are_away(tmp_path: Path) -> None:
    """Also once nobody can tell any more which generation of the tables is the right one."""

    async def story(scene: Scene) -> None:
        (right,) = await policies(scene, PolicyAsked(ORDERS))
        fresh = await scene.store.use_cases.read_signal(ORDERS, VOLUME, by=READER)
        scene.tables.away = True
        scene.store.container.pointers().now = lambda: monotonic() + 3600.0

        copy, default = await policies(scene, PolicyAsked(ORDERS), PolicyAsked(NOWHERE))
        assert (copy.card, copy.is_degraded, default.is_fallback) == (right.card, True, True)
        stale = await scene.store.use_cases.read_signal(ORDERS, VOLUME, by=READER)
        assert (stale.value, stale.position) == (fresh.value, fresh.position)
        assert stale.stale
        await scene.store.use_cases.clear_caches(by=ADMIN)
        with pytest.raises(Unavailable):
            await scene.version()

    play(tmp_path, story)


def test_a_default_claims_no_position(tmp_path: Path) -> None:
    """It shows nothing of what happened: whoever names a position is not content with it."""

    async def story(scene: Scene) -> None:
        await scene.store.use_cases.clear_caches(by=ADMIN)
        scene.tables.away = True
        told = await scene.store.use_cases.read_policies([PolicyAsked(ORDERS)], by=READER)
        (default,) = changed_policies(told.value)
        assert default.is_fallback
        assert (told.position, told.age_seconds, told.stale) == (0, None, True)
        with pytest.raises(NotCaughtUp):
            await scene.store.use_cases.read_policies(
                [PolicyAsked(ORDERS)], demand=Demand(min_position=Position(2)), by=READER
            )

    play(tmp_path, story)


def test_redis_that_goes_is_told_and_harms_nothing(tmp_path: Path) -> None:
    async def story(scene: Scene) -> None:
        async def gone(names: object) -> object:
            raise Unavailable("the shared cache", "gone")

        shared = scene.cache.shared
        assert shared is not None
        shared.cache = evolve_with(scene.shared, gone)
        for window in range(1, 5):
            await scene.update(window)
            await scene.store.project()
            assert await scene.version() == window + 1
        assert "gone" in (scene.store.container.caches().trouble or "")

    play(tmp_path, story)


def evolve_with(
    cache: MemorySharedCache, gone: Callable[[object], Awaitable[object]]
) -> MemorySharedCache:
    class Gone(MemorySharedCache):
        get = put = drop = staticmethod(gone)  # type: ignore[assignment]

    return Gone(cache.clock)
