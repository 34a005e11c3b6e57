"""Tables that tell the caches what changes in them (S0-226, S0-227)."""

from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from adapters.cache.entry import Entry
from adapters.cache.keys import Name, name_of
from adapters.cache.row_cache import RowCache
from adapters.generations.generation_tables import Chosen, Numbers
from adapters.row_layouts.catalogue import SIGNAL_STATE
from adapters.row_layouts.engine import Delete, Put, RowKey, RowWrites
from application.projections.progress import Reached

MOST_PUT = 100
"""Rows put into the shared cache after a write; more are written only by who is far behind."""


@frozen
class WriteThroughTables:
    """What changes is dropped before it does: whoever stops in between leaves nothing wrong.

    Signals are put into the shared cache again once their rows are written.
    """

    tables: RowWrites
    cache: RowCache
    chosen: Chosen

    async def write(
        self,
        projection: str,
        changes: Sequence[Put | Delete],
        *,
        upto: int,
        copies: Sequence[Put | Delete] = (),
        remembered: Sequence[Put | Delete] = (),
    ) -> None:
        numbers = await self.chosen.numbers()
        names = _names((*changes, *copies, *remembered), numbers)
        if names:
            await self.cache.dropping(names, upto)
        await self.tables.write(
            projection, changes, upto=upto, copies=copies, remembered=remembered
        )
        if self.cache.shared is not None:
            signals = self._signals(changes, upto, numbers)
            if 0 < len(signals) <= MOST_PUT:
                await self.cache.shared.put(signals)

    async def reached(self, projection: str) -> int:
        return await self.tables.reached(projection)

    async def forget(self, projection: str) -> None:
        await self.tables.forget(projection)

    def _signals(
        self, changes: Iterable[Put | Delete], upto: int, numbers: Numbers
    ) -> Mapping[str, Entry]:
        now = self.cache.clock.now()
        puts = [one for one in changes if isinstance(one, Put) and one.table == SIGNAL_STATE.name]
        found = ((name_of(_key(put), numbers), put.row) for put in puts)
        return {
            name.text: Entry((row,), Reached(upto), now) for name, row in found if name is not None
        }


def _names(changes: Iterable[Put | Delete], numbers: Numbers) -> Sequence[Name]:
    names = (name_of(_key(change), numbers) for change in changes)
    return list(dict.fromkeys(name for name in names if name is not None))


def _key(change: Put | Delete) -> RowKey:
    if isinstance(change, Delete):
        return change.key
    return RowKey(change.table, change.row["PK"], change.row["SK"])
