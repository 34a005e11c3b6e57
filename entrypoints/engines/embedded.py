"""The embedded engine: one process owns a folder with a SQLite file."""

import os
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from adapters.eventstore.export.transfer import Target
from adapters.eventstore.mapper import Mapper
from adapters.system.ulids import Ulids
from entrypoints.cli.log import sqlite
from entrypoints.cli.log.open_log import Tools
from entrypoints.cli.tables.inventory import Stock
from entrypoints.cli.tables.sqlite_tables import SqliteStock
from entrypoints.settings.loading import Settings
from entrypoints.wiring.locations import store_file

if TYPE_CHECKING:
    from entrypoints.container import Container

STORE_ID = "store-id"


@frozen
class EmbeddedEngine:
    is_durable: bool = True
    is_shared: bool = False
    expires_rows: bool = False

    def describe(self, settings: Settings) -> str:
        return str(store_file(settings))

    def missing(self, settings: Settings) -> str | None:
        return None if store_file(settings).exists() else str(settings.data_dir)

    def has_personal_keys(self, settings: Settings) -> bool:
        return store_file(settings).exists()

    def store_id(self, settings: Settings, log: object) -> str:
        return _stored_id(settings.data_dir / STORE_ID)

    def claim(self, container: "Container") -> None:
        container.database()

    async def open_log(self, container: "Container") -> None:
        """The database opens with its first use."""

    async def make_tables(self, container: "Container") -> None:
        """Tables are made when they are first written. The evidence cache has a file of its own."""
        container.evidence_cache().open()

    async def close(self, container: "Container") -> None:
        container.evidence_cache().close()
        container.database().close()

    def tables(self, settings: Settings) -> Stock:
        return SqliteStock(settings)

    def read_log(self, settings: Settings, mapper: Mapper) -> AbstractAsyncContextManager[Tools]:
        return sqlite.reading(settings, mapper)

    def import_log(self, settings: Settings) -> AbstractAsyncContextManager[Target]:
        return sqlite.importing(settings)


def _stored_id(path: Path) -> str:
    """Written once: a copy of the folder has the same id, a new folder another one."""
    try:
        return path.read_text().strip()
    except FileNotFoundError:
        made = Ulids().text()
        beside = path.with_suffix(".new")
        with beside.open("w") as file:
            file.write(made)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        return made
