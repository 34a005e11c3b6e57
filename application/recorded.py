"""A fact together with where, when and by whom it was recorded."""

from datetime import datetime
from typing import Any

from attrs import frozen

from domain.streams import StreamId

ERASED = "[erased]"
"""What is left of a person's data once their key is destroyed."""


@frozen
class Unreadable:
    """Stands for a fact that this program does not understand."""

    name: str
    reason: str


@frozen
class Recorded:
    position: int
    at: datetime
    stream: StreamId
    version: int
    fact: Any
    event_id: bytes
    by: str
    correlation_id: str
    causation_id: str | None = None
    trace: str | None = None
    tags: tuple[str, ...] = ()
