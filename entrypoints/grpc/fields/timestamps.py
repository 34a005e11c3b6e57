"""Moments in messages: any offset from 1970 in, UTC to the millisecond out."""

from datetime import datetime, timedelta
from functools import lru_cache

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from domain.errors import Violation
from domain.timestamps import EARLIEST, to_millisecond
from entrypoints.interfaces.sent import Sent, collected

_EARLIEST = -62135596800
_LATEST = 253402300799
_NANOS = 1_000_000_000
_DAY = 86400

EXPECTED = "must be a moment in the years 1 to 9999, with 0 to 999999999 nanos"


def parse_moment(
    message: Message, name: str, *, called: str | None = None
) -> Sent[datetime | None]:
    """The moment in that field, nothing if there is none.

    `called` is what callers know the field as, if not by its name alone.
    """
    if not message.HasField(name):
        return _ABSENT
    said: Timestamp = getattr(message, name)
    seconds, nanos = said.seconds, said.nanos
    if _EARLIEST <= seconds <= _LATEST and 0 <= nanos < _NANOS:
        return _moment(seconds, nanos)
    return Sent(None, [Violation(called or name, "MALFORMED", EXPECTED)])


def moment_said(
    message: Message, name: str, found: list[Violation], *, called: str | None = None
) -> datetime | None:
    """As `parse_moment`, for readers that still collect violations."""
    return collected(parse_moment(message, name, called=called), found)


_ABSENT: Sent[datetime | None] = Sent(None)


@lru_cache(maxsize=4096)
def _moment(seconds: int, nanos: int) -> Sent[datetime | None]:
    """Remembered, because engines evaluate the same few windows of many signals."""
    since = timedelta(seconds=seconds, microseconds=nanos // 1000)
    return Sent(to_millisecond(EARLIEST + since))


@lru_cache(maxsize=4096)
def timestamp(at: datetime) -> Timestamp:
    """To be copied into a message, never to be changed.

    Remembered, because a window's few moments are told again and again.
    """
    since = at - EARLIEST
    seconds = since.days * _DAY + since.seconds
    return Timestamp(seconds=seconds, nanos=since.microseconds // 1000 * 1_000_000)
