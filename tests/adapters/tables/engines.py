"""The table engines that the contract suite, the machine and the boards are run against."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from attrs import frozen

from adapters.memory.engine import MemoryEngine
from adapters.sqlite.database import Database
from adapters.sqlite.engine import SqliteEngine
from adapters.tables.engine import TableEngine


@frozen
class Kind:
    """How to open an engine in a folder, and whether its rows are still there afterwards."""

    open: Callable[[Path], AbstractContextManager[TableEngine]]
    durable: bool


@contextmanager
def memory(folder: Path) -> Iterator[TableEngine]:
    yield MemoryEngine()


@contextmanager
def sqlite(folder: Path) -> Iterator[TableEngine]:
    with Database.open(folder / "tables.db") as database:
        yield SqliteEngine(database)


KINDS = {
    "memory": Kind(memory, durable=False),
    "sqlite": Kind(sqlite, durable=True),
}
