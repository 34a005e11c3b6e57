"""What must hold from one batch to the next, and which spans follow from the batches."""

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter

from attrs import define, field

from adapters.dynamodb.log_maintenance.batch_walk import Announced, Met
from adapters.dynamodb.log_maintenance.remedies import AnnounceBlock
from adapters.dynamodb.log_maintenance.span_ledger import SpanLedger
from adapters.eventstore.continuity import Continuity, gap
from adapters.eventstore.inspection.inspector import Finding, Kind


@define
class BatchChecks:
    entries: Continuity
    ledger: SpanLedger
    announced: Announced
    reached: int = 0
    _firsts: dict[int, int] = field(factory=dict)
    """The first position that was met in each block."""

    def after(self, met: Met) -> Iterator[Finding]:
        yield from self._place(met)
        if met.kind is not None:
            yield Finding(met.kind, f"batch at {met.first}", met.what)
        self.ledger.add_batch(met.first, sound=met.kind is None)
        self._want_spans(met)
        # Gaps between batches are told already.
        self.entries.position = met.first - 1
        for entry in met.entries:
            yield from self.entries.after(entry)
        self._firsts.setdefault(met.block, met.first)
        self.reached = max(self.reached, met.first if met.last is None else met.last)

    def blocks(self) -> Iterator[Finding]:
        """Blocks are found by an item that announces them."""
        for at, what in self.announced.damaged.items():
            begins = [
                AnnounceBlock(*one, is_taken=True) for one in self._firsts.items() if one[0] == at
            ]
            yield Finding(Kind.DAMAGED_BLOCK, f"block {at}", what, begins[0] if begins else None)
        for block, first in self._firsts.items():
            if block not in self.announced.blocks:
                what = f"it begins at {first}, and is not announced"
                yield Finding(
                    Kind.MISSING_BLOCK, f"block {block}", what, AnnounceBlock(block, first)
                )
        for block in sorted(self.announced.firsts.keys() - self._firsts.keys()):
            what = f"it is announced from {self.announced.firsts[block]} on, and empty"
            yield Finding(Kind.GAP, f"block {block}", what)

    def _place(self, met: Met) -> Iterator[Finding]:
        if met.first > self.reached + 1:
            yield gap(self.reached + 1, met.first - 1)
        elif met.first <= self.reached:
            what = f"the one before ends at {self.reached}"
            yield Finding(Kind.OVERLAP, f"batch at {met.first}", what)

    def _want_spans(self, met: Met) -> None:
        of_stream = attrgetter("stream")
        for stream, entries in groupby(sorted(met.entries, key=of_stream), key=of_stream):
            held = list(entries)
            begins = self.entries.seen.last_version(stream) is None and held[0].version <= 1
            self.ledger.add_wanted(stream, 0 if begins else held[0].version, met.first, held)
