"""What is read from caches, by whom, and what is shown when nothing else answers."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from time import monotonic

import pytest
from attrs import define, evolve
from dependency_injector import providers

from adapters.caching.guarded import GuardedCache
from adapters.memory.engine import MemoryEngine
from adapters.memory.shared_cache import MemorySharedCache
from adapters.tables.engine import Row, RowKey
from application.caller import Caller
from application.enforcement import PolicyAsked
from application.errors import NotCaughtUp, Unavailable
from application.position import Position
from application.reads import NOTHING, Demand
from application.recorded import ERASED
from domain.ids import DatasetUrn
from domain.tier import Tier
from tests.application.store import (
    ADMIN,
    ORDERS,
    SETTINGS,
    VOLUME,
    Store,
    open_store,
    report,
)
from tests.turns import others_go_on

READER = Caller("reader", roles=frozenset({"admin"}))
OWNER = "joe@company.example"
NOWHERE = DatasetUrn("urn:dp:orders:unheard_of:v1")
NOBODY_FORGETS = {"STATESTORE_CACHE_ENTRIES": "100", "STATESTORE_CACHE_MILLISECONDS": "60000"}


class TrickyEngine(MemoryEngine):
    """Can be away, can be held up, and counts what is read."""

    away = False
    fails_late = False
    reads = 0
    held: "tuple[asyncio.Event, asyncio.Event] | None" = None
    """Told that the next read has its rows, and what it waits for then."""

    async def get(self, keys: Sequence[RowKey], *, strong: bool = False) -> Sequence[Row]:
        if self.away:
            raise Unavailable("the tables", "away")
        rows = await super().get(keys, strong=strong)
        if any(key.table.endswith("signal-state") for key in keys):
            self.reads += 1
            if self.held is not None:
                (reading, released), self.held = self.held, None
                reading.set()
                await released.wait()
                if self.fails_late:
                    raise Unavailable("the tables", "gone while they were read")
        return rows


@define
class Scene:
    store: Store
    tables: TrickyEngine
    shared: MemorySharedCache

    async def version(self, demand: Demand = NOTHING, by: Caller = READER) -> int:
        answer = await self.store.reads.ask(demand, self.store.read_signal, ORDERS, VOLUME, by=by)
        version: int = answer.told.version
        return version

    async def update(self, window: int) -> int:
        committed = await self.store.update_signal(report(window), by=ADMIN)
        position: int = committed.position
        return position


Story = Callable[[Scene], Awaitable[None]]


def play(folder: Path, story: Story) -> None:
    async def scene() -> None:
        async with open_store("memory", folder, **NOBODY_FORGETS) as store:
            tables, shared = TrickyEngine(), MemorySharedCache(store.clock)
            store.container.bare_tables.override(providers.Object(tables))
            store.container.shared_cache.override(providers.Object(GuardedCache(shared)))
            owned = evolve(SETTINGS, owner_email=OWNER)
            await store.register_dataset(ORDERS, owned, by=ADMIN)
            await store.update_signal(report(0), by=ADMIN)
            await store.project()
            await story(Scene(store, tables, shared))

    asyncio.run(scene())


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
        await scene.store.clear_caches(by=ADMIN)
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
        cache = scene.store.row_cache
        held = dict(cache.local._held), dict(scene.shared._held)
        await scene.store.project()
        cache.local._held.update(held[0])
        cache.local._dropped.clear()
        scene.shared._held.update(held[1])

        old = await scene.store.reads.ask(
            NOTHING, scene.store.read_signal, ORDERS, VOLUME, by=READER
        )
        assert (old.told.version, old.position < position) == (1, True)
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
        cache = scene.store.row_cache
        held = dict(cache.local._held), dict(scene.shared._held)
        changed = await scene.store.update_dataset(
            ORDERS, ["tier"], evolve(SETTINGS, tier=Tier.TIER_3), expected_version=-1, by=ADMIN
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
            told = await scene.store.reads.ask(
                demand, scene.store.read_signal, ORDERS, VOLUME, by=by
            )
            assert told.told.tier is Tier.TIER_3
            assert told.position >= changed.position

    play(tmp_path, story)


def test_who_read_before_a_change_puts_nothing_after_it(tmp_path: Path) -> None:
    async def story(scene: Scene) -> None:
        await scene.store.clear_caches(by=ADMIN)
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
        before = await scene.store.read_dataset(ORDERS, by=READER)
        assert before.settings.owner_email == OWNER
        assert OWNER not in str(scene.shared._held)
        await scene.store.erase_person(OWNER, by=ADMIN)
        scene.tables.away = True
        after = await scene.store.read_dataset(ORDERS, by=READER)
        assert after.settings.owner_email == ERASED

    play(tmp_path, story)


def test_without_tables_signals_are_shown_as_stale_and_never_older_than_needed(
    tmp_path: Path,
) -> None:
    async def story(scene: Scene) -> None:
        reads, read = scene.store.reads, scene.store.read_signal
        fresh = await reads.ask(NOTHING, read, ORDERS, VOLUME, by=READER)
        position = await scene.update(1)
        for name in list(scene.shared._held):
            await scene.shared.drop({name: position})
            scene.store.row_cache.local.drop(name, position)
        scene.tables.away = True
        stale = await reads.ask(NOTHING, read, ORDERS, VOLUME, by=READER)
        assert (fresh.stale, stale.stale) == (False, True)
        assert (stale.told, stale.position) == (fresh.told, fresh.position)
        assert "stale" in _layers_with_hits_and_times(scene)
        with pytest.raises(Unavailable):
            await reads.ask(
                NOTHING, evolve(read, boards=_impatient(scene)), ORDERS, VOLUME, by=ADMIN
            )

    play(tmp_path, story)


def _layers_with_hits_and_times(scene: Scene) -> set[str]:
    tallies = scene.store.row_cache.counts.tallies()
    return {one.layer for one in tallies if one.hits and one.p50_seconds and one.p99_seconds}


def test_hits_and_latency_of_every_layer_are_told(tmp_path: Path) -> None:
    """S0-224."""

    async def story(scene: Scene) -> None:
        await scene.store.clear_caches(by=ADMIN)
        await scene.version()
        await scene.version()
        scene.store.row_cache.local.clear()
        await scene.version()
        scene.tables.away = True
        scene.store.row_cache.local.drop(name := f"ss:{ORDERS}:{VOLUME}", 10**6)
        await scene.shared.drop({name: 10**6})
        await scene.version()
        assert _layers_with_hits_and_times(scene) == {"l1", "l2", "store", "stale"}

    play(tmp_path, story)


def test_one_who_must_see_more_takes_no_copies_from_those_who_ask_with_it(tmp_path: Path) -> None:
    async def story(scene: Scene) -> None:
        await scene.version()
        await scene.update(1)
        for name in list(scene.shared._held):
            await scene.shared.drop({name: 9})
            scene.store.row_cache.local.drop(name, 9)
        reading, released = scene.tables.held = asyncio.Event(), asyncio.Event()
        scene.tables.fails_late = True
        scene.store.own_writes.patience = 0.0
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
        await scene.store.clear_caches(by=ADMIN)
        began = scene.store.clock.at
        reading, released = scene.tables.held = asyncio.Event(), asyncio.Event()
        slow = asyncio.create_task(scene.version())
        await reading.wait()
        scene.store.clock.at = began.replace(second=20)
        released.set()
        await slow
        copy = scene.store.row_cache.local.copy(f"ss:{ORDERS}:{VOLUME}")
        assert copy is not None
        assert copy.entry.read_at == began

    play(tmp_path, story)


def _impatient(scene: Scene) -> object:
    scene.store.own_writes.patience = 0.0
    return scene.store.boards


def test_enforcers_are_told_copies_then_the_default(tmp_path: Path) -> None:
    """S0-306, S0-307; that a dataset is not registered is no failure."""

    async def story(scene: Scene) -> None:
        questions = [PolicyAsked(ORDERS), PolicyAsked(NOWHERE)]
        right, unknown = await scene.store.read_policies(questions, by=READER)
        assert not unknown.is_degraded
        await scene.store.clear_caches(by=ADMIN)
        await scene.store.read_policies(questions[:1], by=READER)
        scene.store.row_cache.local.drop(f"dc:{ORDERS}:LATEST", 10**6)
        await scene.shared.drop({f"dc:{ORDERS}:LATEST": 10**6})
        scene.store.clock.at = scene.store.clock.at.replace(second=30)
        scene.tables.away = True

        told = await scene.store.reads.ask(
            NOTHING,
            scene.store.read_policies,
            [*questions, PolicyAsked(ORDERS, (right.tag,))],
            by=READER,
        )
        copy, default, known = told.told
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
        (right,) = await scene.store.read_policies([PolicyAsked(ORDERS)], by=READER)
        fresh = await scene.store.reads.ask(
            NOTHING, scene.store.read_signal, ORDERS, VOLUME, by=READER
        )
        scene.tables.away = True
        scene.store.pointers.now = lambda: monotonic() + 3600.0

        copy, default = await scene.store.read_policies(
            [PolicyAsked(ORDERS), PolicyAsked(NOWHERE)], by=READER
        )
        assert (copy.card, copy.is_degraded, default.is_fallback) == (right.card, True, True)
        stale = await scene.store.reads.ask(
            NOTHING, scene.store.read_signal, ORDERS, VOLUME, by=READER
        )
        assert (stale.told, stale.position) == (fresh.told, fresh.position)
        assert stale.stale
        await scene.store.clear_caches(by=ADMIN)
        with pytest.raises(Unavailable):
            await scene.version()

    play(tmp_path, story)


def test_a_default_claims_no_position(tmp_path: Path) -> None:
    """It shows nothing of what happened: whoever names a position is not content with it."""

    async def story(scene: Scene) -> None:
        await scene.store.clear_caches(by=ADMIN)
        scene.tables.away = True
        told = await scene.store.reads.ask(
            NOTHING, scene.store.read_policies, [PolicyAsked(ORDERS)], by=READER
        )
        assert told.told[0].is_fallback
        assert (told.position, told.age_seconds, told.stale) == (0, None, True)
        with pytest.raises(NotCaughtUp):
            await scene.store.reads.ask(
                Demand(min_position=Position(2)),
                scene.store.read_policies,
                [PolicyAsked(ORDERS)],
                by=READER,
            )

    play(tmp_path, story)


def test_redis_that_goes_is_told_and_harms_nothing(tmp_path: Path) -> None:
    async def story(scene: Scene) -> None:
        async def gone(names: object) -> object:
            raise Unavailable("the shared cache", "gone")

        scene.store.row_cache.shared.cache = evolve_with(scene.shared, gone)
        for window in range(1, 5):
            await scene.update(window)
            await scene.store.project()
            assert await scene.version() == window + 1
        assert "gone" in scene.store.caches.trouble

    play(tmp_path, story)


def evolve_with(cache: MemorySharedCache, gone: Callable[[object], Awaitable[object]]) -> object:
    class Gone(MemorySharedCache):
        get = put = drop = staticmethod(gone)  # type: ignore[assignment]

    return Gone(cache.clock)
