"""
How the capacity of tables is paid for, when it is not as the catalogue declares (S0-020, T6).

    observability-dataset-registry:25:25,observability-signal-state:500:3000

A table that is named has so many read and write units a second; the others are paid for on demand.
"""

from collections.abc import Mapping, Sequence

from adapters.row_layouts.catalogue import EVERY_TABLE, Table, Throughput

NONE = "none"
MOST_UNITS = 40_000
"""What AWS grants a table unless one asks for more."""


def provisioned(said: str | None) -> Mapping[str, Throughput] | None:
    """Which tables have provisioned capacity; nothing where the catalogue counts.

    Raises:
        ValueError: What was said is not of that form, or names a table that there is not.
    """
    if said is None:
        return None
    parts = [] if said.strip() in ("", NONE) else said.split(",")
    return dict(_one(part.strip()) for part in parts)


def billed(tables: Sequence[Table], said: str | None) -> Sequence[Table]:
    """The tables, with their capacity paid for as was said."""
    units = provisioned(said)
    if units is None:
        return tables
    return [
        table.provisioned(units[table.name]) if table.name in units else table.on_demand()
        for table in tables
    ]


def _one(part: str) -> tuple[str, Throughput]:
    name, *units = part.split(":")
    if name not in {table.name for table in EVERY_TABLE}:
        raise ValueError(f"{name!r} is not a table; `statestore tables list` shows them")
    try:
        read, write = map(int, units)
    except ValueError:
        raise ValueError(f"{part!r} must look like {name}:25:25") from None
    if not (1 <= read <= MOST_UNITS and 1 <= write <= MOST_UNITS):
        raise ValueError(f"{part!r} must have 1 to {MOST_UNITS} units each")
    return name, Throughput(read, write)
