"""What commands and the server need to know of a storage engine."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Protocol

from entrypoints.settings.loading import Engine, Settings

if TYPE_CHECKING:
    from adapters.eventstore.export.transfer import Target
    from adapters.eventstore.mapper import Mapper
    from entrypoints.cli.log.open_log import Tools
    from entrypoints.cli.tables.inventory import Stock
    from entrypoints.container import Container


class StorageEngine(Protocol):
    """Where facts and read models are stored. Parts are opened through the container."""

    @property
    def is_durable(self) -> bool:
        """Whether the store outlives its process."""
        ...

    @property
    def is_shared(self) -> bool:
        """Whether several processes may use the store at once."""
        ...

    @property
    def expires_rows(self) -> bool:
        """Whether the tables delete expired rows themselves."""
        ...

    def describe(self, settings: Settings) -> str:
        """The place of the store, for the banner of the server."""
        ...

    def missing(self, settings: Settings) -> str | None:
        """The place where a store should be and is not; nothing if there may be one."""
        ...

    def has_personal_keys(self, settings: Settings) -> bool: ...

    def store_id(self, settings: Settings, log: object) -> str:
        """Tells this store from others that share a cache. Positions of another mean nothing."""
        ...

    def claim(self, container: "Container") -> None:
        """Take the data folder for this process. Raises FolderInUse."""
        ...

    async def open_log(self, container: "Container") -> None:
        """Raises FolderInUse or Unavailable."""
        ...

    async def make_tables(self, container: "Container") -> None:
        """Make the tables, if settings allow that; else those in use must exist."""
        ...

    async def close(self, container: "Container") -> None: ...

    def tables(self, settings: Settings) -> "Stock":
        """The tables as `statestore tables` shows them. Raises NoTables."""
        ...

    def read_log(
        self, settings: Settings, mapper: "Mapper"
    ) -> AbstractAsyncContextManager["Tools"]:
        """The log for `statestore log`. Nothing is created. Raises NoLog or Unavailable."""
        ...

    def import_log(self, settings: Settings) -> AbstractAsyncContextManager["Target"]:
        """The log to import into, created if it is missing. Raises FolderInUse or Unavailable."""
        ...


def engine_of(settings: Settings) -> StorageEngine:
    return _engines()[settings.engine]


def _engines() -> Mapping[Engine, StorageEngine]:
    from entrypoints.engines.dynamodb import DynamoDbEngine
    from entrypoints.engines.embedded import EmbeddedEngine
    from entrypoints.engines.memory import MemoryEngine

    return {
        Engine.EMBEDDED: EmbeddedEngine(),
        Engine.DYNAMODB: DynamoDbEngine(),
        Engine.MEMORY: MemoryEngine(),
    }
