"""What is read from caches, and by whom."""

import asyncio
from pathlib import Path

from attrs import evolve

from application.reads.demand import NOTHING, Demand
from application.reads.position import Position
from application.recorded import ERASED
from domain.dataset.settings_validation import SettingsReport
from domain.dataset.tier import Tier
from tests.application.caches.cached_scene import OWNER, READER, Scene, play
from tests.application.store import (
    ADMIN,
    ORDERS,
    SETTINGS,
    VOLUME,
)
from tests.support.event_loop_turns import others_go_on


def test_what_was_read_is_not_read_again(tmp_path: Path) -> None:
    async def story(scene: Scene) -> None:
        await scene.shared.clear()
        await scene.version()
        before = scene.tables.reads
        assert [await scene.version() for _ in range(5)] == [1] * 5
        assert scene.tables.reads == before

    play(tmp_path, story)


def test_many_who_miss_ask_once_and_one_who_gives_up_stops_nobody(tmp_path: Path) -> None:
    async def story(scene: Scene) -> None:
        await scene.store.use_cases.clear_caches(by=ADMIN)
        before = scene.tables.reads
        reading, released = scene.tables.held = asyncio.Event(), asyncio.Event()
        askers = [asyncio.create_task(scene.version()) for _ in range(10)]
        await reading.wait()
        askers[0].cancel()
        await others_go_on()
        released.set()
        assert await asyncio.gather(*askers[1:]) == [1] * 9
        assert scene.tables.reads == before + 1

    play(tmp_path, story)


def test_whoever_wrote_reads_it_and_whoever_names_a_position_sees_it(tmp_path: Path) -> None:
    async def story(scene: Scene) -> None:
        assert await scene.version() == await scene.version(by=ADMIN) == 1
        position = await scene.update(1)
        # Folded elsewhere: nothing here was told to drop anything.
        cache = scene.cache
        held = dict(cache.local._held), dict(scene.shared._held)
        await scene.store.project()
        cache.local._held.update(held[0])
        cache.local._dropped.clear()
        scene.shared._held.update(held[1])

        old = await scene.store.use_cases.read_signal(ORDERS, VOLUME, by=READER)
        assert (old.value.version, old.position < position) == (1, True)
        assert await scene.version(by=ADMIN) == 2
        cache.local._held.update(held[0])
        assert await scene.version(Demand(min_position=Position(position))) == 2
        cache.local._held.update(held[0])
        assert await scene.version(Demand(strong=True)) == 2

    play(tmp_path, story)


def test_a_signal_shows_the_tier_that_its_reader_gave_the_dataset(tmp_path: Path) -> None:
    """The tier is the dataset's: no fact of the signal tells that its row has changed."""

    async def story(scene: Scene) -> None:
        await scene.version()
        cache = scene.cache
        held = dict(cache.local._held), dict(scene.shared._held)
        changed = await scene.store.use_cases.update_dataset(
            ORDERS,
            SettingsReport(evolve(SETTINGS, tier=Tier.TIER_3), ["tier"]),
            expected_version=-1,
            by=ADMIN,
        )
        await scene.store.project()
        dropped = await scene.shared.get([f"ss:{ORDERS}:{VOLUME}"])
        assert dropped[f"ss:{ORDERS}:{VOLUME}"].entry.position == changed.position
        # Folded elsewhere: nothing here was told to drop anything.
        for by, demand in (
            (ADMIN, NOTHING),
            (READER, Demand(min_position=Position(changed.position))),
        ):
            cache.local._held.update(held[0])
            cache.local._dropped.clear()
            scene.shared._held.update(held[1])
            told = await scene.store.use_cases.read_signal(ORDERS, VOLUME, demand=demand, by=by)
            assert told.value.tier is Tier.TIER_3
            assert told.position >= changed.position

    play(tmp_path, story)


def test_who_read_before_a_change_puts_nothing_after_it(tmp_path: Path) -> None:
    async def story(scene: Scene) -> None:
        await scene.store.use_cases.clear_caches(by=ADMIN)
        reading, released = scene.tables.held = asyncio.Event(), asyncio.Event()
        slow = asyncio.create_task(scene.version())
        await reading.wait()
        await scene.update(1)
        await scene.store.project()
        released.set()
        assert await slow == 1
        assert await scene.version() == 2
        (signal,) = [name for name in scene.shared._held if name.startswith("ss:")]
        assert (await scene.shared.get([signal]))[signal].entry.rows[0]["version"] == 2

    play(tmp_path, story)


def test_signals_are_written_through(tmp_path: Path) -> None:
    """S0-226: another process finds the new state in the shared cache."""

    async def story(scene: Scene) -> None:
        position = await scene.update(1)
        await scene.store.project()
        copy = (await scene.shared.get([f"ss:{ORDERS}:{VOLUME}"]))[f"ss:{ORDERS}:{VOLUME}"]
        assert copy.fresh
        assert (copy.entry.rows[0]["version"], copy.entry.position) == (2, position)

    play(tmp_path, story)


def test_an_erased_person_is_not_shown(tmp_path: Path) -> None:
    async def story(scene: Scene) -> None:
        before = (await scene.store.use_cases.read_dataset(ORDERS, by=READER)).value
        assert before.settings.owner_email == OWNER
        assert OWNER not in str(scene.shared._held)
        await scene.store.use_cases.erase_person(OWNER, by=ADMIN)
        scene.tables.away = True
        after = (await scene.store.use_cases.read_dataset(ORDERS, by=READER)).value
        assert after.settings.owner_email == ERASED

    play(tmp_path, story)


def test_hits_and_latency_of_every_layer_are_told(tmp_path: Path) -> None:
    """S0-224."""

    async def story(scene: Scene) -> None:
        await scene.store.use_cases.clear_caches(by=ADMIN)
        await scene.version()
        await scene.version()
        scene.cache.local.clear()
        await scene.version()
        scene.tables.away = True
        scene.cache.local.drop(name := f"ss:{ORDERS}:{VOLUME}", 10**6)
        await scene.shared.drop({name: 10**6})
        await scene.version()
        assert scene.layers_with_hits_and_times() == {"l1", "l2", "store", "stale"}

    play(tmp_path, story)
