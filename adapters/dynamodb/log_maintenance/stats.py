"""How much a DynamoDB log holds: one scan of its table, at half price."""

from attrs import define, field

from adapters.dynamodb.items.item_sizes import item_size
from adapters.dynamodb.items.scanning import scan
from adapters.dynamodb.items.typed_values import decimal_of, int_of, text_of
from adapters.dynamodb.log.batches import last_position
from adapters.dynamodb.log.keys import Keys, part_of
from adapters.dynamodb.log_reading.log_reader import LogReader
from adapters.dynamodb.transport.transport import Item
from adapters.eventstore.inspection.progress import Progress
from adapters.eventstore.log_stats import End, LogStats
from adapters.eventstore.milliseconds import moment
from adapters.row_layouts.catalogue import PK, SK


async def dynamo_stats(reader: LogReader, progress: Progress) -> LogStats:
    counted, items = Counted(reader.keys), 0
    progress.begin("reading the table")
    async for page in scan(reader.table, strong=False):
        for item in page:
            counted.add(item)
        items += len(page)
        progress.reached(items)
    return counted.stats()


@define
class Counted:
    """What was seen of one application's items; those of others do not count."""

    keys: Keys
    events: int = 0
    batches: int = 0
    batch_items: int = 0
    batch_bytes: int = 0
    spans: int = 0
    span_bytes: int = 0
    streams: int = 0
    snapshots: int = 0
    blocks: int = 0
    first: End | None = None
    last: End | None = None
    _blocks: str = field(init=False)
    _snapshots: str = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._blocks = self.keys.block(0).removesuffix("0")
        self._snapshots = self.keys.snapshots("", "").removesuffix("#")

    def add(self, item: Item) -> None:
        pk = text_of(item, PK)
        if pk.startswith(self._blocks):
            self._batch(item)
        elif pk.startswith(self.keys.stream("")):
            self.spans += 1
            self.span_bytes += item_size(item)
            # A stream's first span lies at 0.
            self.streams += decimal_of(item, SK) == 0
        elif pk.startswith(self._snapshots):
            self.snapshots += 1
        elif pk == self.keys.blocks:
            self.blocks += 1

    def _batch(self, item: Item) -> None:
        self.batch_items += 1
        self.batch_bytes += item_size(item)
        first, part = part_of(decimal_of(item, SK))
        if part:
            return
        self.batches += 1
        self.events += int_of(item, "n")
        at = moment(int_of(item, "at"))
        if self.first is None or first < self.first.position:
            self.first = End(first, at)
        if self.last is None or last_position(item) > self.last.position:
            self.last = End(last_position(item), at)

    def stats(self) -> LogStats:
        parts = {
            "batches": self.batches,
            "batch items": self.batch_items,
            "blocks": self.blocks,
            "spans": self.spans,
            "span bytes": self.span_bytes,
        }
        return LogStats(
            events=self.events,
            streams=self.streams,
            bytes=self.batch_bytes,
            snapshots=self.snapshots,
            first=self.first,
            last=self.last,
            parts=parts,
        )
