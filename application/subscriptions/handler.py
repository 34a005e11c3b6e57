"""What is done with the facts of the log: the part of a subscription that differs."""

from collections.abc import Sequence
from datetime import datetime
from math import inf
from typing import Protocol

from attrs import frozen

from application.recorded import Recorded


@frozen
class Settled:
    """How far a handler has come, and how it goes on."""

    position: int
    """Nothing up to here is handled again after a restart."""
    at: datetime | None = None
    """When the last fact that is settled was recorded, or the first that waits."""
    read: int | None = None
    """Where to read on, if that is further: the handler remembers the facts between."""
    acted: bool = False
    """Other systems saw something: the checkpoint is stored at once, and more may be ready."""
    trouble: Exception | None = None
    """Why it cannot go on now."""

    @property
    def next_read(self) -> int:
        return self.position if self.read is None else self.read


class Handler(Protocol):
    """Handles each fact at least once, in the order of the log."""

    @property
    def name(self) -> str:
        """Names it in `/health` and in the log."""
        ...

    async def begin(self, checkpoint: int | None) -> int:
        """Remember nothing, and return the position to read on from.

        The checkpoint is None if none was ever stored, or if the handler stores its own.
        """
        ...

    async def handle(self, facts: Sequence[Recorded]) -> Settled | None:
        """Handle the facts, or the first of them; the others come again.

        Called with no facts when there are none, or when it is due. None if nothing changed.
        """
        ...

    def due_in(self) -> float:
        """Seconds until it wants to be called although nothing is recorded."""
        return inf
