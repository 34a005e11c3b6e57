"""Damage in a SQLite log is found; what SQLite can mend is mended."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import apsw
import pytest

from adapters.eventstore.inspection.inspector import Finding, Kind
from adapters.eventstore.inspection.readability import Readability
from adapters.eventstore.mapper import Mapper
from adapters.eventstore.sealing.seals import Seals
from adapters.key_file.key_file import KeyFile
from adapters.sqlite.connection.database import Database
from adapters.sqlite.log.inspection import SqliteInspector, SqliteMender
from adapters.sqlite.log.log import SqliteLog
from adapters.sqlite.log.read_only import LogBeside, read_file
from tests.adapters.eventstore.engines import Clock
from tests.adapters.eventstore.findings import found
from tests.adapters.eventstore.sample_log import a_mapper, appends

CHANGED = """substr(data, 1, length(data) - 12) || 'AAAAAAAAAA"}'"""


@pytest.fixture
def mapper() -> Mapper:
    return a_mapper()


@pytest.fixture
def path(tmp_path: Path, mapper: Mapper) -> Path:
    """A sound log, one millisecond between appends."""
    clock = Clock()
    with Database.open(tmp_path / "log.db") as database:
        log = SqliteLog(database, now=clock)
        for append in appends(mapper):
            clock.move(milliseconds=1)
            log.submit(append).result()
    return tmp_path / "log.db"


def findings(path: Path, mapper: Mapper) -> Sequence[Finding]:
    with read_file(path, busy_timeout=5) as file:
        return asyncio.run(found(SqliteInspector(LogBeside.of(file), Readability(mapper))))


def damage(path: Path, *statements: str) -> None:
    connection = apsw.Connection(str(path))
    try:
        for statement in statements:
            connection.execute(statement)
    finally:
        connection.close()


def test_a_sound_log_has_no_findings(path: Path, mapper: Mapper) -> None:
    assert findings(path, mapper) == []


@pytest.mark.parametrize(
    ("statement", "kind", "where"),
    [
        ("DELETE FROM events_1 WHERE position = 3", Kind.GAP, "position 3"),
        ("DELETE FROM events_1 WHERE position = 1", Kind.GAP, "position 1"),
        (
            "UPDATE events_1 SET recorded_ms = recorded_ms + 9 WHERE position = 1",
            Kind.TIME_BACKWARDS,
            "position 2",
        ),
        ("UPDATE events_1 SET version = 9 WHERE position = 6", Kind.VERSION_GAP, "position 6"),
        (
            "UPDATE events_1 SET event_id = x'00000000000000000000000000000001' WHERE position = 5",
            Kind.DUPLICATE_ID,
            "position 5",
        ),
        ("UPDATE events_1 SET name = 'thing.else' WHERE position = 4", Kind.UNREADABLE, "4"),
        ("UPDATE events_1 SET data = x'7b' WHERE position = 4", Kind.UNREADABLE, "position 4"),
        ("UPDATE events_1 SET meta = x'7b7d' WHERE position = 4", Kind.UNREADABLE, "position 4"),
        (
            # The end of what was sealed.
            f"UPDATE events_1 SET data = CAST({CHANGED} AS BLOB) WHERE position = 4",
            Kind.UNREADABLE,
            "position 4",
        ),
    ],
)
def test_damage_is_found(
    path: Path, mapper: Mapper, statement: str, kind: Kind, where: str
) -> None:
    damage(path, statement)
    assert any(one.kind is kind and where in one.where for one in findings(path, mapper))


def test_a_key_that_is_missing_is_told(path: Path) -> None:
    empty = KeyFile.open(path.with_name("keys.json"))
    told = findings(path, Mapper.of_catalogue(Seals(empty)))
    assert {one.kind for one in told} == {Kind.UNREADABLE}
    assert "lacks the key" in told[0].what


def test_an_index_that_disagrees_is_found_and_made_anew(path: Path, mapper: Mapper) -> None:
    # While the index is told to cover nothing, a row goes that it knows.
    rewrite = "UPDATE sqlite_schema SET sql = {} WHERE name = 'events_1_stream'"
    damage(path, "PRAGMA writable_schema = ON", rewrite.format("sql || ' WHERE 0'"))
    damage(path, "DELETE FROM events_1 WHERE position = 6")
    damage(path, "PRAGMA writable_schema = ON", rewrite.format("replace(sql, ' WHERE 0', '')"))
    told = [one for one in findings(path, mapper) if one.remedy is not None]
    assert {one.kind for one in told} == {Kind.DAMAGED_FILE}
    with Database.open(path) as database:
        asyncio.run(SqliteMender(database).mend(told[0]))
    assert findings(path, mapper) == []


def test_it_is_read_while_somebody_writes(path: Path, mapper: Mapper) -> None:
    with Database.open(path):
        assert findings(path, mapper) == []
