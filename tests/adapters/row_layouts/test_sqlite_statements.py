"""SQLite never looks at a whole table, and a page costs the same wherever it begins."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.row_layouts.catalogue import CATALOGUE, Index, Table
from adapters.sqlite.connection.database import Database
from adapters.sqlite.rows.engine import SqliteEngine
from adapters.sqlite.rows.row_table import RowTable, Span

WAYS = [(table, index) for table in CATALOGUE for index in (None, *table.indexes)]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database.open(tmp_path / "tables.db") as opened:
        SqliteEngine(opened)
        yield opened


def plan(database: Database, sql: str, *bindings: object) -> str:
    steps = database.rows(f"EXPLAIN QUERY PLAN {sql}", bindings)
    return "; ".join(step[-1] for step in steps)


def bound(columns: tuple[str, ...], sign: str) -> str:
    """As SQLite writes it."""
    if len(columns) == 1:
        return f"{columns[0]}{sign}?"
    return f"({','.join(columns)}){sign}({','.join('?' for _ in columns)})"


@pytest.mark.parametrize("table", CATALOGUE)
def test_a_row_is_found_by_its_key(database: Database, table: Table) -> None:
    found = plan(database, RowTable(table).get, "a", "x")
    assert found.startswith("SEARCH")
    assert "(PK=? AND SK=?)" in found


@pytest.mark.parametrize("table", CATALOGUE)
def test_many_rows_are_found_by_their_keys(database: Database, table: Table) -> None:
    found = plan(database, RowTable(table).get_many, '[["a", "x"]]')
    assert found.startswith("SCAN wanted")
    assert "(PK=? AND SK=?)" in found


@pytest.mark.parametrize("table", CATALOGUE)
def test_many_partitions_are_gone_through_as_given(database: Database, table: Table) -> None:
    found = plan(database, RowTable(table).select_many, '["a"]', 9)
    assert found.startswith("SCAN wanted")
    assert "SEARCH" in found
    assert "(PK=?)" in found
    assert "TEMP B-TREE" not in found


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize(("table", "index"), WAYS)
@pytest.mark.parametrize("resumed", [False, True])
def test_a_query_walks_an_index_in_its_order(
    database: Database, table: Table, index: Index | None, descending: bool, resumed: bool
) -> None:
    statements = RowTable(table)
    order = statements.order(index)
    after = tuple("m" for _ in order) if resumed else None
    span = Span("prefix", descending, 10, after)
    found = plan(database, statements.select(index, span), "partition", *span.bindings())
    edge = order if resumed else order[:1]
    low, high = (order[:1], edge) if descending else (edge, order[:1])
    assert found.startswith("SEARCH")
    assert f"{bound(low, '>')} AND {bound(high, '<')}" in found
    assert "TEMP B-TREE" not in found
    assert index is None or index.name in found
