"""Rows go in as they are given, in however many pieces."""

import apsw
import pytest

from adapters.sqlite.connection.bulk_insert import Insertion


@pytest.fixture
def connection() -> apsw.Connection:
    opened = apsw.Connection(":memory:")
    opened.execute("CREATE TABLE kept (name TEXT PRIMARY KEY, number INTEGER)")
    return opened


def found(connection: apsw.Connection) -> list[tuple[object, ...]]:
    return connection.execute("SELECT name, number FROM kept ORDER BY rowid").fetchall()


@pytest.mark.parametrize("many", [0, 1, 3, 4, 21, 63, 64, 65, 200])
def test_every_row_is_inserted_in_order(connection: apsw.Connection, many: int) -> None:
    rows = [(f"row {number}", number) for number in range(many)]
    Insertion("kept", 2).run(connection, rows)
    assert found(connection) == rows


def test_a_later_row_of_the_same_piece_meets_the_earlier_one(connection: apsw.Connection) -> None:
    greater = (
        "ON CONFLICT (name) DO UPDATE SET number = excluded.number WHERE number < excluded.number"
    )
    rows = [("a", 1), ("a", 3), ("a", 2), ("b", 5)]
    Insertion("kept (name, number)", 2, greater).run(connection, rows)
    assert found(connection) == [("a", 3), ("b", 5)]
