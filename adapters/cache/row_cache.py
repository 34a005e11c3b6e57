"""
The chain: this process's cache, the shared one, the table, and in hard times stale copies.

Only strong reads are kept, with how far their table was before the read. So an entry is never
older than it says, and whoever must see a position is given nothing older than that.
"""

import asyncio
from collections.abc import Mapping, Sequence
from time import perf_counter

from attrs import define, field, frozen

from adapters.cache.entry import Copy, Entry
from adapters.cache.guarded_cache import GuardedCache
from adapters.cache.keys import PROJECTIONS, Name
from adapters.cache.local_cache import LocalCache
from adapters.cache.statistics import Counts, Layer
from adapters.row_layouts.engine import Row, RowReads
from application.errors import Unavailable
from application.ports.clock import Clock
from application.projections.progress import Progress
from application.reads.reader import Freshness


@frozen
class Found:
    entry: Entry
    stale: bool = False


@frozen
class _Landed:
    found: Mapping[str, Found]
    trouble: Unavailable | None = None
    """Why the table was not read, if so: what was found are copies."""

    def newer(self, least: int) -> Mapping[str, Found]:
        return {n: one for n, one in self.found.items() if one.entry.position >= least}

    def shown(self, least: int) -> Mapping[str, Found]:
        """To whoever asked for it: what the table has, and copies that are new enough."""
        return self.newer(least) if self.trouble else self.found


@frozen(eq=False)
class _Flight:
    """A read that others may join, if it shows what they must see."""

    task: "asyncio.Task[_Landed]"
    position: int


