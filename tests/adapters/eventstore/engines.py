"""The engines that promise to be a log. To put another one under the whole suite, add a line."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from attrs import define, frozen

from adapters.eventstore.log import Log
from adapters.memory.log import MemoryLog
from adapters.sqlite.connection.database import Database
from adapters.sqlite.log.log import SqliteLog
from tests.adapters.dynamodb.log.logs import log_on_its_thread

Now = Callable[[], datetime]


@define
class Clock:
    """A clock that stands still unless it is moved, forwards or backwards."""

    at: datetime = datetime(2026, 11, 16, 12, 0, 0, 123_456, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.at

    def move(self, **by: float) -> None:
        self.at += timedelta(**by)


@contextmanager
def memory(folder: Path, now: Now) -> Iterator[Log]:
    yield MemoryLog(now=now)


@contextmanager
def sqlite(folder: Path, now: Now) -> Iterator[Log]:
    with Database.open(folder / "log.db") as database:
        yield SqliteLog(database, now=now, hot_streams=2)


@contextmanager
def dynamodb(folder: Path, now: Now) -> Iterator[Log]:
    # Few hot streams and tiny blocks: what is rare in production happens in every test.
    with log_on_its_thread(str(folder), now=now, hot_streams=2, block_size=7) as log:
        yield log


@frozen
class Engine:
    """How to open a log in a folder, and whether opening it again finds what was stored."""

    open: Callable[[Path, Now], AbstractContextManager[Log]]
    durable: bool = True


ENGINES = {
    "memory": Engine(memory, durable=False),
    "sqlite": Engine(sqlite),
    "dynamodb": Engine(dynamodb),
}
