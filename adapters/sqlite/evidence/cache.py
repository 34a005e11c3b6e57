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

import apsw
import orjson
from attrs import define, evolve, field

from adapters.evidence_archive.rows import to_row
from adapters.row_layouts.evidence_rows import end_of, place_after, second, span
from adapters.sqlite.connection.database import Database, Job
from adapters.sqlite.evidence.checked_rows import checked_bytes, checked_evidence, checksum
from adapters.sqlite.evidence.file import EvidenceFile, Looking, damage_told, damaged
from application.errors import Damaged
from application.evidence.archive import EvidenceAsked
from application.evidence.cache import Telling
from application.ports.clock import Clock
from application.reads.paging import Page, PageRequest
from domain.evidence.evidence import Evidence
from domain.ids import EvidenceId
from domain.retention import KEPT_FOR
from domain.timestamps import stamp

T = TypeVar("T")

SLICE = 500
"""Rows that are read or written at once: others come in between."""
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
_PINNED = f"SELECT {_ROW} FROM evidence WHERE {_WANTED} AND ttl IS NULL"
_UNPIN = "UPDATE evidence SET ttl = ?2 WHERE evidence_id = ?1"
_OF_DATASET = f"""
    SELECT {_ROW} FROM evidence
    WHERE dataset_urn = ?1 AND created_at BETWEEN ?3 AND ?4
      AND (created_at, evidence_id) < (?5, ?6) AND {_ALIVE}
    ORDER BY created_at DESC, evidence_id DESC LIMIT ?7
"""
_IDS = f"""
    SELECT rowid, evidence_id FROM evidence NOT INDEXED
    WHERE rowid > ?1 AND {_ALIVE} ORDER BY rowid LIMIT ?3
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
    _damage: Damaged | None = field(default=None, init=False)
    """What was found since the file was begun."""

    def open(self) -> None:
        """Raises Unavailable if no file can be opened. One that is damaged is dropped later."""
        with suppress(Damaged):
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
            ends = [(row[0], end_of(checked_evidence(*row), self.kept_for)) for row in pinned]
            connection.executemany(_UNPIN, ends)

        await self._write(job)

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
        """A new file takes the place of the old one, whatever is wrong with that.

        Readers are on this thread as well, so that none of them sees half of it.
        """
        opened, self._opened = self._opened, None
        if opened is not None:
            opened.close()
        self._opened = self.file.begun_anew()
        self._damage = None

    @property
    def is_suspect(self) -> bool:
        return self._damage is not None

    async def check(self) -> None:
        if self._damage is not None:
            raise evolve(self._damage)
        with self._damage_noted():
            self._database()
            looking = Looking(self.file)
            try:
                await asyncio.to_thread(looking.look)
            finally:
                # Whoever does not wait for it any more need not wait for its end either.
                looking.interrupt()

    async def _write(self, job: Job[T]) -> T:
        with self._damage_noted():
            return await self._database().write(job)

    @contextmanager
    def _damage_noted(self) -> Iterator[None]:
        """What is damaged stays so until the file is dropped."""
        try:
            with damage_told():
                yield
        except Damaged as error:
            # Without its traceback, which holds all that was under way.
            self._damage = evolve(error)
            raise

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
        return *place, row, checksum(place[0], row), told, checksum(place[0], told), now

    # Reading.

    async def named(self, ids: Collection[EvidenceId]) -> Mapping[EvidenceId, Evidence]:
        found = dict[EvidenceId, Evidence]()
        with self._damage_noted():
            async for rows in self._read(_NAMED, ids):
                found |= {row[0]: checked_evidence(*row) for row in rows}
        return found

    async def told(self, ids: Collection[EvidenceId]) -> Mapping[EvidenceId, bytes]:
        found = dict[EvidenceId, bytes]()
        with self._damage_noted():
            async for rows in self._read(_TOLD, ids):
                found |= {row[0]: checked_bytes(*row) for row in rows}
        return found

    async def _read(self, sql: str, ids: Collection[EvidenceId]) -> AsyncIterator[Rows]:
        now = self._second()
        for number, some in enumerate(_slices(list(ids))):
            if number:
                await asyncio.sleep(0)  # Others of the event loop have their turn.
            yield self._database().rows(sql, (_json(some), now))

    async def of_dataset(self, asked: EvidenceAsked, page: PageRequest) -> Page[Evidence]:
        first, last = span(asked)
        before = place_after(page) or _BEYOND
        bindings = (asked.dataset, self._second(), first, last, *before, page.size + 1)
        with self._damage_noted():
            found = self._database().rows(_OF_DATASET, bindings)
            shown = found[: page.size]
            places = [(created_at, name) for name, _, created_at, *_ in shown]
            more = places[-1] if len(found) > len(shown) else None
            return Page([checked_evidence(*row) for row in shown], more, places)

    async def ids(self) -> AsyncIterator[Sequence[EvidenceId]]:
        last = -1
        while rows := self._ids_after(last):
            yield [name for _, name in rows]
            last, _ = rows[-1]
            await asyncio.sleep(0)  # Others of the event loop have their turn.

    def _ids_after(self, last: int) -> Rows:
        with self._damage_noted():
            rows = self._database().rows(_IDS, (last, self._second(), SLICE))
            # Else it would never end.
            if rows and rows[-1][0] <= last:
                raise damaged("its rows are not in their order")
            if not all(isinstance(name, str) for _, name in rows):
                raise damaged("an id is no text")
            return rows

    def _second(self) -> int:
        return second(self.clock.now())

    def _database(self) -> Database:
        if self._opened is None:
            if self._damage is not None:
                raise evolve(self._damage)
            with self._damage_noted():
                self._opened = self.file.opened()
        return self._opened


def _json(ids: Iterable[EvidenceId]) -> str:
    return orjson.dumps(list(ids)).decode()


def _slices(whole: Sequence[T]) -> Iterable[Sequence[T]]:
    return (whole[at : at + SLICE] for at in range(0, len(whole), SLICE))
