"""Tables in memory: the twin of the durable engines, for fast tests."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

import orjson

from adapters.row_layouts.catalogue import CATALOGUE, PK, SK, TTL, Table
from adapters.row_layouts.engine import Delete, Put, Row, RowKey, RowPage

Place = tuple[str, ...]


class MemoryEngine:
    """Keeps rows as JSON, so that it refuses what a durable engine could not keep either."""

    def __init__(self, tables: Iterable[Table] = CATALOGUE) -> None:
        self._tables = {table.name: table for table in tables}
        self._rows: dict[RowKey, bytes] = {}
        self._partitions: defaultdict[tuple[str, str], set[RowKey]] = defaultdict(set)
        self._reached: dict[str, int] = {}

    async def get(self, keys: Sequence[RowKey], *, strong: bool = False) -> Sequence[Row]:
        return [orjson.loads(self._rows[key]) for key in keys if key in self._rows]

    async def query(
        self,
        table: str,
        pk: str,
        *,
        begins_with: str = "",
        descending: bool = False,
        limit: int | None = None,
        after: Place | None = None,
        strong: bool = False,
    ) -> RowPage:
        rows = [row for row in self._partition(table, pk) if row[SK].startswith(begins_with)]
        return _page(rows, lambda row: (row[SK],), descending, limit, after)

    async def query_many(
        self, table: str, pks: Sequence[str], *, limit: int, strong: bool = False
    ) -> RowPage:
        partitions = (self._partition(table, pk) for pk in pks)
        ordered = [row for rows in partitions for row in sorted(rows, key=lambda row: row[SK])]
        more = len(ordered) > limit
        return RowPage(ordered[:limit], (ordered[limit][PK],) if more else None)

    async def query_index(
        self,
        table: str,
        index: str,
        hash_key: str,
        *,
        begins_with: str = "",
        descending: bool = False,
        limit: int | None = None,
        after: Place | None = None,
    ) -> RowPage:
        by = self._tables[table].index(index)
        held = [row for row in self._all(table) if by.holds(row) and row[by.hash] == hash_key]
        rows = [row for row in held if row[by.range].startswith(begins_with)]
        return _page(rows, by.place, descending, limit, after)

    async def scan(self, table: str, *, limit: int, after: Place | None = None) -> RowPage:
        return _page(self._all(table), lambda row: (row[PK], row[SK]), False, limit, after)

    async def write(
        self,
        projection: str,
        changes: Sequence[Put | Delete],
        *,
        upto: int,
        copies: Sequence[Put | Delete] = (),
        remembered: Sequence[Put | Delete] = (),
    ) -> None:
        every = (*copies, *changes, *remembered)
        written = [(_key(change), _position(change), _content(change)) for change in every]
        if upto <= self._reached.get(projection, 0):
            return
        for key, position, content in written:
            self._apply(key, position, content)
        self._reached[projection] = upto

    async def reached(self, projection: str) -> int:
        return self._reached.get(projection, 0)

    async def forget(self, projection: str) -> None:
        self._reached.pop(projection, None)

    async def ensure(self, tables: Sequence[Table]) -> None:
        self._tables.update({table.name: table for table in tables})

    async def drop(self, tables: Sequence[Table]) -> None:
        names = {table.name for table in tables}
        for key in [key for key in self._rows if key.table in names]:
            self._remove(key)

    async def sweep(self, ended_by: datetime, *, most: int) -> int:
        """Throw away rows that ended by then, so many at most, and tell how many it were."""
        second = int(ended_by.timestamp())
        ended = [key for key, row in self._rows.items() if _ended(orjson.loads(row), second)]
        for key in ended[:most]:
            self._remove(key)
        return len(ended[:most])

    def _all(self, table: str) -> Sequence[Row]:
        return [orjson.loads(row) for key, row in self._rows.items() if key.table == table]

    def _partition(self, table: str, pk: str) -> Sequence[Row]:
        keys = self._partitions.get((table, pk), ())
        return [orjson.loads(self._rows[key]) for key in keys]

    def _remove(self, key: RowKey) -> None:
        del self._rows[key]
        self._partitions[key.table, key.pk].discard(key)

    def _apply(self, key: RowKey, position: int, content: bytes | None) -> None:
        stored = self._rows.get(key)
        age = orjson.loads(stored)["position"] if stored else 0
        if content is not None and (stored is None or age < position):
            self._rows[key] = content
            self._partitions[key.table, key.pk].add(key)
        elif content is None and stored is not None and age <= position:
            self._remove(key)


def _ended(row: Row, second: int) -> bool:
    return row.get(TTL) is not None and row[TTL] <= second


def _key(change: Put | Delete) -> RowKey:
    if isinstance(change, Delete):
        return change.key
    return RowKey(change.table, change.row[PK], change.row[SK])


def _position(change: Put | Delete) -> int:
    position: int = change.position if isinstance(change, Delete) else change.row["position"]
    return position


def _content(change: Put | Delete) -> bytes | None:
    return None if isinstance(change, Delete) else orjson.dumps(change.row)


def _page(
    rows: Iterable[Row],
    place: Callable[[Row], Place],
    descending: bool,
    limit: int | None,
    after: Place | None,
) -> RowPage:
    ordered = sorted(rows, key=place, reverse=descending)
    if after is not None:
        ordered = [
            row for row in ordered if (place(row) < after if descending else place(row) > after)
        ]
    if limit is None or len(ordered) <= limit:
        return RowPage(ordered)
    return RowPage(ordered[:limit], place(ordered[limit - 1]))
