"""Long work as an answer that grows: a line of JSON for every step, the result in the last."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from time import perf_counter
from typing import Any, Generic, TypeVar

import orjson
import structlog
from attrs import define, field
from fastapi.responses import StreamingResponse

from application.errors import ApplicationError
from application.maintenance.progress import LongWork
from entrypoints.cli.read_models.progress_lines import Line, WorkLines

MEDIA_TYPE = "application/x-ndjson"
HEARTBEAT = 5.0
"""Seconds of silence after which an empty line shows that the work goes on."""

T = TypeVar("T")


async def work_stream(
    work: Callable[[LongWork], Awaitable[T]], told: Callable[[T, float], dict[str, Any]]
) -> StreamingResponse:
    """Whoever stops reading stops the work. What fails before it begins is an answer of its own."""
    stream = _Stream(work, told)
    task = asyncio.create_task(stream.run())
    first = await stream.next()
    if first is None:
        await task
    return StreamingResponse(stream.lines(task, first), media_type=MEDIA_TYPE)


@define
class _Stream(Generic[T]):
    work: Callable[[LongWork], Awaitable[T]]
    told: Callable[[T, float], dict[str, Any]]
    _said: asyncio.Queue[Line | None] = field(factory=asyncio.Queue)
    _begun: bool = False

    async def run(self) -> None:
        since = perf_counter()
        try:
            done = await self.work(WorkLines(self._say))
            self._say({"result": self.told(done, perf_counter() - since)})
        except ApplicationError as error:
            if not self._begun:
                raise
            self._say({"error": str(error)})
        except Exception as error:
            if not self._begun:
                raise
            structlog.get_logger().exception("maintenance_failed", error=str(error))
            self._say({"error": "something went wrong inside; the server's log says what"})
        finally:
            self._said.put_nowait(None)

    def _say(self, line: Line) -> None:
        self._begun = True
        self._said.put_nowait(line)

    async def next(self) -> Line | None:
        try:
            return await asyncio.wait_for(self._said.get(), HEARTBEAT)
        except TimeoutError:
            return {}

    async def lines(self, task: asyncio.Task[None], line: Line | None) -> AsyncIterator[bytes]:
        try:
            while line is not None:
                yield orjson.dumps(line) + b"\n"
                line = await self.next()
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
