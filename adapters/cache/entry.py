"""What a cache keeps: rows as they were read, and how far the table was then."""

from collections.abc import Sequence
from datetime import datetime

from attrs import frozen

from adapters.row_layouts.engine import Row
from application.projections.progress import Reached


@frozen
class Entry:
    """Rows under one name, sealed as they are in their table: who is erased stays erased.

    All facts up to the position are in them, maybe later ones, too.
    """

    rows: Sequence[Row]
    reached: Reached
    read_at: datetime

    @property
    def position(self) -> int:
        return self.reached.position


@frozen
class Copy:
    """An entry, and whether nothing is known to have changed since: if not, it is stale."""

    entry: Entry
    fresh: bool
