"""
Which rows are whose: what a projection fills, and what is thrown away with it.

A projection may have tables of its own, and has kinds of rows in `observability-projection-state`,
told apart by what their key begins with (`dataset-attributes#…`). What it could not take
(`quarantined#…`) is its own, too.
"""

from collections.abc import Mapping, Sequence

from attrs import frozen

from adapters.row_layouts import dead_letter_rows, quarantine_rows
from adapters.row_layouts.catalogue import (
    COLUMN_READERS,
    COLUMN_WRITERS,
    DATASET_READERS,
    DATASET_REGISTRY,
    DATASET_RESOLUTION,
    DATASET_WRITERS,
    INCIDENT_INDEX,
    PROJECTION_STATE,
    SIGNAL_STATE,
    Table,
)
from application.maintenance.stream_directory import Shelf


@frozen
class Holding:
    projection: str
    tables: tuple[Table, ...]
    kinds: tuple[str, ...] = ()
    """Of the rows that lie in the table of projection states."""
    version: int = 1
    """To be raised when the same facts lead to other rows: a rebuild then starts over."""

    def of_generation(self, number: int) -> Sequence[Table]:
        """The projection's tables, and the one of states that its generation shares with others."""
        return [table.of_generation(number) for table in self.places]

    def holds(self, table: Table, pk: str) -> bool:
        return table.name != PROJECTION_STATE.name or owner(table.name, pk) is self

    @property
    def places(self) -> Sequence[Table]:
        """Where its rows lie, by the names of the first generation."""
        return (*self.tables, PROJECTION_STATE)


HOLDINGS: Mapping[str, Holding] = {
    one.projection: one
    for one in (
        Holding("signal-state", (SIGNAL_STATE,), ("dataset-attributes", "signal-snapshot")),
        Holding("dataset-registry", (DATASET_REGISTRY,)),
        Holding("dataset-resolution", (DATASET_RESOLUTION,), ("rules",)),
        Holding(
            "lineage-index",
            (DATASET_WRITERS, DATASET_READERS, COLUMN_WRITERS, COLUMN_READERS),
            ("entity-writes",),
        ),
        Holding("incident-index", (INCIDENT_INDEX,), ("open-incidents",)),
        Holding("stream-directory", (), tuple(shelf.value for shelf in Shelf)),
        Holding("dead-letters", (), (dead_letter_rows.PARTITION,)),
    )
}

_OF_TABLES = {table.name: one for one in HOLDINGS.values() for table in one.tables}
_OF_KINDS = {kind: one for one in HOLDINGS.values() for kind in one.kinds}


def owner(table: str, pk: str = "") -> Holding | None:
    """Whose a row is; nobody's, if it has but one generation."""
    if table == PROJECTION_STATE.name:
        if pk.startswith(quarantine_rows.PREFIX):
            return HOLDINGS.get(pk.removeprefix(quarantine_rows.PREFIX))
        return _OF_KINDS.get(pk.partition("#")[0])
    return _OF_TABLES.get(table)
