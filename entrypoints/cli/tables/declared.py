"""The tables as the settings want them: how they are called, and how they are paid for."""

from collections.abc import Sequence

from attrs import evolve

from adapters.row_layouts.billing import billed
from adapters.row_layouts.catalogue import EVENT_LOG, EVERY_TABLE, Table
from entrypoints.settings.loading import Settings


def declared_tables(settings: Settings) -> Sequence[Table]:
    """All that a store on DynamoDB consists of."""
    return [_named(table, settings) for table in billed(EVERY_TABLE, settings.provisioned_tables)]


def log_table(settings: Settings) -> Table:
    (table,) = billed([EVENT_LOG], settings.provisioned_tables)
    return _named(table, settings)


def _named(table: Table, settings: Settings) -> Table:
    if table.name == EVENT_LOG.name:
        return evolve(table, name=settings.dynamodb_table)
    return table.prefixed(settings.table_prefix)
