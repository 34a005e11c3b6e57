"""The table engines that the contract suite, the machine and the boards are run against."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from attrs import frozen

from adapters.memory.blobs import MemoryBlobs
from adapters.memory.engine import MemoryEngine
from adapters.row_layouts.engine import TableEngine
from adapters.sqlite.connection.database import Database
from adapters.sqlite.rows.engine import SqliteEngine
from tests.adapters.dynamodb.rows.engines import empty_tables, engine_on_its_thread

Opens = Callable[[], AbstractContextManager[TableEngine]]


@frozen
class Kind:
    """How to open an engine again and again on one ground, and what differs between them."""

    ground: Callable[[Path], AbstractContextManager[Opens]]
    durable: bool
    """Whether rows are still there when it is opened again."""
    graves: bool = False
    """Whether it remembers the position at which a row was taken away."""

    @contextmanager
    def open(self, folder: Path) -> Iterator[TableEngine]:
        with self.ground(folder) as opens, opens() as engine:
            yield engine


@contextmanager
def memory(folder: Path) -> Iterator[Opens]:
    @contextmanager
    def opens() -> Iterator[TableEngine]:
        yield MemoryEngine()

    yield opens


@contextmanager
def sqlite(folder: Path) -> Iterator[Opens]:
    @contextmanager
    def opens() -> Iterator[TableEngine]:
        with Database.open(folder / "tables.db") as database:
            yield SqliteEngine(database)

    yield opens


@contextmanager
def dynamodb(folder: Path) -> Iterator[Opens]:
    blobs = MemoryBlobs()
    with empty_tables() as prefix:
        yield lambda: engine_on_its_thread(prefix, blobs=blobs)


KINDS = {
    "memory": Kind(memory, durable=False),
    "sqlite": Kind(sqlite, durable=True),
    "dynamodb": Kind(dynamodb, durable=True, graves=True),
}
