"""
A table engine: puts, gets and queries rows. SQLite and DynamoDB hold the same ones.

A row is a plain dictionary of JSON values. Its key attributes are those of its table in the
catalogue; `position` tells which fact of the log wrote it. A number may come back as another kind
of the same value, 1.0 as 1: whoever needs a kind asks for it.

Reads may show what was there a moment ago, never what was not, unless they are `strong`: then they
show all that was written before. An engine that always does need not tell the difference.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypedDict, Unpack

from attrs import define, frozen

from adapters.row_layouts.catalogue import Table
from application.errors import Unavailable

Row = Mapping[str, Any]

ASIDE = "(beside the row)"
"""What a scan adds to a row that does not agree with what its engine keeps beside it."""


@define
class Unreadable(Unavailable):
    """A row is there, and damaged."""


@frozen
class RowKey:
    table: str
    pk: str
    sk: str = ""


@frozen
class Put:
    """Write the row unless the one that is there was written at the same or a later position."""

    table: str
    row: Row


@frozen
class Delete:
    """Take the row away unless it was written at a later position than this.

    Whether a row of an earlier position may be put afterwards is the engine's own matter: no fold
    does so.
    """

    key: RowKey
    position: int


@frozen
class RowPage:
    """Rows in order, and after which row to go on; nothing when there are no more."""

    rows: Sequence[Row]
    next: tuple[str, ...] | None = None


class Which(TypedDict, total=False):
    """Which rows of a partition are wanted, and in which order; all of them, if nothing is said."""

    begins_with: str
    descending: bool
    limit: int | None
    after: tuple[str, ...] | None


class RowReads(Protocol):
    """Finds rows by their keys."""

    async def get(self, keys: Sequence[RowKey], *, strong: bool = False) -> Sequence[Row]:
        """The rows there are under the keys, in no order."""
        ...

    async def query(
        self, table: str, pk: str, *, strong: bool = False, **which: Unpack[Which]
    ) -> RowPage:
        """Rows of one partition in the order of their sort keys."""
        ...

    async def query_many(
        self, table: str, pks: Sequence[str], *, limit: int, strong: bool = False
    ) -> RowPage:
        """Rows of several different partitions, one partition after the other, each in order.

        At most so many altogether; `next` only tells that there are more.
        """
        ...

    async def query_index(
        self, table: str, index: str, hash_key: str, **which: Unpack[Which]
    ) -> RowPage:
        """Rows of one index partition in the order of the index's sort key, then the row's key."""
        ...


class RowWrites(Protocol):
    """Changes the rows of a projection, together with how far it has gone."""

    async def write(
        self,
        projection: str,
        changes: Sequence[Put | Delete],
        *,
        upto: int,
        copies: Sequence[Put | Delete] = (),
        remembered: Sequence[Put | Delete] = (),
    ) -> None:
        """Apply the changes, and keep how far the projection has gone.

        The copies are there before the changes, which they were copied from. The remembered ones,
        which later folds start from, move together with the progress, all or nothing, and not
        before the others are there. If a write ends half done, the same facts folded again from
        `reached` lead to the same rows.

        Raises:
            TooMuchAtOnce: So many remembered ones cannot move together; nothing was written.
            Unavailable: Not all can be written now, and the progress has not moved, or may have.
        """
        ...

    async def reached(self, projection: str) -> int:
        """How far the projection has gone; 0 when it never started."""
        ...

    async def forget(self, projection: str) -> None:
        """Remember nothing of how far the projection has gone, as if it had never started."""
        ...


class RowStore(RowReads, RowWrites, Protocol):
    """Rows under the names of the catalogue, read and written."""


class TableEngine(RowStore, Protocol):
    """All that an engine does: also what maintenance needs of whole tables."""

    async def scan(
        self, table: str, *, limit: int, after: tuple[str, ...] | None = None
    ) -> RowPage:
        """Rows of the whole table, each once, in an order of the engine's own.

        For those who compare or copy everything; no question is answered this way. Damage is told
        with the row (`ASIDE`) where an engine can see it.
        """
        ...

    async def ensure(self, tables: Sequence[Table]) -> None:
        """Make the tables that are not there yet, and know them from now on.

        Those of the catalogue are known from the start.
        """
        ...

    async def drop(self, tables: Sequence[Table]) -> None:
        """Take the tables away with all that is in them; what is not there is no error."""
        ...
