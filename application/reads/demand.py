"""
How up to date an answer must be, or as of when; and how up to date it was.

    nothing demanded   from the read models, with at least the caller's own last write
    min_position       from the read models, once they show a position; an error if not in time
    strong             folded from the streams concerned, with all that is recorded by now
    as of a moment     folded from the streams concerned, with all that was recorded by then
"""

from datetime import datetime
from typing import Generic, TypeVar

from attrs import frozen

from application.reads.position import Position

R = TypeVar("R")


@frozen
class Demand:
    as_of: datetime | None = None
    min_position: Position | None = None
    strong: bool = False


NOTHING = Demand()


@frozen
class Answer(Generic[R]):
    """An answer, and what it is an answer about."""

    value: R
    position: int
    """All facts up to here are in it."""
    age_seconds: float | None
    """How old it may be at most, compared with the moment demanded; None if not known."""
    as_of: datetime | None = None
    stale: bool = False
    """Whether copies were shown of what could not be read."""
