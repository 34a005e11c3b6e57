"""
Recent evidence in a SQLite file of its own.

    evidence_id  dataset_urn  created_at  ttl               row              told
    evd-01H…     urn:dp:…:v1  2026-01-…Z  (null if pinned)  as in a segment  …

The first four are attributes of `observability-evidence-cache`; the row is that of the archive.
What most readers are told is made once, when evidence is put, and handed on as it is. Both have a
checksum: SQLite has none, and what was changed may well look right. Reads run at once on the
caller's thread; writes are jobs of the file's own writer.
"""

import asyncio
from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any, TypeVar
from zlib import crc32

import apsw
import orjson
from attrs import define, field

from adapters.evidence_archive.rows import from_row, to_row
from adapters.row_layouts.evidence_rows import end_of, place_after, second, span
from adapters.sqlite.connection.database import Database, Job
from adapters.sqlite.evidence.file import SPOILT, EvidenceFile, Looking
from adapters.sqlite.evidence.id_walk import (
    MOST_ID,
    MOST_ROW,
    SLICE,
    Keyed,
    Tree,
    all_ids,
    id_of,
    number_of,
    told_as_id,
)
from application.errors import Damaged, Unavailable
from application.evidence.archive import EvidenceAsked
from application.evidence.cache import Telling
from application.ports.clock import Clock
from application.reads.paging import Page, PageRequest
from domain.evidence.evidence import Evidence
from domain.ids import EvidenceId
from domain.retention import KEPT_FOR
from domain.timestamps import stamp

T = TypeVar("T")

PREPARED = 100
"""Rows that are made at once, in 2 ms."""

# What has ended counts as gone: the same id may be put again.
_PUT = """
    INSERT INTO evidence VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
    ON CONFLICT (evidence_id) DO UPDATE SET
        dataset_urn = excluded.dataset_urn, created_at = excluded.created_at,
        ttl = excluded.ttl, "row" = excluded."row", row_checksum = excluded.row_checksum,
        told = excluded.told, told_checksum = excluded.told_checksum
    WHERE evidence.ttl <= ?9
"""
_ALIVE = "(ttl IS NULL OR ttl > ?2)"
_WANTED = "evidence_id IN (SELECT value FROM json_each(?1))"
_ROW = 'evidence_id, dataset_urn, created_at, "row", row_checksum'
_NAMED = f"SELECT {_ROW} FROM evidence WHERE {_WANTED} AND {_ALIVE}"
_TOLD = f"SELECT evidence_id, told, told_checksum FROM evidence WHERE {_WANTED} AND {_ALIVE}"
_THERE = f"SELECT evidence_id FROM evidence WHERE {_WANTED} AND {_ALIVE}"
_PIN_PUT = f"UPDATE evidence SET ttl = NULL WHERE {_WANTED}"
_PIN = f"UPDATE evidence SET ttl = NULL WHERE {_WANTED} AND ttl > ?2"
# As bytes, whatever it is: text that is none would fail for all that are asked for.
_PINNED = f"""
    SELECT evidence_id, CAST(dataset_urn AS BLOB), CAST(created_at AS BLOB),
        CAST("row" AS BLOB), row_checksum FROM evidence
    WHERE {_WANTED} AND ttl IS NULL
"""
_UNPIN = "UPDATE evidence SET ttl = ?2 WHERE evidence_id = ?1"
_DROP = "DELETE FROM evidence WHERE evidence_id = ?"
_OF_DATASET = f"""
    SELECT {_ROW} FROM evidence
    WHERE dataset_urn = ?1 AND created_at BETWEEN ?3 AND ?4
      AND (created_at, evidence_id) < (?5, ?6) AND {_ALIVE}
    ORDER BY created_at DESC, evidence_id DESC LIMIT ?7
"""
_IDS = f"""
    SELECT rowid, CAST(evidence_id AS BLOB) FROM evidence NOT INDEXED
    WHERE rowid > ?1 AND rowid <= ?3 AND {_ALIVE} ORDER BY rowid LIMIT ?4
"""
# Whether it has ended only the row tells.
_IDS_OF_INDEX = """
    SELECT rowid, CAST(evidence_id AS BLOB) FROM evidence INDEXED BY sqlite_autoindex_evidence_1
    WHERE evidence_id > ?1 AND evidence_id <= ?2 ORDER BY evidence_id LIMIT ?3
"""
_SWEEP = """
    DELETE FROM evidence WHERE rowid IN (SELECT rowid FROM evidence WHERE ttl <= ? LIMIT ?)
"""

_BEYOND = ("\U0010ffff", "")
"""After every place."""

Bindings = tuple[Any, ...]
Rows = list[tuple[Any, ...]]


