"""When SQLite cannot write: everyone is told, nothing is half stored, and work goes on after."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest

from adapters.sqlite.connection.database import Database
from application.errors import Unavailable
from tests.adapters.sqlite.writer_control import held, refuse_next_commit


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database.open(tmp_path / "test.db", busy_timeout=0.01) as database:
        database.submit(lambda c: c.execute("CREATE TABLE kept (value)")).result()
        yield database


@contextmanager
def full_disk(database: Database) -> Iterator[None]:
    def fill(connection: apsw.Connection) -> Any:
        return connection.pragma("max_page_count", connection.pragma("page_count") + 2)

    database.submit(fill).result()
    yield
    database.submit(lambda c: c.pragma("max_page_count", 1_000_000)).result()


@contextmanager
def locked_by_another(path: Path) -> Iterator[None]:
    other = apsw.Connection(str(path))
    other.execute("BEGIN EXCLUSIVE")
    yield
    other.execute("ROLLBACK")
    other.close()


def keep(size: int) -> Any:
    return lambda c: c.execute("INSERT INTO kept VALUES (zeroblob(?))", (size,)).get


def kept(database: Database) -> int:
    count: int = database.rows("SELECT count(*) FROM kept")[0][0]
    return count


def test_a_full_disk_is_unavailable_and_what_fits_is_stored(database: Database) -> None:
    with full_disk(database):
        with pytest.raises(Unavailable, match="full"):
            database.submit(keep(100_000)).result()
        assert kept(database) == 0
        database.submit(keep(10)).result()
    database.submit(keep(100_000)).result()
    assert kept(database) == 2


def test_a_full_disk_fails_the_whole_group(database: Database) -> None:
    with full_disk(database):
        with held(database):
            futures = [database.submit(keep(size)) for size in (10, 100_000, 10)]
        for future in futures:
            with pytest.raises(Unavailable, match="full"):
                future.result()
        assert kept(database) == 0
        database.submit(keep(10)).result()
    assert kept(database) == 1


def test_an_error_of_the_surroundings_may_fail_a_job_alone(database: Database) -> None:
    def wait_in_vain(connection: apsw.Connection) -> None:
        raise apsw.BusyError("somebody else is using it")

    with held(database):
        futures = [database.submit(job) for job in (keep(1), wait_in_vain, keep(1))]
    assert [type(f.exception()) for f in futures] == [type(None), Unavailable, type(None)]
    assert kept(database) == 2


def test_a_locked_file_fails_the_whole_group(database: Database, tmp_path: Path) -> None:
    database.submit(keep(1)).result()
    with locked_by_another(tmp_path / "test.db"):
        futures = [database.submit(keep(1)) for _ in range(3)]
        for future in futures:
            with pytest.raises(Unavailable, match="locked"):
                future.result()
    assert kept(database) == 1
    database.submit(keep(1)).result()
    assert kept(database) == 2


def test_a_commit_that_fails_stores_nothing(database: Database) -> None:
    with held(database):
        futures = [database.submit(job) for job in (keep(1), refuse_next_commit, keep(1))]
    errors = [future.exception() for future in futures]
    assert [type(error) for error in errors] == [Unavailable] * 3
    assert len({id(error) for error in errors}) == 3
    assert kept(database) == 0
    database.submit(keep(1)).result()
    assert kept(database) == 1


def test_a_commit_that_fails_and_stays_open_is_rolled_back(database: Database) -> None:
    leaked: list[apsw.Cursor] = []

    def leave_a_statement_open(connection: apsw.Connection) -> None:
        leaked.append(connection.execute("INSERT INTO kept VALUES (1), (2) RETURNING value"))

    with pytest.raises(Unavailable, match="statements in progress"):
        database.submit(leave_a_statement_open).result()
    leaked.clear()
    assert kept(database) == 0
    database.submit(keep(1)).result()
    assert kept(database) == 1


def test_a_transaction_that_sqlite_gave_up_fails_the_whole_group(database: Database) -> None:
    def lose_it(connection: apsw.Connection) -> None:
        connection.execute("ROLLBACK")
        raise apsw.IOError("the disk is on fire")

    with held(database):
        futures = [database.submit(job) for job in (keep(1), lose_it, keep(1))]
    for future in futures:
        with pytest.raises(Unavailable, match="the disk is on fire"):
            future.result()
    assert kept(database) == 0
    database.submit(keep(1)).result()
    assert kept(database) == 1


def test_reading_a_broken_file_is_unavailable(database: Database, tmp_path: Path) -> None:
    for _ in range(50):
        database.submit(keep(4_000)).result()
    database.close()
    content = bytearray((tmp_path / "test.db").read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    (tmp_path / "test.db").write_bytes(content)

    with Database.open(tmp_path / "test.db") as broken:
        with pytest.raises(Unavailable, match="malformed"):
            broken.rows("SELECT * FROM kept")
        with pytest.raises(Unavailable, match="malformed"):
            broken.submit(keep(1)).result()
