"""
A stream span: the events that one transaction added to one stream.

    first   its first version, only in a stream's first span (which lies at sort key 0)
    last    its last version
    p       the first position of the batch that holds the events
    at, e   when they were recorded, and the packed events, if they are small

A stream's spans follow each other without gaps: the next one must lie at `last + 1`. That makes
"put if absent there" a check of the version, and nothing more needs to be asked.
"""

from collections.abc import Sequence

from attrs import frozen

from adapters.dynamodb.items.item_sizes import item_size
from adapters.dynamodb.items.typed_values import Key, binary, bytes_of, int_of, number
from adapters.dynamodb.log.batches import to_entries
from adapters.dynamodb.log.packing import Placed, pack, unpack
from adapters.dynamodb.transport.transport import Item
from adapters.eventstore.log import LogEntry
from adapters.row_layouts.catalogue import SK

ONE_UNIT = 1024
"""An item up to this size costs one unit to write: events that fit are kept inline."""

MOST_AROUND = 125
"""Bytes that names and numbers of a span take at most."""


@frozen
class Span:
    first: int
    last: int
    batch: int
    ms: int = 0
    content: bytes | None = None
    """Nothing when the events are only in the log."""
    begins: bool = False
    """Whether the stream begins with it."""

    def entries(self, stream: str) -> list[LogEntry]:
        """The inline events. Raises Damaged if they are not what was stored."""
        placed = unpack(self.content or b"", _place(stream, self.batch, self.ms))
        return to_entries(placed, self.batch, self.ms)


def span_item(key: Key, stream: str, placed: Sequence[Placed], *, batch: int, ms: int) -> Item:
    """The item for events of one stream, versions ascending."""
    first, last = placed[0].event.version, placed[-1].event.version
    item = key.item()
    item["last"] = number(last)
    item["p"] = number(batch)
    if key.sk == 0:
        item["first"] = number(first)
    # What is surely too large is not packed in vain.
    if sum([len(one.event.data) for one in placed]) <= 4 * ONE_UNIT:
        content = pack(placed, _place(stream, batch, ms))
        full = {**item, "at": number(ms), "e": binary(content)}
        # Mostly it is not close, and counting exactly takes a quarter of the time of a span.
        if len(key.pk.encode()) + len(content) + MOST_AROUND <= ONE_UNIT:
            return full
        if item_size(full) <= ONE_UNIT:
            return full
    return item


def read_span(item: Item) -> Span:
    first = int_of(item, "first") if "first" in item else int_of(item, SK)
    inline = "e" in item
    return Span(
        first=first,
        last=int_of(item, "last"),
        batch=int_of(item, "p"),
        ms=int_of(item, "at") if inline else 0,
        content=bytes_of(item, "e") if inline else None,
        begins="first" in item,
    )


def _place(stream: str, batch: int, ms: int) -> str:
    return f"span of {stream} from batch {batch}, {ms} ms"