@define
class SqliteEvidenceCache:
    """The file is opened when it is first needed."""

    file: EvidenceFile
    clock: Clock
    telling: Telling
    kept_for: timedelta = KEPT_FOR.evidence
    _opened: Database | None = field(default=None, init=False)
    _damage: str | None = field(default=None, init=False)
    """What is known to be wrong with the file itself."""

    def open(self) -> None:
        """Raises Unavailable if no file can be opened."""
        self._database()

    def close(self) -> None:
        """Store what waits, then let go of the file."""
        if self._opened is not None:
            self._opened.close()

    # Writing.

    async def put(
        self, evidence: Sequence[Evidence], *, pinned: Collection[EvidenceId] = ()
    ) -> None:
        pinned = frozenset(pinned)
        for some in _slices(evidence):
            await self._put(some, [one.evidence_id for one in some if one.evidence_id in pinned])

    async def _put(self, evidence: Sequence[Evidence], pinned: Sequence[EvidenceId]) -> None:
        rows = await self._all_bindings(evidence)

        def job(connection: apsw.Connection) -> None:
            connection.executemany(_PUT, rows)
            if pinned:
                connection.execute(_PIN_PUT, (_json(pinned),))

        await self._write(job)

    async def pin(self, ids: Collection[EvidenceId]) -> Collection[EvidenceId]:
        asked = (_json(ids), self._second())

        def job(connection: apsw.Connection) -> set[EvidenceId]:
            there: Rows = connection.execute(_THERE, asked).fetchall()
            connection.execute(_PIN, asked)
            return set(ids) - {EvidenceId(name) for (name,) in there}

        return await self._write(job)

    async def unpin(self, ids: Collection[EvidenceId]) -> None:
        asked = (_json(ids),)

        def job(connection: apsw.Connection) -> None:
            pinned: Rows = connection.execute(_PINNED, asked).fetchall()
            ends = {row[0]: self._end(row) for row in pinned}
            connection.executemany(_UNPIN, [(name, end) for name, end in ends.items() if end])
            # The archive has what is damaged, and nobody else shall wait for it.
            connection.executemany(_DROP, [(name,) for name, end in ends.items() if not end])

        await self._write(job)

    async def drop(self, ids: Collection[EvidenceId]) -> None:
        names = [(name,) for name in ids]
        await self._write(lambda connection: _done(connection.executemany(_DROP, names)))

    def _end(self, row: tuple[Any, ...]) -> int | None:
        """Nobody knows of what is damaged."""
        name, dataset, created_at, *rest = row
        place = (_text(dataset), _text(created_at))
        try:
            return end_of(_evidence(name, *place, *rest), self.kept_for)
        except Damaged:
            return None

    async def sweep(self) -> int:
        """A slice at a time."""
        now = self._second()

        def job(connection: apsw.Connection) -> int:
            connection.execute(_SWEEP, (now, SLICE))
            return connection.changes()

        gone = last = await self._write(job)
        while last == SLICE:
            gone += (last := await self._write(job))
        return gone

    async def clear(self) -> None:
        """A new file takes the place of the old one, of which anything may be damaged. Then that
        is moved aside: it may have what the archive has not.

        Readers are on this thread as well, so that none of them sees half of it.
        """
        because = self._damage
        with suppress(Damaged):
            await self.check()
        opened, self._opened = self._opened, None
        if opened is not None:
            opened.close()
        self._opened = self.file.begun_anew(because=self._damage or because)
        self._damage = None

    @property
    def is_suspect(self) -> bool:
        return self._damage is not None

    async def check(self) -> None:
        with self._damage_told():
            self._database()
        looking = Looking(self.file)
        try:
            faults = await asyncio.to_thread(looking.faults)
        finally:
            # Whoever does not wait for it any more need not wait for its end either.
            looking.interrupt()
        for because in faults:
            raise self._damaged(because)
        self._damage = None

    async def _write(self, job: Job[T]) -> T:
        with self._damage_told():
            return await self._database().write(job)

    async def _all_bindings(self, evidence: Sequence[Evidence]) -> Sequence[Bindings]:
        now, rows = self._second(), list[Bindings]()
        for start in range(0, len(evidence), PREPARED):
            if start:
                await asyncio.sleep(0)  # Others of the event loop have their turn.
            rows += (self._bindings(one, now) for one in evidence[start : start + PREPARED])
        return rows

    def _bindings(self, one: Evidence, now: int) -> Bindings:
        end = end_of(one, self.kept_for)
        place = (one.evidence_id, one.dataset, stamp(one.created_at), end)
        row, told = orjson.dumps(to_row(one)), self.telling(one)
        return *place, row, _checksum(place[0], row), told, _checksum(place[0], told), now

    # Reading.

    async def named(self, ids: Collection[EvidenceId]) -> Mapping[EvidenceId, Evidence]:
        found = dict[EvidenceId, Evidence]()
        async for rows in self._read(_NAMED, ids):
            found |= {row[0]: _evidence(*row) for row in rows}
        return found

    async def told(self, ids: Collection[EvidenceId]) -> Mapping[EvidenceId, bytes]:
        found = dict[EvidenceId, bytes]()
        async for rows in self._read(_TOLD, ids):
            found |= {row[0]: _whole(*row) for row in rows}
        return found

    async def _read(self, sql: str, ids: Collection[EvidenceId]) -> AsyncIterator[Rows]:
        now = self._second()
        for number, some in enumerate(_slices(list(ids))):
            if number:
                await asyncio.sleep(0)  # Others of the event loop have their turn.
            yield self._rows(sql, (_json(some), now))

    def _rows(self, sql: str, bindings: Bindings) -> Rows:
        with self._damage_told():
            return self._database().rows(sql, bindings)

    @contextmanager
    def _damage_told(self) -> Iterator[None]:
        """What is wrong with the file itself is damage, and does not pass."""
        try:
            yield
        except UnicodeDecodeError as error:
            because = f"it has text that is none: {error}"
            raise Damaged("a row of the evidence cache", because) from error
        except apsw.SQLError as error:
            raise self._damaged(str(error)) from error
        except Unavailable as error:
            if isinstance(error.__cause__, SPOILT):
                raise self._damaged(error.because) from error
            raise

    def _damaged(self, because: str) -> Damaged:
        self._damage = because
        return Damaged("the file of the evidence cache", because)

    async def of_dataset(self, asked: EvidenceAsked, page: PageRequest) -> Page[Evidence]:
        first, last = span(asked)
        before = place_after(page) or _BEYOND
        bindings = (asked.dataset, self._second(), first, last, *before, page.size + 1)
        found = self._rows(_OF_DATASET, bindings)
        shown = found[: page.size]
        places = [(created_at, name) for name, _, created_at, *_ in shown]
        more = places[-1] if len(found) > len(shown) else None
        return Page([_evidence(*row) for row in shown], more, places)

    async def ids(self) -> AsyncIterator[Sequence[EvidenceId]]:
        table, index = Tree(self._in_table, MOST_ROW), Tree(self._in_index, MOST_ID)
        async for ids in all_ids(table, index, is_suspect=self.is_suspect):
            yield ids

    def _in_table(self, low: int, high: int, most: int) -> Keyed:
        rows = self._rows(_IDS, (low, self._second(), high, most))
        return [(number, (number, told_as_id(name))) for number, name in rows]

    def _in_index(self, low: int, high: int, most: int) -> Keyed:
        rows = self._rows(_IDS_OF_INDEX, (id_of(low), id_of(high), most))
        try:
            return [(number_of(name.decode()), (number, told_as_id(name))) for number, name in rows]
        except ValueError as error:
            raise Damaged("the file of the evidence cache", f"an id is none: {error}") from error

    def _second(self) -> int:
        return second(self.clock.now())

    def _database(self) -> Database:
        if self._opened is None:
            self._opened = self.file.opened()
        return self._opened


