"""What every table engine promises about queries and indexes, one sentence at a time."""

import asyncio
from collections.abc import Iterable

import pytest

from adapters.row_layouts.catalogue import DATASET_REGISTRY, TIER_INDEX
from adapters.row_layouts.engine import Delete, Put, Row, RowKey, RowPage, TableEngine
from tests.adapters.row_layouts.engine_calls import (
    TABLE,
    in_breach,
    put,
    query,
    ranks,
    row,
    sks,
    worst,
    write,
)

# Queries.


def test_a_partition_is_ordered_by_its_sort_keys(engine: TableEngine) -> None:
    put(engine, *(row("a", sk) for sk in ("b", "é", "a", "B", "a#1", "\U0001f600", "\uffee")))
    ordered = ["B", "a", "a#1", "b", "é", "\uffee", "\U0001f600"]
    assert sks(query(engine)) == ordered
    assert sks(query(engine, descending=True)) == ordered[::-1]


def test_other_partitions_are_left_out(engine: TableEngine) -> None:
    put(engine, row("a", "1"), row("ab", "2"), row("A", "3"))
    assert sks(query(engine, "a")) == ["1"]


@pytest.mark.parametrize(
    ("limit", "found", "more"),
    [
        (9, ["c/x", "c/y", "a/x", "a/y", "a/z"], False),
        (5, ["c/x", "c/y", "a/x", "a/y", "a/z"], False),
        (4, ["c/x", "c/y", "a/x", "a/y"], True),
        (1, ["c/x"], True),
        (0, [], True),
    ],
)
def test_many_partitions_come_one_after_the_other(
    engine: TableEngine, limit: int, found: list[str], more: bool
) -> None:
    put(engine, *(row(pk, sk) for pk, sk in ("az", "bx", "cy", "ax", "cx", "ay")))
    put(engine, row("a", "other"), table=DATASET_REGISTRY.name, upto=2)
    page = asyncio.run(engine.query_many(TABLE, ["c", "nobody", "a"], limit=limit))
    assert [f"{one['PK']}/{one['SK']}" for one in page.rows] == found
    assert (page.next is not None) == more


def test_no_partitions_have_no_rows(engine: TableEngine) -> None:
    put(engine, row())
    assert asyncio.run(engine.query_many(TABLE, [], limit=9)) == RowPage([])


@pytest.mark.parametrize("descending", [False, True])
def test_begins_with(engine: TableEngine, descending: bool) -> None:
    last = "v1\U0010ffff"
    put(engine, *(row("a", sk) for sk in ("v", "v1", "v1#a", last, "v2", "u")))
    found = query(engine, begins_with="v1", descending=descending)
    assert sks(found) == sorted(["v1", "v1#a", last], reverse=descending)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("limit", [1, 2, 3, 6, 7])
def test_pages_join_to_the_whole(engine: TableEngine, descending: bool, limit: int) -> None:
    put(engine, *(row("a", f"v{n}") for n in range(6)), row("a", "w"), row("a", "u"))
    found, after = [], None
    while True:
        page = query(engine, begins_with="v", descending=descending, limit=limit, after=after)
        found += sks(page)
        after = page.next
        if after is None:
            break
        assert len(page.rows) == limit
    assert found == sorted((f"v{n}" for n in range(6)), reverse=descending)


def test_a_full_last_page_says_that_it_is_the_last(engine: TableEngine) -> None:
    put(engine, row("a", "1"), row("a", "2"))
    assert query(engine, limit=2).next is None
    assert query(engine, limit=1).next is not None


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("after", ["a", "z"])
def test_a_cursor_never_widens_the_prefix(
    engine: TableEngine, descending: bool, after: str
) -> None:
    put(engine, *(row("a", sk) for sk in ("b", "v1", "v2", "x")))
    beyond = after == ("z" if descending else "a")
    found = query(engine, begins_with="v", descending=descending, after=(after,))
    assert sorted(sks(found)) == (["v1", "v2"] if beyond else [])


def test_pages_go_on_where_a_row_has_vanished(engine: TableEngine) -> None:
    put(engine, *(row("a", f"v{n}") for n in range(4)), upto=1)
    first = query(engine, limit=2)
    write(engine, Delete(RowKey(TABLE, "a", "v1"), 2), Put(TABLE, row("a", "v0a")), upto=2)
    assert sks(query(engine, after=first.next)) == ["v2", "v3"]


# Indexes.


def test_only_rows_with_both_attributes_are_in_the_index(engine: TableEngine) -> None:
    """T4: the index is sparse; the row is not."""
    put(
        engine,
        in_breach("a", "TIER_1#a"),
        row("b", state="OK"),
        row("c", breach_state="CRITICAL"),
        row("d", breach_rank="TIER_1#d"),
    )
    assert ranks(worst(engine)) == ["TIER_1#a"]


def test_an_index_is_ordered_by_its_range_then_by_key(engine: TableEngine) -> None:
    put(engine, in_breach("b", "1"), in_breach("a", "1"), in_breach("c", "0"))
    assert [row["PK"] for row in worst(engine).rows] == ["c", "a", "b"]
    assert [row["PK"] for row in worst(engine, descending=True).rows] == ["b", "a", "c"]


@pytest.mark.parametrize("descending", [False, True])
def test_rows_of_equal_rank_are_not_lost_between_pages(
    engine: TableEngine, descending: bool
) -> None:
    put(engine, *(in_breach(pk, "same") for pk in "dbca"))
    found: list[str] = []
    page = worst(engine, limit=1, descending=descending)
    found += (row["PK"] for row in page.rows)
    while page.next:
        page = worst(engine, limit=1, descending=descending, after=page.next)
        found += (row["PK"] for row in page.rows)
    assert found == sorted("abcd", reverse=descending)


def test_an_index_compares_letters_as_they_are_written(engine: TableEngine) -> None:
    put(engine, in_breach("a", "b"), in_breach("b", "A"), in_breach("c", "a", state="critical"))
    assert ranks(worst(engine)) == ["A", "b"]
    assert ranks(worst(engine, begins_with="a")) == []


def test_an_index_knows_prefixes_and_partitions(engine: TableEngine) -> None:
    put(
        engine,
        in_breach("a", "TIER_1#a"),
        in_breach("b", "TIER_2#b"),
        in_breach("c", "TIER_1#c", state="WARNING"),
    )
    assert ranks(worst(engine, begins_with="TIER_1#")) == ["TIER_1#a"]
    assert ranks(worst(engine, "WARNING")) == ["TIER_1#c"]


def test_an_index_may_be_ordered_by_the_rows_own_key(engine: TableEngine) -> None:
    rows: Iterable[Row] = [row(pk, "L", listed_tier="ACTIVE#TIER_1") for pk in "cab"]
    put(engine, *rows, row("a", "old"), table=DATASET_REGISTRY.name)
    names, after = [], None
    for _ in range(3):
        page = asyncio.run(
            engine.query_index(
                DATASET_REGISTRY.name, TIER_INDEX.name, "ACTIVE#TIER_1", limit=1, after=after
            )
        )
        names += [row["PK"] for row in page.rows]
        after = page.next
    assert (names, after) == (["a", "b", "c"], None)
