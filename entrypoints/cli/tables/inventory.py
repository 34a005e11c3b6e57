"""The tables of a store: what is declared of each, and what there is."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from attrs import define, frozen

from adapters.row_layouts.catalogue import Billing, Index, Table
from domain.retention import KeptFor


@define
class NoTables(Exception):
    where: str

    def __str__(self) -> str:
        return f"there are no tables in {self.where}"


@frozen
class Stocked:
    """A table as it is."""

    status: str
    rows: int
    bytes: int
    differences: tuple[str, ...] = ()
    estimated: bool = False
    """Whether the counts are from some hours ago, as DynamoDB tells them."""
    more: Mapping[str, Any] = {}
    """What else the engine tells of it."""


@frozen
class Entry:
    table: Table
    stocked: Stocked | None
    """Nothing where the table is missing."""
    generation: int = 1

    @property
    def differences(self) -> tuple[str, ...]:
        return ("it is missing",) if self.stocked is None else self.stocked.differences


class Stock(Protocol):
    """Every method raises Unavailable if the store does not answer."""

    @property
    def tables(self) -> Sequence[Table]:
        """All that there should be."""
        ...

    async def look(self, tables: Sequence[Table]) -> Sequence[Entry]:
        """What there is of them, in the generation that is read. Nothing is changed."""
        ...

    async def create(self, tables: Sequence[Table]) -> Sequence[tuple[Table, bool]]:
        """Make what is missing; tells of each whether it was made just now."""
        ...


# As scripts read it.


def answer(entry: Entry, kept_for: KeptFor) -> dict[str, Any]:
    table, stocked = entry.table, entry.stocked
    return {
        "table": table.name,
        "generation": entry.generation,
        "status": "MISSING" if stocked is None else stocked.status,
        "rows": None if stocked is None else stocked.rows,
        "bytes": None if stocked is None else stocked.bytes,
        "estimated": stocked is not None and stocked.estimated,
        "differences": list(entry.differences),
        "declared": declaration(table, kept_for),
        **({} if stocked is None else {"found": dict(stocked.more)}),
    }


def declaration(table: Table, kept_for: KeptFor) -> dict[str, Any]:
    provisioned = table.billing is Billing.PROVISIONED
    return {
        "key": list(table.keys),
        "key_types": ["S", table.range_type][: len(table.keys)],
        "indexes": [_index(index) for index in table.indexes],
        "ttl": table.ttl,
        "kept_seconds": kept_seconds(table, kept_for),
        "billing": table.billing.value,
        "read_units": table.throughput.read if provisioned else None,
        "write_units": table.throughput.write if provisioned else None,
        "classification": table.classification.value,
        "point_in_time_recovery": table.restorable,
        "stream": table.stream,
        "tags": dict(table.tags),
    }


def kept_seconds(table: Table, kept_for: KeptFor) -> int | None:
    """How long rows are kept after they ended, where a policy says so."""
    if table.retention is None:
        return None
    return int(getattr(kept_for, table.retention.value).total_seconds())


def _index(index: Index) -> dict[str, Any]:
    return {"name": index.name, "key": [index.hash, index.range], "projection": index.projection}
