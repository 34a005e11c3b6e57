"""Moments of recording as whole milliseconds since 1970, which is how logs keep them."""

from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)


def milliseconds(at: datetime) -> int:
    return (at - EPOCH) // MILLISECOND


def moment(ms: int) -> datetime:
    return EPOCH + ms * MILLISECOND
