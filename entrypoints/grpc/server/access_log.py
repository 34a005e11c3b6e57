"""Log lines of calls, written after the answers: those of one turn of the event loop together."""

import asyncio
from contextvars import Context
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import structlog
from attrs import define, field

from entrypoints.logs import LINES


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
    """No caller waits for its own line.

    Those of one turn are written in one piece: if that fails, all of them are lost, and no others.
    """

    _log: structlog.typing.FilteringBoundLogger = field(factory=_bound)
    _waiting: list[Line] = field(factory=list)

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
        lines, self._waiting = self._waiting, []
        for loud, few in groupby(lines, key=_LOUD):
            tell = self._log.info if loud else self._log.debug
            tell("grpc_call_completed", **{LINES: [_values(one) for one in few]})


_LOUD = itemgetter(Line._fields.index("loud"))


def _values(line: Line) -> dict[str, Any]:
    method, status, seconds, request_id, _ = line
    duration_ms = round(seconds * 1000, 2)
    return {
        "method": method,
        "status": status,
        "duration_ms": duration_ms,
        "request_id": request_id,
    }
