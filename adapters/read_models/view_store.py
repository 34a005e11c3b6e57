"""The projections' cards, kept as rows."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from attrs import Factory, field, frozen

from adapters.eventstore.sealing.seals import Seals
from adapters.read_models.listing import whole_partitions
from adapters.row_layouts.engine import Delete, Put, Row, RowStore, RowWrites
from adapters.row_layouts.hot_datasets import NONE_HOT, HotDatasets
from adapters.row_layouts.layouts import Layout, layouts, partitions
from application.projections.view_store import Card, Filed, Group, Key


@frozen
class TableCards:
    """Cards as rows of the catalogue's tables, expired ones included: facts still change them."""

    engine: RowStore
    seals: Seals
    hot: HotDatasets = NONE_HOT
    writes: RowWrites = field(
        kw_only=True, default=Factory(lambda self: self.engine, takes_self=True)
    )
    _layouts: Mapping[type, Layout] = field(
        kw_only=True, default=Factory(lambda self: layouts(self.seals, self.hot), takes_self=True)
    )

    async def find(self, keys: Iterable[Key]) -> Mapping[Key, Filed]:
        by_kind: defaultdict[type, list[Key]] = defaultdict(list)
        for key in keys:
            by_kind[type(key)].append(key)
        found: dict[Key, Filed] = {}
        for kind, wanted in by_kind.items():
            found |= await self._find(self._layouts[kind], wanted)
        return found

    async def group(self, group: Group) -> Mapping[Key, Filed]:
        where = partitions(group, self.hot)
        rows = await whole_partitions(self.engine, where.table, where.pks, strong=True)
        return _filed(self._layouts[where.kind], rows)

    async def file(
        self, projection: str, changes: Mapping[Key, tuple[Card | None, int]], *, upto: int
    ) -> None:
        shown: list[Put | Delete] = []
        copies: list[Put | Delete] = []
        remembered: list[Put | Delete] = []
        for key, (card, position) in changes.items():
            layout = self._layouts[type(key)]
            kind = remembered if layout.remembered(key) else copies if layout.copied else shown
            kind.extend(self._changes(key, card, position))
        await self.writes.write(projection, shown, upto=upto, copies=copies, remembered=remembered)

    async def reached(self, projection: str) -> int:
        return await self.writes.reached(projection)

    async def _find(self, layout: Layout, keys: Iterable[Key]) -> Mapping[Key, Filed]:
        places = [layout.row_keys(key)[0] for key in keys]
        return _filed(layout, await self.engine.get(places, strong=True))

    def _changes(self, key: Key, card: Card | None, position: int) -> Sequence[Put | Delete]:
        layout = self._layouts[type(key)]
        places = layout.row_keys(key)
        if card is None:
            return [Delete(place, position) for place in places]
        rows = layout.to_rows(card, position)
        return [Put(place.table, row) for place, row in zip(places, rows, strict=True)]


def _filed(layout: Layout, rows: Iterable[Row]) -> Mapping[Key, Filed]:
    return {layout.key_of(row): Filed(layout.from_row(row), int(row["position"])) for row in rows}
