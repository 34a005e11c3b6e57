"""How much a log holds, told alike for every engine."""

from collections.abc import Mapping
from datetime import datetime

from attrs import field, frozen


@frozen
class End:
    """The first or the last entry of a log."""

    position: int
    at: datetime


@frozen
class LogStats:
    """`parts` are the engine's own figures, by the names that people read."""

    events: int
    streams: int
    bytes: int
    snapshots: int
    first: End | None = None
    last: End | None = None
    parts: Mapping[str, float] = field(factory=dict)
