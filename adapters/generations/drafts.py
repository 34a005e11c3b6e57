"""Drafts: where they lie, and who folds them."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractContextManager, asynccontextmanager
from typing import Protocol

from attrs import field, frozen

from adapters.eventstore.sealing.seals import Seals
from adapters.generations.draft import DraftFold, TableDraft
from adapters.generations.table_generations import TableGenerations
from adapters.row_layouts.engine import TableEngine
from adapters.row_layouts.hot_datasets import NONE_HOT, HotDatasets
from application.errors import Unavailable
from application.maintenance.progress import LongWork
from application.ports.clock import Clock
from application.projections.projection import Projection
from application.subscriptions.feed import Feed


class DraftPlaces(Protocol):
    """Tables apart from all others, one set for each purpose."""

    def open(self, purpose: str, *, empty: bool = False) -> AbstractContextManager[TableEngine]:
        """Those that were left there, unless empty ones are wanted."""
        ...

    def discard(self, purpose: str) -> None: ...


class Folder(Protocol):
    """Whoever folds a draft up to the end of the log."""

    async def fold(
        self, purpose: str, projections: Sequence[str], work: LongWork, *, afresh: bool
    ) -> None: ...


@frozen
class FoldHere:
    """Folds in this process, which can do little else meanwhile."""

    places: DraftPlaces
    feed: Feed
    projections: Mapping[str, Projection]
    seals: Seals
    hot: HotDatasets = NONE_HOT

    async def fold(
        self, purpose: str, projections: Sequence[str], work: LongWork, *, afresh: bool
    ) -> None:
        if not afresh and not await self._goes_on(purpose, projections):
            afresh = True
        with self.places.open(purpose, empty=afresh) as engine:
            head = await self.feed.head()
            work.begin("folding the log", head)
            await self.folding(engine).fold(projections, upto=head, told=work.reached)

    async def _goes_on(self, purpose: str, projections: Sequence[str]) -> bool:
        with self.places.open(purpose) as engine:
            return await self.folding(engine).goes_on(projections)

    def folding(self, engine: TableEngine) -> DraftFold:
        return DraftFold(engine, self.feed, self.projections, self.seals, self.hot)


@frozen
class TableDrafts:
    places: DraftPlaces
    folder: Folder
    folding: Callable[[TableEngine], DraftFold]
    generations: TableGenerations
    clock: Clock
    _at_work: set[str] = field(factory=set)

    @asynccontextmanager
    async def folded(
        self, purpose: str, projections: Sequence[str], work: LongWork, *, afresh: bool
    ) -> AsyncIterator[TableDraft]:
        if purpose in self._at_work:
            raise Unavailable(f"the {purpose}", "another one is at work here")
        self._at_work.add(purpose)
        try:
            await self.folder.fold(purpose, projections, work, afresh=afresh)
            with self.places.open(purpose) as engine:
                yield TableDraft(self.folding(engine), self.generations, self.clock)
        finally:
            self._at_work.discard(purpose)

    async def discard(self, purpose: str) -> None:
        self.places.discard(purpose)
