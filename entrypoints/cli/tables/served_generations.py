"""Which generation of each table is read: that is the one people ask about."""

from collections.abc import Iterator, Sequence

from attrs import frozen

from adapters.generations.generation_tables import Numbers
from adapters.row_layouts.catalogue import PROJECTION_STATE, Table
from adapters.row_layouts.ownership import owner


@frozen
class ReadTable:
    table: Table
    generation: int = 1


def tables_read(tables: Sequence[Table], numbers: Numbers, prefix: str = "") -> Sequence[ReadTable]:
    """Each in the generation that is read; the one of projections' states in all that are."""
    return [
        ReadTable(table.of_generation(number), number)
        for table in tables
        for number in _generations(table.name.removeprefix(prefix), numbers)
    ]


def _generations(table: str, numbers: Numbers) -> Iterator[int]:
    if table == PROJECTION_STATE.name:
        # The first holds what has but one generation, the pointers among it.
        yield from sorted({1, *numbers.values()})
        return
    holding = owner(table)
    yield numbers.get(holding.projection, 1) if holding else 1
