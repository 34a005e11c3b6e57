"""
A function on the stream of the log's table, which wakes the projections.

The stream is nothing but an alarm clock: the facts, and their order, are read from the log. So a
record that comes twice, late or out of order does no harm, and a function that is woken folds all
there is, not only what it was woken for. What it cannot reach in its time is answered as failed,
and the stream wakes it again.

    handler   entrypoints.functions.wake_projections.handler
    settings  STATESTORE_ENGINE=dynamodb and the others, as for a server
    mapping   FunctionResponseTypes: ReportBatchItemFailures
              FilterCriteria: {"dynamodb": {"Keys": {"PK": {"S": [{"prefix": "L#"}]}}}}
"""

import asyncio
import os
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from attrs import frozen

from adapters.dynamodb.log_reading.stream_records import Event, Written, batches_written
from entrypoints import logs
from entrypoints.container import Container, build
from entrypoints.engines.engine import engine_of
from entrypoints.server.followers import following
from entrypoints.settings.loading import BadSettings, Settings, load
from entrypoints.wiring.opening import close, open_log, open_tables

MARGIN = 2.0
"""Seconds of a function's time that are kept for letting go."""


class Context(Protocol):
    def get_remaining_time_in_millis(self) -> int: ...


def handler(event: Event, context: Context) -> dict[str, Any]:
    """What Lambda calls. The first call opens the store, for all that follow."""
    seconds = context.get_remaining_time_in_millis() / 1000 - MARGIN
    return _awake()(event, seconds=max(seconds, 0.0))


@cache
def _awake() -> "WakeProjections":
    settings = load(os.environ, Path(".env"))
    logs.configure(settings)
    return WakeProjections.open(settings)


@frozen
class WakeProjections:
    """An open store, and the event loop that it belongs to."""

    container: Container
    loop: asyncio.Runner

    @classmethod
    def open(cls, settings: Settings) -> "WakeProjections":
        """Raises BadSettings unless the log is on DynamoDB."""
        if not engine_of(settings).is_shared:
            raise BadSettings(["STATESTORE_ENGINE must be dynamodb: other logs have no stream"])
        opened = cls(build(settings), asyncio.Runner())
        try:
            opened.loop.run(opened._prepare())
        except BaseException:
            # The next call opens it anew, and must find the data folder free.
            opened.close()
            raise
        return opened

    async def _prepare(self) -> None:
        await open_log(self.container)
        await open_tables(self.container)

    def __call__(self, event: Event, *, seconds: float) -> dict[str, Any]:
        """Fold what is recorded by now, within the time; which records were not reached."""
        return self.loop.run(self._wake(event, seconds))

    def close(self) -> None:
        self.loop.run(close(self.container))
        self.loop.close()

    async def _wake(self, event: Event, seconds: float) -> dict[str, Any]:
        head = await self.container.feed().head()
        reached = await self._folded(head, seconds)
        written = batches_written(event, self.container.log().keys)
        failed = _failed(written, reached, head)
        return {"batchItemFailures": [{"itemIdentifier": number} for number in failed]}

    async def _folded(self, head: int, seconds: float) -> int:
        """How far the slowest projection is in the end, whoever folds it."""
        progress, names = self.container.progress(), self.container.projection_names()
        async with following(self.container, acts=False):
            waits = [progress.wait(name, head, timeout=seconds) for name in names]
            await asyncio.gather(*waits)
            return min(progress.reached(name).position for name in names)


def _failed(written: list[Written], reached: int, head: int) -> list[str]:
    """One at least if the end was not reached, so that the stream wakes us again."""
    if reached >= head or not written:
        return []
    beyond = [one.sequence_number for one in written if one.first > reached]
    return beyond or [written[-1].sequence_number]
