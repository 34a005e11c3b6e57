"""Read models that belong to a log kept elsewhere, and start afresh with another one."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.sqlite.database import Database
from adapters.sqlite.engine import SqliteEngine
from adapters.sqlite.followed_log import follow


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database.open(tmp_path / "read-models.db") as database:
        yield database


def reached(database: Database) -> int:
    return asyncio.run(SqliteEngine(database).reached("board"))


def followed_to(database: Database, log_id: str, position: int) -> None:
    follow(database, log_id, head=position)
    asyncio.run(SqliteEngine(database).write("board", [], upto=position))


def test_a_new_file_becomes_the_log_s(database: Database) -> None:
    assert not follow(database, "one", head=0)
    assert reached(database) == 0


def test_tables_of_the_same_log_go_on(database: Database) -> None:
    followed_to(database, "one", 7)
    assert not follow(database, "one", head=7)
    assert reached(database) == 7


def test_tables_of_another_log_are_thrown_away(database: Database) -> None:
    followed_to(database, "one", 7)
    assert follow(database, "two", head=100)
    assert reached(database) == 0
    assert not follow(database, "two", head=100)


def test_tables_that_are_ahead_of_their_log_are_thrown_away(database: Database) -> None:
    followed_to(database, "one", 7)
    assert follow(database, "one", head=6)
    assert reached(database) == 0


def test_what_counts_no_facts_does_not_look_ahead_of_the_log(database: Database) -> None:
    followed_to(database, "one", 1)
    asyncio.run(SqliteEngine(database).write("generation/board", [], upto=2))
    assert not follow(database, "one", head=1)
