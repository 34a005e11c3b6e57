"""Moments: UTC, aware, to the millisecond, written `2026-01-15T10:00:00.000Z`."""

from datetime import UTC, datetime
from functools import lru_cache

EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)


@lru_cache(maxsize=4096)
def stamp(at: datetime) -> str:
    """Write a moment so that strings sort as the moments do.

    Remembered, because a window's few moments are written again and again: in its digest, its
    fact, its row and its answer.
    """
    if at.tzinfo is not UTC:
        at = at.astimezone(UTC)
    return at.isoformat(timespec="milliseconds")[:23] + "Z"


def moment(text: str) -> datetime:
    """Read what `stamp` wrote."""
    return datetime.fromisoformat(text)


def stamp_or_none(at: datetime | None) -> str | None:
    return None if at is None else stamp(at)


def moment_or_none(text: str | None) -> datetime | None:
    return None if text is None else moment(text)


def to_millisecond(at: datetime) -> datetime:
    """The same moment in UTC, without what is finer than a millisecond."""
    if at.tzinfo is UTC and at.microsecond % 1000 == 0:
        return at
    at = at.astimezone(UTC)
    return at.replace(microsecond=at.microsecond // 1000 * 1000)
