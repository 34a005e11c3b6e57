"""What several answers have in common."""

from dataclasses import dataclass
from datetime import datetime

from statestore_client.enums import Confidence

ANY_VERSION = -1
"""Expected by who does not care: it is done whatever was done before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What an answer is an answer about."""

    position: str = ""
    """Everything up to here is in it; a token for `min_position`, to be handed on and not read."""
    age_seconds: float | None = None
    """How old what was read may be at most, if that is known."""
    as_of: datetime | None = None
    replayed: bool = False
    """Whether a write was answered as before, with the same idempotency key."""
    stale: bool = False
    """Whether the tables did not answer and copies are shown, as old as said."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One way in which a request breaks the contract."""

    field: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Producer:
    """Who made the data, as far as is known."""

    producer_id: str
    version: str | None = None
    confidence: Confidence | None = None
