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
from entrypoints.grpc.server.access_log import CallLines, Line
from entrypoints.grpc.server.call import Call
from entrypoints.grpc.server.call_limits import Calls
from entrypoints.grpc.server.errors import DETAILS, DeadlineOver, is_expected, refusal
from entrypoints.grpc.server.metadata import REQUEST_ID, Heard
from entrypoints.interfaces.credentials import Identities

Context = grpc.aio.ServicerContext[bytes, bytes]
T = TypeVar("T")

_log = structlog.get_logger()
_NAMES = {code: code.name for code in grpc.StatusCode}


@frozen
class Surroundings:
    calls: Calls
    identities: Identities | None
    """Nothing where anyone may call."""
    new_id: Callable[[], str]
    lines: CallLines = field(factory=CallLines)

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
            self.calls.enter()
            try:
                if _is_over(context):
                    raise DeadlineOver
                return await work(heard)
            finally:
                self.calls.leave()
        except asyncio.CancelledError:
            status = _cancelled(context)
            raise
        except Exception as error:  # noqa: BLE001  # the edge: nothing else would tell of it
            status = _refuse(method, context, heard, error)
            return otherwise
        finally:
            took, loud = time.perf_counter() - began, self.identities is not None
            self.lines.tell(Line(method, _NAMES[status], took, heard.request_id, loud))

    def identified(self, heard: Heard) -> Caller:
        """Raises Unauthenticated without a good token, where one is asked for."""
        if self.identities is None:
            return Caller("anyone", correlation_id=heard.request_id)
        return heard.caller(self.identities)

    def call(self, by: Caller) -> Call:
        return Call(by, self.calls)


def _is_over(context: Context) -> bool:
    left: float | None = context.time_remaining()
    return left is not None and left <= 0


def _cancelled(context: Context) -> grpc.StatusCode:
    return grpc.StatusCode.DEADLINE_EXCEEDED if _is_over(context) else grpc.StatusCode.CANCELLED


def _refuse(method: str, context: Context, heard: Heard, error: Exception) -> grpc.StatusCode:
    if not is_expected(error):
        _log.error("request_failed", method=method, exc_info=error)
    told = refusal(error)
    context.set_code(told.code)
    context.set_details(told.text)
    context.set_trailing_metadata(((REQUEST_ID, heard.request_id), (DETAILS, told.details)))
    return told.code
