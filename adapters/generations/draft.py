"""
A draft: the same rows in tables apart, folded from the log alone.

    PK                  SK     folds  position  event_id
    draft#signal-state  STATE  1 …    40960     01f2…     which fact it had reached
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence

from attrs import frozen

from adapters.eventstore.sealing.seals import Seals
from adapters.generations.comparison import Comparison
from adapters.generations.table_generations import TableGeneration, TableGenerations
from adapters.read_models.view_store import TableCards
from adapters.row_layouts.catalogue import PROJECTION_STATE
from adapters.row_layouts.engine import Put, RowKey, TableEngine
from adapters.row_layouts.hot_datasets import NONE_HOT, HotDatasets
from adapters.row_layouts.ownership import HOLDINGS
from application.maintenance.generations import RowDifference
from application.maintenance.progress import LongWork
from application.ports.clock import Clock
from application.projections.progress import Progress
from application.projections.projection import Projection
from application.projections.runner import projection_runner
from application.projections.view_store import Cards
from application.recorded import Recorded
from application.subscriptions.feed import Feed

MOST_FILED = 100_000
"""Cards filed at once: nobody else waits for a draft's tables."""


@frozen
class FeedUpTo:
    """The log as if it ended at a position."""

    feed: Feed
    end: int

    async def read(self, after: int, limit: int) -> Sequence[Recorded]:
        return await self.feed.read(after, min(limit, self.end - after)) if after < self.end else []

    async def head(self) -> int:
        return min(await self.feed.head(), self.end)

    async def beyond(self, position: int, *, timeout: float) -> bool:
        return position < self.end and await self.feed.beyond(position, timeout=timeout)


@frozen
class DraftFold:
    """Folds the log into tables apart, as far as wanted, and goes on where it was left."""

    engine: TableEngine
    feed: Feed
    projections: Mapping[str, Projection]
    seals: Seals
    hot: HotDatasets = NONE_HOT

    @property
    def cards(self) -> Cards:
        return TableCards(self.engine, self.seals, self.hot)

    async def goes_on(self, names: Sequence[str]) -> bool:
        """Whether what lies there was folded from this log, by folds like ours."""
        rows = await self.engine.get([_mark(name) for name in names])
        for row in rows:
            position = row["position"]
            facts = await self.feed.read(position - 1, 1)
            if not facts or facts[0].event_id.hex() != row["event_id"]:
                return False
            if row["folds"] != self._folds(row["PK"].partition("#")[2]):
                return False
        return True

    async def fold(
        self, names: Sequence[str], *, upto: int, told: Callable[[int], None] = lambda done: None
    ) -> None:
        feed = FeedUpTo(self.feed, upto)
        folds = [self.projections[name] for name in names]
        runner = projection_runner(folds, feed, self.cards, Progress(), most_filed=MOST_FILED)
        await runner.resume()
        while await runner.step():
            reached = runner.progress.all()
            least = min(one.position for one in reached.values())
            await self._mark(names, least)
            told(least)

    def _folds(self, name: str) -> str:
        """What the rows depend on beside the facts: the program, and how it was set."""
        return f"{HOLDINGS[name].version} {self.projections[name]} {self.hot}"

    async def _mark(self, names: Sequence[str], position: int) -> None:
        (fact,) = await self.feed.read(position - 1, 1)
        rows = [
            {
                "PK": _mark(name).pk,
                "SK": _mark(name).sk,
                "folds": self._folds(name),
                "event_id": fact.event_id.hex(),
                "position": position,
            }
            for name in names
        ]
        puts = [Put(PROJECTION_STATE.name, row) for row in rows]
        for name, put in zip(names, puts, strict=True):
            await self.engine.write(f"draft/{name}", [put], upto=position)


@frozen
class TableDraft:
    folding: DraftFold
    generations: TableGenerations
    clock: Clock

    async def fold(self, projection: str, *, upto: int) -> None:
        await self.folding.fold([projection], upto=upto)

    async def reached(self, projection: str) -> int:
        return await self.folding.engine.reached(projection)

    async def as_generation(self, projection: str, work: LongWork) -> TableGeneration:
        return await self.generations.filled(projection, self.folding.engine, work)

    async def differences(self, projection: str, work: LongWork) -> AsyncIterator[RowDifference]:
        async for one in (await self._comparison(projection)).differences(work):
            yield one

    async def again(
        self, projection: str, suspects: Sequence[RowDifference]
    ) -> Sequence[RowDifference]:
        return await (await self._comparison(projection)).again(suspects)

    async def _comparison(self, projection: str) -> Comparison:
        serving = await self.generations.serving()
        return Comparison(
            HOLDINGS[projection],
            serving[projection],
            self.generations.engine,
            self.folding.engine,
            self.folding.seals,
            self.clock,
        )


def _mark(name: str) -> RowKey:
    return RowKey(PROJECTION_STATE.name, f"draft#{name}", "STATE")
