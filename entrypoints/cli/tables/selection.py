"""Which tables a command is about."""

import difflib
from collections.abc import Sequence

from attrs import define

from adapters.row_layouts.catalogue import Table

FAMILY = "observability-"


@define
class UnknownTable(Exception):
    name: str
    nearest: str

    def __str__(self) -> str:
        return f"{self.name} is not a table. Did you mean {self.nearest}?"


def chosen(tables: Sequence[Table], names: Sequence[str], prefix: str = "") -> Sequence[Table]:
    """The tables of these names, or all; `signal-state` is enough for the whole name.

    Raises:
        UnknownTable: There is none of that name.
    """
    known = {alias: table for table in tables for alias in _aliases(table, prefix)}
    for name in names:
        if name not in known:
            (nearest,) = difflib.get_close_matches(name, list(known), n=1, cutoff=0.0)
            raise UnknownTable(name, known[nearest].name)
    return list(dict.fromkeys(known[name] for name in names)) or tables


def _aliases(table: Table, prefix: str) -> Sequence[str]:
    plain = table.name.removeprefix(prefix)
    return (table.name, plain, plain.removeprefix(FAMILY))
