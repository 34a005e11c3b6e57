"""
Many rows with few statements.

Whenever SQLite takes a step, other threads may run, and have to be waited for afterwards. With one
step for each row, the waiting costs more than the rows do.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import apsw
from attrs import frozen

_AT_ONCE = (64, 16, 4, 1)
"""Of few sizes, so that their statements stay prepared."""


@frozen(cache_hash=True)
class Insertion:
    """A statement that inserts rows of so many columns, whatever it does about conflicts."""

    into: str
    columns: int
    otherwise: str = ""

    def run(self, connection: apsw.Connection, rows: Sequence[Sequence[Any]]) -> None:
        for some in _pieces(rows):
            connection.execute(_statement(self, len(some)), [one for row in some for one in row])


@lru_cache(maxsize=1_000)
def _statement(insertion: Insertion, rows: int) -> str:
    row = f"({', '.join('?' * insertion.columns)})"
    values = ", ".join([row] * rows)
    return f"INSERT INTO {insertion.into} VALUES {values} {insertion.otherwise}"


def _pieces(rows: Sequence[Sequence[Any]]) -> Iterator[Sequence[Sequence[Any]]]:
    begin = 0
    for size in _AT_ONCE:
        while len(rows) - begin >= size:
            yield rows[begin : begin + size]
            begin += size
