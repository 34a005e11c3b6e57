"""The engine in memory, for tests: nothing outlives the process."""

from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

from attrs import frozen

from adapters.eventstore.export.transfer import Target
from adapters.eventstore.mapper import Mapper
from adapters.system.ulids import Ulids
from entrypoints.cli.log.open_log import NoLog, Tools
from entrypoints.cli.tables.inventory import NoTables, Stock
from entrypoints.settings.loading import Settings

if TYPE_CHECKING:
    from entrypoints.container import Container

NOWHERE = "memory: it ends with its process"


@frozen
class MemoryEngine:
    is_durable: bool = False
    is_shared: bool = False
    expires_rows: bool = False

    def describe(self, settings: Settings) -> str:
        return "memory only"

    def missing(self, settings: Settings) -> str | None:
        return NOWHERE

    def has_personal_keys(self, settings: Settings) -> bool:
        return False

    def store_id(self, settings: Settings, log: object) -> str:
        return Ulids().text()

    def claim(self, container: "Container") -> None:
        """There is no folder."""

    async def open_log(self, container: "Container") -> None:
        """It is open."""

    async def make_tables(self, container: "Container") -> None:
        """They are made when they are first used."""

    async def close(self, container: "Container") -> None:
        """There is nothing to store."""

    def tables(self, settings: Settings) -> Stock:
        raise NoTables(NOWHERE)

    def read_log(self, settings: Settings, mapper: Mapper) -> AbstractAsyncContextManager[Tools]:
        raise NoLog(NOWHERE)

    def import_log(self, settings: Settings) -> AbstractAsyncContextManager[Target]:
        raise NoLog(NOWHERE)
