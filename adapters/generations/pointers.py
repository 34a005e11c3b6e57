"""
Which generation of a projection's tables is read: a row for each, in the first generation of
`observability-projection-state`.

    PK                       SK     generation  position  since
    generation#signal-state  STATE  3           3         2026-01-15T10:00:00.000Z
    filling#signal-state     STATE  4           4         …    was begun, `by` whom
    dropped#signal-state     STATE  2           2         …    with all before it

The position is the generation, so that only a later one replaces it. Moving a pointer is one put.
"""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol
from uuid import uuid4

from attrs import define

from adapters.generations.generation_tables import Numbers, progress_name
from adapters.row_layouts.catalogue import PROJECTION_STATE
from adapters.row_layouts.engine import Put, Row, RowKey, TableEngine
from adapters.row_layouts.ownership import HOLDINGS
from application.errors import Unavailable
from application.ports.clock import Clock
from domain.timestamps import moment, stamp

SERVING, FILLING, DROPPED = "generation", "filling", "dropped"
LOOKED_FOR_EVERY = 1.0
BELIEVED_FOR = 30.0
"""Seconds after which a process that could not look does not read what it read before."""


@define
class Pointers:
    """The generations that this process reads. What others have moved is seen by `watch`.

    Nobody begins to read from a generation that was left longer ago than `BELIEVED_FOR`: it may be
    dropped some time after.
    """

    engine: TableEngine
    clock: Clock
    on_moved: Callable[[str, int], None] = lambda projection, reached: None
    """Told how far the generation is that a projection is read from now, as soon as it is."""
    now: Callable[[], float] = time.monotonic
    _numbers: Numbers | None = None
    _looked: float = 0.0

    async def numbers(self) -> Numbers:
        """Those that are not the first.

        Raises:
            Unavailable: They may be others by now, and this process has not moved to them yet.
        """
        if self._numbers is None:
            began = self.now()
            await self._serve(await served(self.engine), began)
        elif self.now() - self._looked > BELIEVED_FOR:
            await self._confirm()
        assert self._numbers is not None
        return self._numbers

    def known(self) -> Numbers | None:
        """Enough to name copies; tables are not to be read by it."""
        return self._numbers

    async def all(self, kind: str) -> Mapping[str, int]:
        """What the rows of a kind say of each projection, 0 where there is no row."""
        return await _said(self.engine, kind)

    async def begin(self, projection: str, number: int) -> bool:
        """Whether the generation is ours to fill: of several who begin the same, one is told so."""
        me = uuid4().hex
        await self.put(FILLING, projection, number, by=me)
        (row,) = await self.engine.get([_key(FILLING, projection)], strong=True)
        return bool(row.get("by") == me)

    async def put(self, kind: str, projection: str, number: int, **more: str) -> None:
        row = {
            **more,
            "PK": _key(kind, projection).pk,
            "SK": _key(kind, projection).sk,
            "generation": number,
            "position": number,
            "since": stamp(self.clock.now()),
        }
        name = f"{kind}/{projection}"
        # The row itself says which is later. What is said of one that was lost must not stop it.
        await self.engine.forget(name)
        await self.engine.write(name, [Put(PROJECTION_STATE.name, row)], upto=number)

    async def move(self, projection: str, number: int) -> None:
        """Read this generation from now on, here at once."""
        await self.put(SERVING, projection, number)
        began = self.now()
        await self._serve(await served(self.engine), began)

    async def moved_at(self, projection: str) -> datetime:
        """Since when the generation is read that is read now, and is not the first."""
        (row,) = await self.engine.get([_key(SERVING, projection)], strong=True)
        return moment(row["since"])

    async def watch(self, at_rest: Callable[[], AbstractAsyncContextManager[None]]) -> None:
        """Follow what other processes move, until cancelled."""
        while True:
            await asyncio.sleep(LOOKED_FOR_EVERY)
            try:
                await self.look(at_rest)
            except Unavailable:
                continue  # Whoever reads the tables says so; here it is looked again.

    async def look(self, at_rest: Callable[[], AbstractAsyncContextManager[None]]) -> None:
        began = self.now()
        stored = await served(self.engine)
        if stored == self._numbers:
            self._looked = began
            return
        await self._ensure(stored)
        moved = await self._moved_to(stored)
        # A batch is read from and written to one generation.
        async with at_rest():
            self._lead(stored, began, moved)

    async def _confirm(self) -> None:
        """Like `look`, for whoever is in the middle of something."""
        began = self.now()
        if await served(self.engine) != self._numbers:
            raise Unavailable("the tables", "they were filled anew, and are read in a moment")
        self._looked = began

    async def _serve(self, numbers: Numbers, began: float) -> None:
        await self._ensure(numbers)
        self._lead(numbers, began, await self._moved_to(numbers))

    def _lead(self, numbers: Numbers, began: float, moved: Mapping[str, int]) -> None:
        self._numbers, self._looked = numbers, began
        for name, reached in moved.items():
            self.on_moved(name, reached)

    async def _ensure(self, numbers: Numbers) -> None:
        await self.engine.ensure(
            [table for name, n in numbers.items() for table in HOLDINGS[name].of_generation(n)]
        )

    async def _moved_to(self, numbers: Numbers) -> Mapping[str, int]:
        """How far the generations are that were not read before."""
        if self._numbers is None:
            return {}
        others = {name: n for name, n in numbers.items() if self._numbers.get(name) != n}
        return {
            name: await self.engine.reached(progress_name(name, n)) for name, n in others.items()
        }


class RowsByKey(Protocol):
    async def get(self, keys: Sequence[RowKey], *, strong: bool = False) -> Sequence[Row]: ...


async def served(tables: RowsByKey) -> Numbers:
    """The generations that are read, of those that are not the first."""
    serving = await _said(tables, SERVING)
    return {name: number for name, number in serving.items() if number > 1}


async def _said(tables: RowsByKey, kind: str) -> Mapping[str, int]:
    # Old reads could lead back to a generation that is no longer there.
    rows = await tables.get([_key(kind, name) for name in HOLDINGS], strong=True)
    said = {row["PK"].partition("#")[2]: int(row["generation"]) for row in rows}
    return {name: said.get(name, 0) for name in HOLDINGS}


def _key(kind: str, projection: str) -> RowKey:
    return RowKey(PROJECTION_STATE.name, f"{kind}#{projection}", "STATE")
