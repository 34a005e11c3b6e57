"""Log lines of calls, written after the answers: those of one turn of the event loop together."""

import asyncio
from collections import deque
from contextvars import Context
from typing import NamedTuple

import structlog
from attrs import define, field


class Line(NamedTuple):
    method: str
    status: str
    seconds: float
    request_id: str
    loud: bool
    """Probes come every few seconds and drown the rest: theirs are whispered."""


def _bound() -> structlog.typing.FilteringBoundLogger:
    """Bound once: what is asked for by name is put together anew for each line."""
    log: structlog.typing.FilteringBoundLogger = structlog.get_logger().bind()
    return log


@define
class CallLines:
    """No caller waits for its own line."""

    _log: structlog.typing.FilteringBoundLogger = field(factory=_bound)
    _waiting: deque[Line] = field(factory=deque)

    def tell(self, line: Line) -> None:
        self._waiting.append(line)
        if len(self._waiting) == 1:
            self._write_soon()

    def _write_soon(self) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            # A call that outlived its event loop.
            self._write()
        else:
            # Not in the caller's context: a line says itself which request it is about.
            loop.call_soon(self._write, context=Context())

    def _write(self) -> None:
        """One that cannot be written does not keep the others from it."""
        try:
            while self._waiting:
                self._say(self._waiting.popleft())
        finally:
            if self._waiting:
                self._write_soon()

    def _say(self, line: Line) -> None:
        method, status, seconds, request_id, loud = line
        tell = self._log.info if loud else self._log.debug
        ms = round(seconds * 1000, 2)
        tell("grpc_call", method=method, status=status, ms=ms, request_id=request_id)
