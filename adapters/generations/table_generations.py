"""Generations of tables: begun empty, filled from a draft, read, dropped."""

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import timedelta

from attrs import frozen

from adapters.eventstore.sealing.seals import Seals
from adapters.generations.generation_tables import Fixed, GenerationTables, progress_name
from adapters.generations.pointers import DROPPED, FILLING, SERVING, Pointers
from adapters.read_models.view_store import TableCards
from adapters.row_layouts.catalogue import PK, PROJECTION_STATE, SK, Table
from adapters.row_layouts.engine import ASIDE, Delete, Put, Row, RowKey, TableEngine
from adapters.row_layouts.hot_datasets import NONE_HOT, HotDatasets
from adapters.row_layouts.ownership import HOLDINGS, Holding
from application.maintenance.generations import Left
from application.maintenance.progress import LongWork
from application.projections.view_store import Cards

PAGE = 500
_ANY = 2**62
"""Beyond all positions."""


@frozen
class TableGeneration:
    number: int
    projection: str
    cards: Cards
    pointers: Pointers

    async def serve(self) -> None:
        await self.pointers.move(self.projection, self.number)


@frozen
class TableGenerations:
    engine: TableEngine
    pointers: Pointers
    seals: Seals
    slice: int = PAGE
    """Rows that are written at once: where appends wait for the same writer, only a few."""
    hot: HotDatasets = NONE_HOT
    kept: timedelta = timedelta()
    """How long a generation stays after it was left: other processes still read it for a while."""

    async def serving(self) -> Mapping[str, int]:
        numbers = await self.pointers.all(SERVING)
        return {name: number or 1 for name, number in numbers.items()}

    async def filled(self, projection: str, draft: TableEngine, work: LongWork) -> TableGeneration:
        """A new generation with the draft's rows of the projection, and as far as the draft is."""
        holding, number = HOLDINGS[projection], await self._begun(projection)
        name = progress_name(projection, number)
        work.begin(f"{projection}: writing generation {number}")
        await self.engine.forget(_copied(name))
        written = 0
        for table in holding.places:
            async for rows in pages(draft, table, holding, self.slice):
                puts = [Put(table.of_generation(number).name, row) for row in rows]
                written += len(rows)
                await self.engine.write(_copied(name), puts, upto=written)
                work.reached(written)
        await self.engine.write(name, [], upto=await draft.reached(projection))
        await self.engine.forget(_copied(name))
        view = GenerationTables(self.engine, Fixed({projection: number}))
        cards = TableCards(view, self.seals, self.hot)
        return TableGeneration(number, projection, cards, self.pointers)

    async def _begun(self, projection: str) -> int:
        """An empty generation, after all that were begun: who began one may still be at it."""
        begun = (await self.pointers.all(FILLING))[projection]
        serving = (await self.serving())[projection]
        number = max(begun, serving) + 1
        while not (
            await self._is_empty(projection, number)
            and await self.pointers.begin(projection, number)
        ):
            number += 1
        return number

    async def _is_empty(self, projection: str, number: int) -> bool:
        """Tables may be left over from a time that the pointers, lost meanwhile, do not tell of."""
        holding = HOLDINGS[projection]
        await self.engine.ensure(holding.of_generation(number))
        for table in holding.places:
            async for _ in pages(self.engine, table, holding, PAGE, number):
                return False
        name = progress_name(projection, number)
        return not await self.engine.reached(name)

    # Dropping.

    async def drop_old(self, projection: str) -> Sequence[int]:
        left = await self.left(projection)
        if left is None or self.pointers.clock.now() < left.until:
            return []
        for number in left.numbers:
            await self._drop(projection, number)
        await self.pointers.put(DROPPED, projection, left.numbers[-1])
        return left.numbers

    async def left(self, projection: str) -> Left | None:
        dropped = (await self.pointers.all(DROPPED))[projection]
        serving = (await self.serving())[projection]
        numbers = range(dropped + 1, serving)
        if not numbers:
            return None
        # Only the latest move is remembered: all stay as long as the one that was left last.
        moved = await self.pointers.moved_at(projection)
        return Left([*numbers], moved + self.kept)

    async def _drop(self, projection: str, number: int) -> None:
        holding = HOLDINGS[projection]
        own = [table.of_generation(number) for table in holding.tables]
        await self.engine.drop(own)
        if number == 1:
            await self.engine.ensure(own)  # Empty: the tables of the catalogue are always there.
        await self._forget_states(holding, number)
        name = progress_name(projection, number)
        await self.engine.forget(name)
        await self.engine.forget(_copied(name))

    async def _forget_states(self, holding: Holding, number: int) -> None:
        """What it remembers lies among what others do."""
        await self.engine.ensure([PROJECTION_STATE.of_generation(number)])
        name = f"{progress_name(holding.projection, number)}/dropped"
        gone = 0
        async for rows in pages(self.engine, PROJECTION_STATE, holding, self.slice, number):
            gone += len(rows)
            await self.engine.write(name, [_delete(row, number) for row in rows], upto=gone)
        await self.engine.forget(name)
        if number > 1 and not await self._is_used(number, beside=holding):
            await self.engine.drop([PROJECTION_STATE.of_generation(number)])

    async def _is_used(self, number: int, *, beside: Holding) -> bool:
        """Whether another projection has rows in the generation that are not dropped yet."""
        serving, filling = await self.serving(), await self.pointers.all(FILLING)
        dropped = await self.pointers.all(DROPPED)
        return any(
            dropped[name] < number <= max(serving[name], filling[name])
            for name in HOLDINGS
            if name != beside.projection
        )


def _copied(name: str) -> str:
    """How many rows were copied, which lets every slice be a write like any other."""
    return f"{name}/copied"


def _delete(row: Row, number: int) -> Delete:
    table = PROJECTION_STATE.of_generation(number).name
    # A damaged row goes, too, wherever it claims to be from.
    position = _ANY if ASIDE in row else row["position"]
    return Delete(RowKey(table, row[PK], row[SK]), position)


async def pages(
    engine: TableEngine, table: Table, holding: Holding, size: int, number: int = 1
) -> AsyncIterator[Sequence[Row]]:
    """All rows of a table that are the projection's, some at a time."""
    after: tuple[str, ...] | None = None
    while True:
        page = await engine.scan(table.of_generation(number).name, limit=size, after=after)
        rows = [row for row in page.rows if holding.holds(table, row[PK])]
        if rows:
            yield rows
        after = page.next
        if after is None:
            return
