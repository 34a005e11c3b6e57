"""Sifting large batches in another process, and in this one while there is none."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import Context
from datetime import datetime

from attrs import define, field
from dependency_injector import providers

from application.evidence.sampling import Sifted
from entrypoints.container import Container
from entrypoints.grpc.evidence_worker.in_process import SiftHere
from entrypoints.grpc.evidence_worker.process import PATIENCE, Ended, SiftingProcess
from entrypoints.grpc.messages.evidence_pb2 import BatchPutEvidenceRequest
from entrypoints.logs import evidence_worker_changed

LARGE = 100
"""Items. Fewer are sifted before another process has heard of them."""

BUSY = 4
"""Batches that wait for the process: more are sifted here, so that both work."""

PAUSE = 10.0
"""Seconds until a process that ended is started again: what ends it may end the next."""

_Done = asyncio.Future[None]


@contextmanager
def _done_after(before: _Done | None, done: _Done) -> Iterator[None]:
    """Who fails, or is cancelled, lets nobody pass those who came before."""
    try:
        yield
    finally:
        if before is None or before.done():
            done.set_result(None)
        else:
            before.add_done_callback(lambda _: done.set_result(None))


@define(eq=False)
class SiftApart:
    here: SiftHere
    on_change: Callable[[int | None], None] = lambda pid: None
    """Is told the id of the process when it is up, and nothing when it has ended by itself."""
    patience: float = PATIENCE
    now: Callable[[], float] = time.monotonic
    _process: SiftingProcess | None = field(default=None, init=False)
    _starting: asyncio.Task[None] | None = field(default=None, init=False)
    _not_before: float = field(default=0.0, init=False)
    _last: _Done | None = field(default=None, init=False)

    async def __call__(self, sent: BatchPutEvidenceRequest, at: datetime) -> Sifted:
        """Batches are done in the order in which they came, wherever they are sifted."""
        before, self._last = self._last, asyncio.get_running_loop().create_future()
        with _done_after(before, self._last):
            sifted = await self._sifted(sent, at)
            if before is not None and not before.done():
                await asyncio.wait([before])
            return sifted

    async def _sifted(self, sent: BatchPutEvidenceRequest, at: datetime) -> Sifted:
        process = self._up() if len(sent.evidence) >= LARGE else None
        if process is not None and process.waiting < BUSY:
            # Nothing is kept before it is sifted: it can be sifted again.
            with suppress(Ended):
                return await process.sifted(sent.SerializeToString(), at)
        return await self.here(sent, at)

    async def close(self) -> None:
        if self._starting is not None:
            self._starting.cancel()
            await asyncio.gather(self._starting, return_exceptions=True)
        if self._process is not None:
            process, self._process = self._process, None
            await process.close()

    def _up(self) -> SiftingProcess | None:
        """The process, if it can be asked; if there is none, one is started meanwhile."""
        if self._process is not None and not self._process.is_up:
            # It has not been told yet.
            self._lost()
        starts = self._starting is not None and not self._starting.done()
        if self._process is None and not starts and self.now() >= self._not_before:
            # Not in the context of the call that was first to need it.
            self._starting = asyncio.create_task(self._start(), context=Context())
        return self._process

    async def _start(self) -> None:
        try:
            process = await SiftingProcess.started(self.here.sieve.pass_rate, self.patience)
        except (Ended, OSError):
            self._lost()
            return
        self._process = process
        process.when_ended(lambda: self._ended(process))
        self.on_change(process.pid)

    def _ended(self, process: SiftingProcess) -> None:
        if process is self._process:
            self._lost()

    def _lost(self) -> None:
        self._process, self._not_before = None, self.now() + PAUSE
        self.on_change(None)


@asynccontextmanager
async def sifting_apart(container: Container) -> AsyncIterator[None]:
    """If settings say so, from before the container's services are made until they are done."""
    if not container.settings().evidence_worker_process:
        yield
        return
    apart = SiftApart(container.sift_evidence(), evidence_worker_changed)
    container.sift_evidence.override(providers.Object(apart))
    try:
        yield
    finally:
        await apart.close()
