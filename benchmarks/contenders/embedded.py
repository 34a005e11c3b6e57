"""The State Store's embedded engine as a contender: the use case itself, all followers running."""

import asyncio
from itertools import cycle
from pathlib import Path
from time import perf_counter

import uvloop

from benchmarks.load.reports import caller, dataset_urn
from benchmarks.load.store import caught_up, followers, opened, stop
from benchmarks.measuring import varied
from benchmarks.measuring.contest import SIGNALS, Turn, Updates
from domain.dataset.settings_validation import DatasetReport
from entrypoints.wiring.opening import close

FULL_SYNC = 2


class Embedded:
    """One open store. Between turns its event loop stands still, so it takes nothing away."""

    def __init__(self, folder: Path) -> None:
        self._container = opened(folder)
        self._loop = asyncio.Runner(loop_factory=uvloop.new_event_loop)
        self._following = self._loop.run(self._prepare())
        self._updates = [Updates(number, "FRESHNESS") for number in range(SIGNALS)]
        """Signals go on from turn to turn: they get as long as they do in life."""
        self.lags: list[float] = []
        """How long the projections needed after each turn's last update, in seconds."""

    def prepare(self, turn: Turn) -> None:
        for updates in self._updates:
            updates.prepare(turn.most_updates)

    def take(self, turn: Turn) -> None:
        self._loop.run(self._take(turn))

    def close(self) -> None:
        self._loop.run(self._stop())
        self._loop.close()
        asyncio.run(close(self._container))

    async def _prepare(self) -> list[asyncio.Task[None]]:
        self._must_sync_fully()
        runner = self._container.runner()
        await runner.resume()
        register = self._container.register_dataset()
        for number in range(SIGNALS):
            report = DatasetReport(dataset_urn(number), varied.settings(number))
            await register(report, by=caller(number))
        return followers(self._container)

    def _must_sync_fully(self) -> None:
        found = self._container.database().submit(lambda c: c.pragma("synchronous")).result()
        assert found == FULL_SYNC, f"synchronous is {found}"

    async def _take(self, turn: Turn) -> None:
        turn.started = perf_counter()
        await asyncio.gather(*(self._call(caller, turn) for caller in range(turn.callers)))
        turn.end()
        await self._catch_up()
        self.lags.append(perf_counter() - turn.ended)

    async def _call(self, number_of_caller: int, turn: Turn) -> None:
        update = self._container.update_signal()
        for number in cycle(turn.signals_of(number_of_caller)):
            if not turn.is_on():
                return
            since = perf_counter()
            told, by = self._updates[number].take()
            await update(told, by=by)
            turn.note(since)

    async def _catch_up(self) -> None:
        await caught_up(self._container)

    async def _stop(self) -> None:
        await stop(self._following)
