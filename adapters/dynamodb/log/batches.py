"""
A log batch: what one transaction added to the log, as one item or several consecutive ones.

    n       how many events         at     when they were recorded, milliseconds since 1970
    id      the batch's own id      e      the packed events, or this part of them
    parts   how many items, if more than one
    blob    where the packed events are, if they were too large for the table

A reader may see some items of a transaction before the others: a batch counts only once all its
parts are there.
"""

from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

from adapters.dynamodb.items.typed_values import (
    binary,
    bytes_of,
    decimal_of,
    int_of,
    number,
    text,
    text_of,
)
from adapters.dynamodb.log.keys import Keys, part_of
from adapters.dynamodb.log.packing import Damaged, Placed, unpack
from adapters.dynamodb.transport.transport import Item
from adapters.eventstore.log import LogEntry
from adapters.eventstore.milliseconds import moment
from adapters.row_layouts.catalogue import SK

PART_BYTES = 350_000
MOST_PARTS = 10


@frozen
class Batch:
    """`content` is empty while the events lie in the blob of that name."""

    first: int
    n: int
    ms: int
    batch_id: bytes
    content: bytes
    blob: str | None = None

    @property
    def last(self) -> int:
        return self.first + self.n - 1

    @property
    def where(self) -> str:
        return place(self.first, self.n, self.ms, self.batch_id)

    def entries(self) -> list[LogEntry]:
        """Raises Damaged if these are not the events that were stored."""
        placed = unpack(self.content, self.where)
        if len(placed) != self.n:
            raise Damaged(self.where, f"it holds {len(placed)} events")
        return to_entries(placed, self.first, self.ms)

    def items(self, keys: Keys) -> list[Item]:
        pieces = _cut(self.content)
        return [
            {
                **keys.batch(self.first, part).item(),
                "n": number(self.n),
                "at": number(self.ms),
                "id": binary(self.batch_id),
                **({"parts": number(len(pieces))} if len(pieces) > 1 else {}),
                **({"blob": text(self.blob)} if self.blob else {"e": binary(piece)}),
            }
            for part, piece in enumerate(pieces)
        ]


def parts(content: bytes) -> int:
    """How many items the packed events take."""
    return len(_cut(content))


def place(first: int, n: int, ms: int, batch_id: bytes) -> str:
    """What the checksum of a batch covers besides its events."""
    return f"batch {batch_id.hex()} of {n} at {first}, {ms} ms"


def to_entries(placed: Iterable[Placed], first: int, ms: int) -> list[LogEntry]:
    at = moment(ms)
    return [
        LogEntry(
            first + one.offset,
            at,
            one.event.stream,
            one.event.version,
            one.event.name,
            one.event.data,
            one.event.event_id,
            one.event.meta,
        )
        for one in placed
    ]


def whole_batches(items: Iterable[Item]) -> Iterator[Batch]:
    """The batches whose parts are all there, up to the first that is not whole.

    Items must come in the order of the log. Gaps between batches are not looked for.
    """
    held: list[Item] = []
    for item in items:
        first, part = part_of(decimal_of(item, SK))
        if part != len(held) or (held and first != _first(held)):
            return
        held.append(item)
        if len(held) == _count(item):
            yield _joined(held)
            held = []


def last_position(item: Item) -> int:
    """Where the batch ends that the item is a part of."""
    first, _ = part_of(decimal_of(item, SK))
    return first + int_of(item, "n") - 1


def _joined(parts: Sequence[Item]) -> Batch:
    one = parts[0]
    return Batch(
        first=_first(parts),
        n=int_of(one, "n"),
        ms=int_of(one, "at"),
        batch_id=bytes_of(one, "id"),
        content=b"".join(bytes_of(part, "e") for part in parts if "e" in part),
        blob=text_of(one, "blob") if "blob" in one else None,
    )


def _first(parts: Sequence[Item]) -> int:
    return part_of(decimal_of(parts[0], SK))[0]


def _count(item: Item) -> int:
    return int_of(item, "parts") if "parts" in item else 1


def _cut(content: bytes) -> list[bytes]:
    starts = range(0, max(len(content), 1), PART_BYTES)
    return [content[start : start + PART_BYTES] for start in starts]
