"""Lag: the distance of a follower from the end of the log."""

from datetime import datetime

from attrs import frozen

from application.subscriptions.feed import Feed


@frozen
class Lag:
    events: int = 0
    """How many facts were not taken yet."""
    seconds: float = 0.0
    """How long the first of them has been waiting."""


async def lag_of(reached: int, *, head: int, feed: Feed, now: datetime) -> Lag:
    """Raises Unavailable if the log does not answer."""
    if reached >= head:
        return Lag()
    waiting = await feed.read(reached, 1)
    seconds = (now - waiting[0].at).total_seconds() if waiting else 0.0
    return Lag(head - reached, max(seconds, 0.0))
