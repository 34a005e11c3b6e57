"""The boards that leases are written on, and processes that share one."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from attrs import define, field

from adapters.dynamodb.items.item_table import ItemTable
from adapters.dynamodb.log.keys import Keys
from adapters.dynamodb.log_records.leases import DynamoLeaseBoard
from adapters.leases.lease import LeaseBoard, LeaseRecord
from adapters.leases.shared import Manners, SharedLeases
from adapters.memory.leases import MemoryLeaseBoard
from tests.adapters.dynamodb.log.logs import retrying, sends_once, shared_table
from tests.adapters.dynamodb.support import dynamodb_local

MANNERS = Manners(lasts=6.0, renewed=2.0, look=1.0)


@define
class Counted:
    """A board that counts what it is asked."""

    inner: LeaseBoard
    reads: int = 0
    writes: int = 0

    async def read(self, name: str) -> LeaseRecord:
        self.reads += 1
        return await self.inner.read(name)

    async def replace(self, name: str, new: LeaseRecord) -> LeaseRecord:
        self.writes += 1
        return await self.inner.replace(name, new)


@define
class Office:
    """A board, processes at it, and a time that passes when the test says so."""

    board: Counted
    time: float = 0.0
    processes: dict[str, SharedLeases] = field(factory=dict)

    def process(self, name: str) -> SharedLeases:
        made = SharedLeases(self.board, name, MANNERS, lambda: self.time)
        return self.processes.setdefault(name, made)


@asynccontextmanager
async def memory() -> AsyncIterator[Office]:
    yield Office(Counted(MemoryLeaseBoard()))


@asynccontextmanager
async def dynamodb() -> AsyncIterator[Office]:
    transport = retrying(sends_once())
    keys = Keys(dynamodb_local.unused_table("leases"))
    try:
        yield Office(Counted(DynamoLeaseBoard(ItemTable(transport, shared_table()), keys)))
    finally:
        await transport.close()


KINDS: dict[str, Callable[[], AbstractAsyncContextManager[Office]]] = {
    "memory": memory,
    "dynamodb": dynamodb,
}