def _evidence(
    name: str, dataset: object, created_at: object, row: object, checksum: object
) -> Evidence:
    """What lies under a dataset and a moment must be of both."""
    one = from_row(orjson.loads(_whole(name, row, checksum)))
    if (one.dataset, stamp(one.created_at)) != (dataset, created_at):
        raise Damaged(f"{name} in the evidence cache", "it lies where another belongs")
    return one


def _text(stored: Any) -> str:
    return stored.decode(errors="replace") if isinstance(stored, bytes) else ""


def _whole(name: object, stored: object, checksum: object) -> bytes:
    # A damaged file may hold anything, whatever its schema says.
    if isinstance(name, str) and isinstance(stored, bytes) and _checksum(name, stored) == checksum:
        return stored
    raise Damaged(f"{name} in the evidence cache", "its checksum differs")


def _checksum(name: str, stored: bytes) -> int:
    """Of the id as well: it is read from an index, which may lead to the row of another."""
    return crc32(stored, crc32(name.encode()))


def _done(cursor: apsw.Cursor) -> None:
    cursor.fetchall()


def _json(ids: Iterable[EvidenceId]) -> str:
    return orjson.dumps(list(ids)).decode()


def _slices(whole: Sequence[T]) -> Iterable[Sequence[T]]:
    return (whole[at : at + SLICE] for at in range(0, len(whole), SLICE))