@define
class RowCache:
    local: LocalCache
    tables: RowReads
    """Reads strongly."""
    progress: Progress
    clock: Clock
    shared: GuardedCache | None = None
    counts: Counts = field(factory=Counts)
    _flights: dict[str, _Flight] = field(factory=dict, init=False)

    async def read(
        self, names: Sequence[Name], *, least: int, freshness: Freshness
    ) -> Sequence[Row]:
        """The rows under the names, which must be of one table, with all facts up to `least`.

        Raises:
            Unavailable: The table does not answer, and not all have copies that are new enough.
        """
        if not names:
            return ()
        rows: list[Row] = []
        missing: list[Name] = []
        table, began = names[0].table, perf_counter()
        for name in names:
            entry = self.local.get(name.text, least=least)
            if entry is None:
                missing.append(name)
            else:
                freshness.note(entry.reached)
                rows += entry.rows
        if not missing:
            took = perf_counter() - began
            self.counts.count("l1", table, asked=len(names), hits=len(names), took=took)
            return rows
        self.counts.count("l1", table, asked=len(names), hits=len(names) - len(missing))
        for found in await self._flown(table, missing, least):
            freshness.note(found.entry.reached, stale=found.stale)
            rows += found.entry.rows
        return rows

    async def stale(
        self, names: Sequence[Name], *, least: int, freshness: Freshness
    ) -> Sequence[Row] | None:
        """The rows as copies show them; nothing unless all have copies that are new enough."""
        copies = await self.copies(names, least=least)
        if len(copies) < len(set(names)):
            return None
        for entry in copies.values():
            freshness.note(entry.reached, stale=True)
        return [row for entry in copies.values() for row in entry.rows]

    async def copies(self, names: Sequence[Name], *, least: int) -> Mapping[Name, Entry]:
        """What there is of them, however old, but not older than that; no table is asked."""
        began = perf_counter()
        shared = await self.shared.get([name.text for name in names]) if self.shared else {}
        found = {name: self._newest(name, shared) for name in names}
        usable = {name: e for name, e in found.items() if e is not None and e.position >= least}
        if usable:
            table = names[0].table
            self._took("stale", table, began)
            self.counts.count("stale", table, asked=len(names), hits=len(usable))
        return usable

    async def dropping(self, names: Sequence[Name], position: int) -> None:
        """What is under the names is about to change: nothing older is fresh from now on."""
        for name in names:
            self.local.drop(name.text, position)
        if self.shared is not None:
            await self.shared.drop({name.text: position for name in names})

    async def _flown(self, table: str, names: Sequence[Name], least: int) -> Sequence[Found]:
        """Join those who are asking already; nobody's giving up stops the others."""
        joined = [self._flights[name.text] for name in names if self._may_join(name, least)]
        new = [name for name in names if not self._may_join(name, least)]
        own = self._start(table, new, least) if new else None
        found: dict[str, Found] = {}
        trouble: Unavailable | None = None
        for flight in dict.fromkeys(joined):
            landed = await asyncio.shield(flight.task)
            # The others may have been content with less.
            found |= landed.newer(least)
            trouble = trouble or landed.trouble
        if own is not None:
            landed = await asyncio.shield(own.task)
            found |= landed.shown(least)
            trouble = trouble or landed.trouble
        left = [name for name in names if name.text not in found]
        if left and trouble is None:
            landed = await asyncio.shield(self._start(table, left, least).task)
            found |= landed.shown(least)
            trouble = landed.trouble
        if trouble is not None and any(name.text not in found for name in names):
            raise trouble
        return [found[name.text] for name in names]

    def _may_join(self, name: Name, least: int) -> bool:
        flight = self._flights.get(name.text)
        return flight is not None and flight.position >= least

    def _start(self, table: str, names: Sequence[Name], least: int) -> _Flight:
        reached = self.progress.reached(PROJECTIONS[table])
        task = asyncio.create_task(self._fetch(table, names, least))
        flight = _Flight(task, reached.position)
        for name in names:
            self._flights[name.text] = flight

        def landed(task: "asyncio.Task[_Landed]") -> None:
            for name in names:
                if self._flights.get(name.text) is flight:
                    del self._flights[name.text]
            # Those who asked may have left before it failed.
            task.cancelled() or task.exception()

        task.add_done_callback(landed)
        return flight

    async def _fetch(self, table: str, names: Sequence[Name], least: int) -> _Landed:
        copies = await self._from_shared(table, names)
        found: dict[str, Found] = {}
        for name in names:
            copy = copies.get(name.text)
            usable = copy is not None and copy.fresh and copy.entry.position >= least
            # What this process knows to have changed is not taken.
            if copy is not None and usable and self.local.put(name.text, copy.entry):
                found[name.text] = Found(copy.entry)
        if self.shared is not None:
            self.counts.count("l2", table, asked=len(names), hits=len(found))
        rest = [name for name in names if name.text not in found]
        if not rest:
            return _Landed(found)
        landed = await self._from_table(table, rest, copies)
        return _Landed({**found, **landed.found}, landed.trouble)

    async def _from_shared(self, table: str, names: Sequence[Name]) -> Mapping[str, Copy]:
        if self.shared is None:
            return {}
        began = perf_counter()
        copies = await self.shared.get([name.text for name in names])
        self._took("l2", table, began)
        return copies

    async def _from_table(
        self, table: str, names: Sequence[Name], copies: Mapping[str, Copy]
    ) -> _Landed:
        began = perf_counter()
        try:
            entries = await self._read(table, names)
        except Unavailable as error:
            self.counts.count("store", table, asked=len(names), hits=0)
            return _Landed(self._stale(table, names, copies), error)
        self._took("store", table, began)
        self.counts.count("store", table, asked=len(names), hits=len(names))
        kept = {name: entry for name, entry in entries.items() if self.local.put(name, entry)}
        if self.shared is not None and kept:
            self.shared.put_behind(kept)
        return _Landed({name: Found(entry) for name, entry in entries.items()})

    async def _read(self, table: str, names: Sequence[Name]) -> Mapping[str, Entry]:
        # Before the read: it shows at least this much. A table that is replaced meanwhile by
        # one that is not as far counts as that one.
        before, now = self.progress.reached(PROJECTIONS[table]), self.clock.now()
        rows = await self._rows(table, names)
        after = self.progress.reached(PROJECTIONS[table])
        reached = min(before, after, key=lambda one: one.position)
        return {name.text: Entry(rows[name], reached, now) for name in names}

    async def _rows(self, table: str, names: Sequence[Name]) -> Mapping[Name, Sequence[Row]]:
        if not names[0].where.sk:
            pages = [await self.tables.query(table, name.where.pk) for name in names]
            return {name: page.rows for name, page in zip(names, pages, strict=True)}
        rows = await self.tables.get([name.where for name in names])
        by_key = {(row["PK"], row["SK"]): row for row in rows}
        found = {name: by_key.get((name.where.pk, name.where.sk)) for name in names}
        return {name: () if row is None else (row,) for name, row in found.items()}

    def _stale(
        self, table: str, names: Sequence[Name], copies: Mapping[str, Copy]
    ) -> Mapping[str, Found]:
        began = perf_counter()
        entries = {name.text: self._newest(name, copies) for name in names}
        found = {
            name: Found(entry, stale=True) for name, entry in entries.items() if entry is not None
        }
        self._took("stale", table, began)
        self.counts.count("stale", table, asked=len(names), hits=len(found))
        return found

    def _newest(self, name: Name, shared: Mapping[str, Copy]) -> Entry | None:
        copies = [self.local.copy(name.text), shared.get(name.text)]
        entries = [copy.entry for copy in copies if copy is not None]
        return max(entries, key=lambda entry: entry.position, default=None)

    def _took(self, layer: Layer, table: str, began: float) -> None:
        self.counts.took(layer, table, perf_counter() - began)
