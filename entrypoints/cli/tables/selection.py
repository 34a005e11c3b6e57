"""Which tables a command is about."""

import difflib
from collections.abc import Sequence

from attrs import define

from adapters.row_layouts.catalogue import Table
from entrypoints.cli.tables.dynamodb_tables import DynamoStock
from entrypoints.cli.tables.inventory import Stock
from entrypoints.cli.tables.sqlite_tables import SqliteStock
from entrypoints.settings.loading import Engine, Settings

FAMILY = "observability-"


@define
class NoTables(Exception):
    where: str

    def __str__(self) -> str:
        return f"there are no tables in {self.where}"


@define
class UnknownTable(Exception):
    name: str
    nearest: str

    def __str__(self) -> str:
        return f"{self.name} is not a table. Did you mean {self.nearest}?"


def stock_of(settings: Settings) -> Stock:
    """Raises NoTables if the engine keeps nothing."""
    match settings.engine:
        case Engine.EMBEDDED:
            return SqliteStock(settings)
        case Engine.DYNAMODB:
            return DynamoStock(settings)
        case _:
            raise NoTables("memory: it ends with its process")


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
