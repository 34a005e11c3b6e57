"""What has ended is thrown away where DynamoDB does not do it (S0-010, S0-024, T26)."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.memory.engine import MemoryEngine
from adapters.row_layouts.catalogue import CATALOGUE, DATASET_READERS, SIGNAL_STATE
from adapters.row_layouts.engine import Put, Row, RowKey
from adapters.sqlite.connection.database import Database
from adapters.sqlite.rows.engine import SqliteEngine
from adapters.sqlite.rows.row_table import RowTable

Sweeping = MemoryEngine | SqliteEngine

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)
SECOND = int(NOON.timestamp())
EXPIRING = [table for table in CATALOGUE if table.ttl]


@pytest.fixture(params=["memory", "sqlite"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Sweeping]:
    if request.param == "memory":
        yield MemoryEngine()
        return
    with Database.open(tmp_path / "tables.db") as database:
        yield SqliteEngine(database)


def row(pk: str, end: int | None = None) -> Row:
    content: dict[str, Any] = {"PK": pk, "SK": "x", "position": 1}
    return content if end is None else {**content, "ttl": end}


def put(engine: Sweeping, *rows: Row, table: str = SIGNAL_STATE.name) -> None:
    asyncio.run(engine.write(table, [Put(table, one) for one in rows], upto=1))


def sweep(engine: Sweeping, at: datetime = NOON, most: int = 100) -> int:
    return asyncio.run(engine.sweep(at, most=most))


def left(engine: Sweeping, table: str = SIGNAL_STATE.name) -> list[str]:
    return sorted(row["PK"] for row in asyncio.run(engine.scan(table, limit=1000)).rows)


def test_what_has_ended_goes_and_nothing_else(engine: Sweeping) -> None:
    put(engine, row("never"), row("ended", SECOND), row("later", SECOND + 1), row("long ago", 1))
    assert sweep(engine) == 2
    assert left(engine) == ["later", "never"]
    assert sweep(engine) == 0


def test_not_before_its_second_has_passed(engine: Sweeping) -> None:
    put(engine, row("ended", SECOND))
    assert sweep(engine, NOON - timedelta(milliseconds=1)) == 0
    assert sweep(engine, NOON + timedelta(milliseconds=1)) == 1


def test_no_more_at_once_than_asked_for_over_all_tables(engine: Sweeping) -> None:
    for table in EXPIRING:
        put(engine, *(row(f"{n}", n + 1) for n in range(3)), table=table.name)
    whole, slices = 3 * len(EXPIRING), []
    while swept := sweep(engine, most=4):
        slices.append(swept)
    assert sum(slices) == whole
    assert max(slices) == 4
    assert len(slices) == -(-whole // 4)


def test_a_row_that_no_longer_ends_stays(engine: Sweeping) -> None:
    """A dataset is restored: its signals' rows are written again, without an end."""
    put(engine, row("restored", SECOND))
    again = {"PK": "restored", "SK": "x", "position": 2}
    asyncio.run(engine.write("p", [Put(SIGNAL_STATE.name, again)], upto=2))
    assert sweep(engine) == 0
    key = RowKey(SIGNAL_STATE.name, "restored", "x")
    assert asyncio.run(engine.get([key])) == [again]


def test_a_later_generation_is_swept_too(engine: Sweeping) -> None:
    second = DATASET_READERS.of_generation(2)
    asyncio.run(engine.ensure([second]))
    put(engine, row("ended", SECOND), table=second.name)
    assert sweep(engine) == 1
    assert left(engine, second.name) == []


def test_a_generation_that_was_dropped_is_not_swept(engine: Sweeping) -> None:
    second = DATASET_READERS.of_generation(2)
    asyncio.run(engine.ensure([second]))
    put(engine, row("ended", SECOND), table=second.name)
    asyncio.run(engine.drop([second]))
    put(engine, row("ended", SECOND))
    assert sweep(engine) == 1


@given(
    ends=st.lists(st.none() | st.integers(SECOND - 3, SECOND + 3), max_size=12),
    most=st.integers(1, 5),
)
def test_sweeping_until_nothing_is_left_leaves_what_has_not_ended(
    ends: list[int | None], most: int
) -> None:
    engines: list[Sweeping] = [MemoryEngine()]
    with Database.open(":memory:") as database:
        engines.append(SqliteEngine(database))
        for engine in engines:
            put(engine, *(row(f"{number:02}", end) for number, end in enumerate(ends)))
            while sweep(engine, most=most):
                pass
        living = [f"{n:02}" for n, end in enumerate(ends) if end is None or end > SECOND]
        assert [left(engine) for engine in engines] == [living, living]


@pytest.mark.parametrize("table", EXPIRING, ids=lambda table: table.name)
def test_they_are_found_through_an_index(tmp_path: Path, table: Any) -> None:
    with Database.open(tmp_path / "tables.db") as database:
        SqliteEngine(database)
        statements = RowTable(table)
        steps = database.rows(f"EXPLAIN QUERY PLAN {statements.sweep}", (SECOND, 32))
        plan = "; ".join(step[-1] for step in steps)
    assert f"USING COVERING INDEX {statements.end_index}" in plan
    assert "SCAN" not in plan
