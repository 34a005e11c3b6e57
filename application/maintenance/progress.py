"""Telling whoever waits how far long work has come."""

from typing import Protocol


class LongWork(Protocol):
    def begin(self, what: str, total: int | None = None) -> None:
        """The next part of the work; `total` tells how much there is, where that is known."""
        ...

    def reached(self, done: int) -> None:
        """So much of this part is done."""
        ...
