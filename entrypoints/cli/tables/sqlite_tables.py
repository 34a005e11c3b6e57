"""The read models in a store file. A server may own it: looking is possible beside it."""

from collections.abc import Sequence

from attrs import frozen

from adapters.generations.pointers import served
from adapters.row_layouts.catalogue import CATALOGUE, Table
from adapters.sqlite.connection.database import Database
from adapters.sqlite.log.read_only import read_file
from adapters.sqlite.rows.engine import SqliteEngine
from adapters.sqlite.rows.table_inspection import FoundTable, TablesBeside, look_at
from entrypoints.cli.tables.inventory import Entry, Stocked
from entrypoints.cli.tables.served_generations import tables_read
from entrypoints.settings.loading import Settings
from entrypoints.wiring.locations import store_file


@frozen
class SqliteStock:
    settings: Settings

    @property
    def tables(self) -> Sequence[Table]:
        return CATALOGUE

    async def look(self, tables: Sequence[Table]) -> Sequence[Entry]:
        path = store_file(self.settings)
        if not path.exists():
            return [Entry(table, None) for table in tables]
        with read_file(path, busy_timeout=self.settings.busy_timeout_seconds) as file:
            read = tables_read(tables, await served(TablesBeside(file)))
            return [
                Entry(one.table, _stocked(look_at(file, one.table)), one.generation) for one in read
            ]

    async def create(self, tables: Sequence[Table]) -> Sequence[tuple[Table, bool]]:
        """Raises FolderInUse if something is missing while another process owns the folder."""
        before = await self.look(tables)
        if any(entry.differences for entry in before):
            with self.opened() as database:
                SqliteEngine(database, tables)
        return [(entry.table, entry.stocked is None) for entry in before]

    def opened(self) -> Database:
        timeout = self.settings.busy_timeout_seconds
        return Database.open(store_file(self.settings), busy_timeout=timeout)


def _stocked(found: FoundTable | None) -> Stocked | None:
    if found is None:
        return None
    return Stocked("THERE", found.rows, found.bytes, found.differences)
