"""
The spans that are there, against those that the batches speak of.

Both are kept in a scratch database: there are as many as there were appends.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence

import apsw
from attrs import define, frozen

from adapters.dynamodb.items.typed_values import decimal_of
from adapters.dynamodb.log.packing import Damaged
from adapters.dynamodb.log.spans import Span, read_span
from adapters.dynamodb.transport.transport import Item
from adapters.eventstore.log import LogEntry
from adapters.eventstore.milliseconds import milliseconds
from adapters.row_layouts.catalogue import SK

_LARGEST = 2**63 - 1
"""What SQLite counts up to."""
_CREATE = (
    """
    CREATE TABLE found (stream TEXT, sk, first INTEGER, last INTEGER, p INTEGER,
        digest BLOB, trouble TEXT, PRIMARY KEY (stream, sk)) WITHOUT ROWID
    """,
    """
    CREATE TABLE wanted (stream TEXT, sk, first INTEGER, last INTEGER, p INTEGER,
        digest BLOB, PRIMARY KEY (stream, sk)) WITHOUT ROWID
    """,
    "CREATE TABLE batches (first INTEGER PRIMARY KEY, sound INTEGER)",
)
_DIFFERENT = """
    SELECT w.stream, w.sk, w.first, w.last, w.p, f.first, f.last, f.p,
        coalesce(b.sound, 0), f.trouble
    FROM wanted w LEFT JOIN found f ON f.stream = w.stream AND f.sk = w.sk
    LEFT JOIN batches b ON b.first = f.p
    WHERE f.sk IS NULL OR f.trouble IS NOT NULL
        OR (f.first, f.last, f.p) IS NOT (w.first, w.last, w.p)
        OR (f.digest IS NOT NULL AND f.digest IS NOT w.digest)
    ORDER BY w.p, w.stream
"""
_UNWANTED = """
    SELECT f.stream, f.sk, f.first, f.last, f.p, b.sound, f.trouble
    FROM found f LEFT JOIN wanted w ON f.stream = w.stream AND f.sk = w.sk
    LEFT JOIN batches b ON b.first = f.p
    WHERE w.sk IS NULL AND b.sound IS NOT 0
    ORDER BY f.p, f.stream
"""


@frozen
class SpanAt:
    """A span, by what it says of itself."""

    stream: str
    sk: int
    first: int
    last: int
    batch: int


@frozen
class Different:
    """A span that the batches speak of, and what lies at its key, as far as it can be read."""

    wanted: SpanAt
    found: SpanAt | None
    found_is_elsewhere_too: bool
    """Whether the batch that the one there names is sound: then nothing is lost with it."""
    trouble: str | None


@frozen
class Unwanted:
    """A span that no batch speaks of."""

    span: SpanAt
    has_batch: bool
    """Whether there is a sound batch where it points to."""
    trouble: str | None


@define
class SpanLedger:
    connection: apsw.Connection

    def __attrs_post_init__(self) -> None:
        for statement in _CREATE:
            self.connection.execute(statement)

    def add_found(self, stream: str, item: Item) -> None:
        at = decimal_of(item, SK)
        if at != int(at) or abs(at) > _LARGEST:
            self._found(stream, str(at), None, None, "its sort key is no version")
            return
        sk = int(at)
        try:
            span = read_span(item)
        except (LookupError, TypeError, ValueError) as error:
            self._found(stream, sk, None, None, f"malformed: {error!r}")
            return
        if max(abs(span.first), abs(span.last), abs(span.batch)) > _LARGEST:
            self._found(stream, sk, None, None, "its numbers are no versions or positions")
            return
        try:
            digest = None if span.content is None else _digest(span.entries(stream))
        except Damaged as error:
            self._found(stream, sk, span, None, error.reason)
        else:
            self._found(stream, sk, span, digest, None)

    def add_batch(self, first: int, *, sound: bool) -> None:
        self.connection.execute("INSERT OR IGNORE INTO batches VALUES (?, ?)", (first, sound))

    def add_wanted(self, stream: str, sk: int, batch: int, entries: Sequence[LogEntry]) -> None:
        ends = (entries[0].version, entries[-1].version)
        row = (stream, sk, *ends, batch, _digest(entries))
        self.connection.execute("INSERT OR IGNORE INTO wanted VALUES (?, ?, ?, ?, ?, ?)", row)

    def different(self) -> Iterator[Different]:
        rows = self.connection.execute(_DIFFERENT)
        for stream, sk, first, last, p, f_first, f_last, f_p, sound, trouble in rows:
            yield Different(
                SpanAt(stream, sk, first, last, p),
                None if f_p is None else SpanAt(stream, sk, f_first, f_last, f_p),
                bool(sound),
                trouble,
            )

    def unwanted(self) -> Iterator[Unwanted]:
        for stream, sk, first, last, p, sound, trouble in self.connection.execute(_UNWANTED):
            yield Unwanted(SpanAt(stream, sk, first, last, p), bool(sound), trouble)

    def _found(
        self,
        stream: str,
        sk: int | str,
        span: Span | None,
        digest: bytes | None,
        trouble: str | None,
    ) -> None:
        ends = (span.first, span.last, span.batch) if span else (None, None, None)
        row = (stream, sk, *ends, digest, trouble)
        self.connection.execute("INSERT INTO found VALUES (?, ?, ?, ?, ?, ?, ?)", row)


def _digest(entries: Iterable[LogEntry]) -> bytes:
    """The same for the same events, however they were compressed."""
    digest = hashlib.blake2b(digest_size=16)
    for e in entries:
        parts = (e.name.encode(), e.data, e.event_id, e.meta)
        numbers = (e.position, milliseconds(e.recorded_at), e.version, *map(len, parts))
        digest.update(repr(numbers).encode())
        for part in parts:
            digest.update(part)
    return digest.digest()
