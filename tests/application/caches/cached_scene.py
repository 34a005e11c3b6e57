"""A store whose tables and shared cache can be away, held up and counted."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from attrs import define, evolve
from dependency_injector import providers

from adapters.cache.guarded_cache import GuardedCache
from adapters.cache.row_cache import RowCache
from adapters.memory.engine import MemoryEngine
from adapters.memory.shared_cache import MemorySharedCache
from adapters.row_layouts.engine import Row, RowKey
from application.caller import Caller
from application.errors import Unavailable
from application.reads.demand import NOTHING, Demand
from domain.dataset.settings_validation import DatasetReport
from domain.ids import DatasetUrn
from tests.application.store import (
    ADMIN,
    ORDERS,
    SETTINGS,
    VOLUME,
    Store,
    open_store,
    report,
)

READER = Caller("reader", roles=frozenset({"admin"}))
OWNER = "joe@company.example"
NOWHERE = DatasetUrn("urn:dp:orders:unheard_of:v1")
NOBODY_FORGETS = {
    "STATESTORE_LOCAL_CACHE_ENTRIES": "100",
    "STATESTORE_LOCAL_CACHE_TTL_MILLISECONDS": "60000",
}


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

    @property
    def cache(self) -> RowCache:
        cache = self.store.container.row_cache()
        assert cache is not None
        return cache

    async def version(self, demand: Demand = NOTHING, by: Caller = READER) -> int:
        answer = await self.store.use_cases.read_signal(ORDERS, VOLUME, demand=demand, by=by)
        return answer.value.version

    async def update(self, window: int) -> int:
        committed = await self.store.use_cases.update_signal(report(window), by=ADMIN)
        return committed.position

    def layers_with_hits_and_times(self) -> set[str]:
        tallies = self.cache.counts.tallies()
        return {one.layer for one in tallies if one.hits and one.p50_seconds and one.p99_seconds}


Story = Callable[[Scene], Awaitable[None]]


def play(folder: Path, story: Story) -> None:
    async def scene() -> None:
        async with open_store("memory", folder, **NOBODY_FORGETS) as store:
            tables, shared = TrickyEngine(), MemorySharedCache(store.clock)
            store.container.bare_tables.override(providers.Object(tables))
            store.container.shared_cache.override(providers.Object(GuardedCache(shared)))
            owned = evolve(SETTINGS, owner_email=OWNER)
            await store.use_cases.register_dataset(DatasetReport(ORDERS, owned), by=ADMIN)
            await store.use_cases.update_signal(report(0), by=ADMIN)
            await store.project()
            await story(Scene(store, tables, shared))

    asyncio.run(scene())
