"""
What surrounds every call: who calls, how many may, until when, what errors mean, a log line.

One function instead of interceptors, which gRPC asks one after the other for each call.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import grpc
import grpc.aio
import structlog
from attrs import field, frozen

from application.caller import Caller
from application.reads import Reads
from entrypoints.grpc.call import Call
from entrypoints.grpc.calls import Calls
from entrypoints.grpc.errors import DETAILS, DeadlineOver, is_expected, refusal
from entrypoints.grpc.heard import REQUEST_ID, Heard
from entrypoints.interfaces.callers import Identities

Context = grpc.aio.ServicerContext[bytes, bytes]
T = TypeVar("T")

_log = structlog.get_logger()


@frozen
class Surroundings:
    calls: Calls
    identities: Identities | None
    """Nothing where anyone may call."""
    reads: Reads
    new_id: Callable[[], str]
    _log: structlog.typing.FilteringBoundLogger = field(init=False)
    # Bound once: what is asked for by name is put together anew for each line.

    @_log.default
    def _bound(self) -> structlog.typing.FilteringBoundLogger:
        log: structlog.typing.FilteringBoundLogger = structlog.get_logger().bind()
        return log

    async def surround(
        self, method: str, context: Context, work: Callable[[Heard], Awaitable[T]], otherwise: T
    ) -> T:
        """What the work answers; if it raises, the context is told and nothing of it matters."""
        began, status = time.perf_counter(), grpc.StatusCode.OK
        heard = Heard.of(context.invocation_metadata(), self.new_id)
        # Every call is a task of its own: what is bound ends with it.
        structlog.contextvars.bind_contextvars(request_id=heard.request_id)
        context.set_trailing_metadata(((REQUEST_ID, heard.request_id),))
        try:
            return await self._counted(context, work, heard)
        except asyncio.CancelledError:
            status = _cancelled(context)
            raise
        except Exception as error:  # noqa: BLE001  # the edge: nothing else would tell of it
            status = _refuse(method, context, heard, error)
            return otherwise
        finally:
            self._tell(method, status, time.perf_counter() - began)

    def identified(self, heard: Heard) -> Caller:
        """Raises Unauthenticated without a good token, where one is asked for."""
        if self.identities is None:
            return Caller("anyone", correlation_id=heard.request_id)
        return heard.caller(self.identities)

    def call(self, by: Caller) -> Call:
        return Call(by, self.reads, self.calls)

    def _tell(self, method: str, status: grpc.StatusCode, seconds: float) -> None:
        # Probes come every few seconds and drown the rest.
        tell = self._log.debug if self.identities is None else self._log.info
        tell("grpc_call", method=method, status=status.name, ms=round(seconds * 1000, 2))

    async def _counted(
        self, context: Context, work: Callable[[Heard], Awaitable[T]], heard: Heard
    ) -> T:
        self.calls.enter()
        try:
            if _is_over(context):
                raise DeadlineOver
            return await work(heard)
        finally:
            self.calls.leave()


def _is_over(context: Context) -> bool:
    left: float | None = context.time_remaining()
    return left is not None and left <= 0


def _cancelled(context: Context) -> grpc.StatusCode:
    return grpc.StatusCode.DEADLINE_EXCEEDED if _is_over(context) else grpc.StatusCode.CANCELLED


def _refuse(method: str, context: Context, heard: Heard, error: Exception) -> grpc.StatusCode:
    if not is_expected(error):
        _log.error("unexpected_error", method=method, exc_info=error)
    told = refusal(error)
    context.set_code(told.code)
    context.set_details(told.text)
    context.set_trailing_metadata(((REQUEST_ID, heard.request_id), (DETAILS, told.details)))
    return told.code
