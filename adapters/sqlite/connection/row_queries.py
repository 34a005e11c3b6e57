"""Asking a database, whoever holds it."""

from collections.abc import Sequence
from typing import Any, Protocol


class Rows(Protocol):
    def rows(self, sql: str, bindings: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query, read on the calling thread.

        Raises:
            Unavailable: SQLite cannot read now.
        """
        ...
