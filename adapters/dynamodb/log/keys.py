"""
Where everything of one application's log lies in the table.

    item          PK                               SK
    log batch     L#<app>#<epoch>#<lane>#<block>   first position (+ part / 1000)
    block         B#<app>#<epoch>#<lane>           block
    stream span   S#<app>#<stream>                 first version; 0 for a stream's first span
    tracking      T#<app>#<upstream>               0
    snapshot      N#<app>#<purpose>#<stream>       version
    identity      I#<app>                          0
    lease         W#<app>#<epoch>#<lane>           0
    work's lease  W#<app>#<work>                   0

The block of a batch follows from its first position alone, so that no two writers can ever
disagree about the key of the next position. Epoch and lane leave room: failover may open a new
epoch, more lanes may write side by side. What precedes the last part of a key is quoted, so that
no two names make the same key.
"""

from decimal import Decimal
from urllib.parse import quote

from attrs import field, frozen

from adapters.dynamodb.items.typed_values import Key

LONGEST_PK = 2048
_PARTS = 1000


@frozen
class Keys:
    """The keys of one application's log."""

    application: str
    block_size: int = 1_000_000
    epoch: int = 1
    lane: int = 0
    app: str = field(init=False)

    @app.default
    def _quoted(self) -> str:
        return quote(self.application, safe="")

    @property
    def _lane(self) -> str:
        return f"{self.app}#{self.epoch}#{self.lane}"

    # The log.

    def block_of(self, position: int) -> int:
        return (position - 1) // self.block_size

    def block(self, number: int) -> str:
        return f"L#{self._lane}#{number}"

    def batch(self, first: int, part: int = 0) -> Key:
        return Key(self.block(self.block_of(first)), part_key(first, part))

    @property
    def blocks(self) -> str:
        return f"B#{self._lane}"

    @property
    def identity(self) -> Key:
        return Key(f"I#{self.app}", Decimal(0))

    @property
    def lease(self) -> Key:
        return Key(f"W#{self._lane}", Decimal(0))

    # Around it.

    def work(self, name: str) -> Key:
        """The lease of a piece of work; quoted, so that it is never the log's own."""
        return Key(f"W#{self.app}#{quote(name, safe='/')}", Decimal(0))

    def stream(self, stream: str) -> str:
        """Raises ValueError for a stream id that DynamoDB cannot keep."""
        pk = f"S#{self.app}#{stream}"
        if len(pk.encode()) > LONGEST_PK:
            raise ValueError(f"a stream id of {len(stream)} characters is too long: {stream[:40]}…")
        return pk

    def span(self, stream: str, first_version: int) -> Key:
        """A stream begins at version 0 or 1: its first span lies at 0 either way."""
        return Key(self.stream(stream), first_version)

    def tracking(self, upstream: str) -> Key:
        return Key(f"T#{self.app}#{upstream}", Decimal(0))

    def snapshots(self, purpose: str, stream: str) -> str:
        return f"N#{self.app}#{quote(purpose, safe='')}#{stream}"


def part_key(first: int, part: int) -> Decimal:
    """Parts of one batch lie between its first position and the next whole number."""
    return first + Decimal(part) / _PARTS


def part_of(sort_key: Decimal) -> tuple[int, int]:
    """First position and part."""
    first = int(sort_key)
    return first, int((sort_key - first) * _PARTS)
