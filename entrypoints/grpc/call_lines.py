"""Log lines of calls, written after the answers: those of one turn of the event loop together."""

import asyncio
from contextvars import Context
from typing import NamedTuple

import structlog
from attrs import define, field

_NOBODY_S = Context()


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
    _waiting: list[Line] = field(factory=list)

    def tell(self, line: Line) -> None:
        if not self._waiting:
            # Not in the caller's context: a line says itself which request it is about.
            asyncio.get_running_loop().call_soon(self._write, context=_NOBODY_S)
        self._waiting.append(line)

    def _write(self) -> None:
        lines, self._waiting = self._waiting, []
        for method, status, seconds, request_id, loud in lines:
            tell = self._log.info if loud else self._log.debug
            ms = round(seconds * 1000, 2)
            tell("grpc_call", method=method, status=status, ms=ms, request_id=request_id)
