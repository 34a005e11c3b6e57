"""
Tables by generation: whoever reads and writes uses the names of the catalogue, and is led to the
generation that serves.

    generation   table                          progress
    1            observability-signal-state     signal-state
    2            observability-signal-state-g2  signal-state@g2
"""

from collections.abc import Mapping, Sequence
from typing import Protocol, Unpack

from attrs import evolve, frozen

from adapters.row_layouts.catalogue import CATALOGUE
from adapters.row_layouts.engine import Delete, Put, Row, RowKey, RowPage, RowStore, Which
from adapters.row_layouts.ownership import owner

Numbers = Mapping[str, int]
"""The generation of each projection; of one that is not named, the first."""

_TABLES = {table.name: table for table in CATALOGUE}


def progress_name(projection: str, number: int) -> str:
    return projection if number == 1 else f"{projection}@g{number}"


def table_name(table: str, number: int) -> str:
    return table if number == 1 else _TABLES[table].of_generation(number).name


class Chosen(Protocol):
    async def numbers(self) -> Numbers: ...

    def known(self) -> Numbers | None:
        """Those that were chosen last, which may be others by now; nothing if none ever were."""
        ...


@frozen
class Fixed:
    """Always the same generations."""

    chosen: Numbers

    async def numbers(self) -> Numbers:
        return self.chosen

    def known(self) -> Numbers:
        return self.chosen


@frozen
class GenerationTables:
    """Rows as if each table had a single generation."""

    engine: RowStore
    chosen: Chosen

    async def get(self, keys: Sequence[RowKey], *, strong: bool = False) -> Sequence[Row]:
        numbers = await self.chosen.numbers()
        places = [_key(key, numbers) for key in keys] if numbers else keys
        return await self.engine.get(places, strong=strong)

    async def query(
        self, table: str, pk: str, *, strong: bool = False, **which: Unpack[Which]
    ) -> RowPage:
        return await self.engine.query(await self._name(table, pk), pk, strong=strong, **which)

    async def query_many(
        self, table: str, pks: Sequence[str], *, limit: int, strong: bool = False
    ) -> RowPage:
        """The partitions must be of one projection."""
        name = await self._name(table, pks[0]) if pks else table
        return await self.engine.query_many(name, pks, limit=limit, strong=strong)

    async def query_index(
        self, table: str, index: str, hash_key: str, **which: Unpack[Which]
    ) -> RowPage:
        return await self.engine.query_index(await self._name(table), index, hash_key, **which)

    async def write(
        self,
        projection: str,
        changes: Sequence[Put | Delete],
        *,
        upto: int,
        copies: Sequence[Put | Delete] = (),
        remembered: Sequence[Put | Delete] = (),
    ) -> None:
        number = (await self.chosen.numbers()).get(projection, 1)
        await self.engine.write(
            progress_name(projection, number),
            _all_moved(changes, number),
            upto=upto,
            copies=_all_moved(copies, number),
            remembered=_all_moved(remembered, number),
        )

    async def reached(self, projection: str) -> int:
        return await self.engine.reached(await self._progress(projection))

    async def forget(self, projection: str) -> None:
        await self.engine.forget(await self._progress(projection))

    async def _name(self, table: str, pk: str = "") -> str:
        return _name(table, pk, await self.chosen.numbers())

    async def _progress(self, projection: str) -> str:
        return progress_name(projection, (await self.chosen.numbers()).get(projection, 1))


def _name(table: str, pk: str, numbers: Numbers) -> str:
    holding = owner(table, pk) if numbers else None
    return table_name(table, numbers.get(holding.projection, 1)) if holding else table


def _key(key: RowKey, numbers: Numbers) -> RowKey:
    return evolve(key, table=_name(key.table, key.pk, numbers))


def _all_moved(changes: Sequence[Put | Delete], number: int) -> Sequence[Put | Delete]:
    return changes if number == 1 else [_moved(change, number) for change in changes]


def _moved(change: Put | Delete, number: int) -> Put | Delete:
    if isinstance(change, Put):
        return evolve(change, table=table_name(change.table, number))
    return evolve(change, key=evolve(change.key, table=table_name(change.key.table, number)))
