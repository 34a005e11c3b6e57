"""What time it is."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    def now(self) -> datetime:
        """The moment in UTC, to the millisecond."""
        ...
