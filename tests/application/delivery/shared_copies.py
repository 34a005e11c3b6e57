"""Tables, copies of them in a shared cache that can be away, and who tells it what has changed."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import define, field

from adapters.cache.entry import Entry
from adapters.cache.guarded_cache import GuardedCache
from adapters.cache.invalidated_keys import ChangedNames
from adapters.cache.invalidation import CachedCopies
from adapters.cache.keys import PROJECTIONS, Name, name_of
from adapters.eventstore.sealing.seals import Seals
from adapters.generations.generation_tables import Fixed, GenerationTables, Numbers, table_name
from adapters.memory.engine import MemoryEngine
from adapters.memory.keys import MemoryKeys
from adapters.memory.leases import OwnLeases
from adapters.memory.shared_cache import MemorySharedCache
from adapters.read_models.strong_tables import StrongTables
from adapters.read_models.view_store import TableCards
from adapters.row_layouts.engine import Row, RowKey
from adapters.row_layouts.expiry import alive
from adapters.row_layouts.hot_datasets import NONE_HOT, HotDatasets
from application.delivery.cache_invalidation import CopiesOutbox, invalidation_subscription
from application.errors import Unavailable
from application.projections.datasets import DatasetCards
from application.projections.progress import Progress, Reached
from application.projections.resolution_rules import RuleCards
from application.projections.runner import projection_runner
from application.projections.signals import SignalCards
from application.recorded import Recorded
from application.subscriptions.lease import Leases
from application.subscriptions.subscription import Subscription, Subscriptions
from tests.application.delivery.outboxes import MovedClock
from tests.application.delivery.published_events import StoryStreams
from tests.application.projections.story import ListFeed

CACHED = (SignalCards(), DatasetCards(), RuleCards())


@define
class Redis(MemorySharedCache):
    """Keeps what it has while it is away."""

    clock: MovedClock = field(factory=MovedClock)
    away: bool = False
    cleared: int = 0
    goes_back: Callable[[], None] | None = None
    """Once, after it was told to drop something."""

    async def drop(self, names: Mapping[str, int]) -> None:
        self._answer()
        await super().drop(names)
        if self.goes_back is not None:
            self.goes_back()
            self.goes_back = None

    async def told(self, of: str) -> int | None:
        self._answer()
        return await super().told(of)

    async def tell(self, of: str, upto: int, *, after: int | None) -> bool:
        self._answer()
        return await super().tell(of, upto, after=after)

    def saved(self) -> Callable[[], None]:
        """What brings it back to what it is now."""
        held, told = dict(self._held), dict(self._told)

        def restart() -> None:
            self._held, self._told = dict(held), dict(told)

        return restart

    async def clear(self) -> int:
        self._answer()
        self.cleared += 1
        return await super().clear()

    def _answer(self) -> None:
        if self.away:
            raise Unavailable("the shared cache", "away")


@define
class Surroundings:
    """All that outlives a process that tells the copies what has changed."""

    facts: list[Recorded]
    numbers: Numbers = field(factory=dict)
    hot: HotDatasets = NONE_HOT
    redis: Redis = field(factory=Redis)
    leases: Leases = field(factory=OwnLeases)
    engine: MemoryEngine = field(factory=MemoryEngine)
    seals: Seals = field(factory=lambda: Seals(MemoryKeys()))
    folded: Progress = field(factory=Progress)
    progress: Progress = field(factory=Progress)
    forgotten: list[int] = field(factory=list)

    @property
    def tables(self) -> GenerationTables:
        return GenerationTables(self.engine, Fixed(self.numbers))

    @property
    def cards(self) -> TableCards:
        return TableCards(self.tables, self.seals, self.hot)

    @property
    def copies(self) -> CachedCopies:
        strong, streams = StrongTables(self.tables), StoryStreams(self.facts)
        changed = ChangedNames(streams, strong, Fixed(self.numbers), self.hot)
        return CachedCopies(GuardedCache(self.redis), changed)

    def outbox(self, **more: Any) -> Subscription:
        handler = CopiesOutbox(
            "redis", self.copies, CACHED, self.folded, on_forgotten=self.forgotten.append
        )
        given = {"feed": ListFeed(self.facts, 3), "cards": self.cards, **more}
        subscriptions = Subscriptions(leases=self.leases, progress=self.progress, **given)
        return invalidation_subscription(handler, subscriptions)

    async def fold(self, upto: int | None = None) -> None:
        """By one whose drops nobody takes."""
        feed = ListFeed(self.facts[:upto])
        await projection_runner(CACHED, feed, self.cards, self.folded).catch_up()

    async def was_told(self, upto: int) -> None:
        await self.tables.forget("outbox/redis")
        await self.cards.file("outbox/redis", {}, upto=upto)
        copies = self.copies
        await copies.remember(upto, after=await copies.told())

    async def copy(self, names: Sequence[Name], position: int) -> None:
        """Put what the tables show under the names, as whoever reads them then would."""
        read_at = self.facts[position - 1].at
        await self.redis.put(
            {name.text: Entry(await self.rows(name), Reached(position), read_at) for name in names}
        )

    async def names(self) -> Sequence[Name]:
        """Of all rows that there are now."""
        keys = [
            RowKey(table, row["PK"], row["SK"])
            for table in PROJECTIONS
            for row in (await self.engine.scan(self._stored(table), limit=10_000)).rows
        ]
        found = (name_of(key, self.numbers) for key in keys)
        return [*dict.fromkeys(name for name in found if name is not None)]

    def _stored(self, table: str) -> str:
        return table_name(table, self.numbers.get(PROJECTIONS[table], 1))

    async def rows(self, name: Name) -> Sequence[Row]:
        if name.where.sk:
            return tuple(await self.tables.get([name.where]))
        return tuple((await self.tables.query(name.table, name.where.pk)).rows)

    async def fresh(self, names: Sequence[Name]) -> Mapping[Name, Sequence[Row]]:
        """What is shown unasked once all has happened."""
        self.redis.clock.at = self.facts[-1].at
        found = await self.redis.get([name.text for name in names])
        return {
            name: found[name.text].entry.rows
            for name in names
            if name.text in found and found[name.text].fresh
        }

    def shown(self, rows: Sequence[Row]) -> Sequence[Row]:
        return [row for row in rows if alive(row, self.facts[-1].at)]
