"""A table engine to which something happens at every write or scan, or whose reads are old."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from attrs import define

from adapters.row_layouts.catalogue import Table
from adapters.row_layouts.engine import Row, RowKey, RowPage, TableEngine

Hook = Callable[[], Awaitable[None]]


async def nothing() -> None: ...


@define
class HookedEngine:
    engine: TableEngine
    before_write: Hook = nothing
    after_write: Hook = nothing
    before_scan: Hook = nothing
    stale: bool = False
    """Whether reads that are not strong show nothing yet."""

    async def write(self, *args: Any, **more: Any) -> None:
        await self.before_write()
        await self.engine.write(*args, **more)
        await self.after_write()

    async def scan(self, *args: Any, **more: Any) -> RowPage:
        await self.before_scan()
        return await self.engine.scan(*args, **more)

    async def get(self, keys: Sequence[RowKey], *, strong: bool = False) -> Sequence[Row]:
        return [] if self.stale and not strong else await self.engine.get(keys, strong=strong)

    async def query(self, *args: Any, **more: Any) -> RowPage:
        return await self.engine.query(*args, **more)

    async def query_many(self, *args: Any, **more: Any) -> RowPage:
        return await self.engine.query_many(*args, **more)

    async def query_index(self, *args: Any, **more: Any) -> RowPage:
        return await self.engine.query_index(*args, **more)

    async def reached(self, projection: str) -> int:
        return await self.engine.reached(projection)

    async def forget(self, projection: str) -> None:
        await self.engine.forget(projection)

    async def ensure(self, tables: Sequence[Table]) -> None:
        await self.engine.ensure(tables)

    async def drop(self, tables: Sequence[Table]) -> None:
        await self.engine.drop(tables)


class Killed(BaseException):
    """Nobody catches it, as nobody catches a kill."""


@define
class Fuse:
    """Kills at its n-th step."""

    left: int
    steps: int = 0

    async def __call__(self) -> None:
        self.steps += 1
        if self.steps > self.left:
            raise Killed
