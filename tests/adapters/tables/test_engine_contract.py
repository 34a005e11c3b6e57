"""What every table engine promises, one sentence at a time."""

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from adapters.tables.catalogue import DATASET_REGISTRY, SIGNAL_STATE, STATE_TIER_INDEX, TIER_INDEX
from adapters.tables.engine import Delete, Put, Row, RowKey, RowPage, TableEngine
from tests.adapters.tables.engines import KINDS, Kind

TABLE = SIGNAL_STATE.name


def row(pk: str = "a", sk: str = "x", position: int = 1, **attributes: Any) -> Row:
    return {"PK": pk, "SK": sk, "position": position, **attributes}


def in_breach(pk: str, rank: str, state: str = "CRITICAL") -> Row:
    return row(pk, breach_state=state, breach_rank=rank)


def write(engine: TableEngine, *changes: Put | Delete, upto: int) -> None:
    asyncio.run(engine.write("projection", changes, upto=upto))


def put(engine: TableEngine, *rows: Row, upto: int = 1, table: str = TABLE) -> None:
    write(engine, *(Put(table, row) for row in rows), upto=upto)


def get(engine: TableEngine, pk: str = "a", sk: str = "x", table: str = TABLE) -> Row | None:
    return next(iter(asyncio.run(engine.get([RowKey(table, pk, sk)]))), None)


def query(engine: TableEngine, pk: str = "a", **options: Any) -> RowPage:
    return asyncio.run(engine.query(TABLE, pk, **options))


def worst(engine: TableEngine, state: str = "CRITICAL", **options: Any) -> RowPage:
    return asyncio.run(engine.query_index(TABLE, STATE_TIER_INDEX.name, state, **options))


def sks(page: RowPage) -> list[str]:
    return [row["SK"] for row in page.rows]


def ranks(page: RowPage) -> list[str]:
    return [row["breach_rank"] for row in page.rows]


# Rows.


def test_a_row_comes_back_as_it_was_put(engine: TableEngine) -> None:
    content: dict[str, Any] = {
        "text": "größer",
        "whole": 47,
        "part": 0.102,
        "many": ["a", {"b": True}],
        "map": {},
    }
    put(engine, row(**content))
    assert get(engine) == row(**content)


@pytest.mark.parametrize(
    "number",
    [0, -1, 2**53 - 1, 10**17, 0.1, -1.5, 1e-7, 2.0**60, 1e22, 1e23, 1e300, -1e-300, 5e-324],
)
def test_numbers_keep_their_value(engine: TableEngine, number: float) -> None:
    put(engine, row(number=number, deep=[{"number": number}]))
    assert get(engine) == row(number=number, deep=[{"number": number}])


def test_numbers_with_a_fraction_and_whole_ones_keep_their_kind(engine: TableEngine) -> None:
    """Not so 1.0: DynamoDB has one kind of number, and layouts ask for the kind they need."""
    put(engine, row(whole=1, part=1.5))
    found = get(engine)
    assert found is not None
    assert (type(found["whole"]), type(found["part"])) == (int, float)


def test_a_number_that_is_no_whole_one_in_json_stays_as_it_is(engine: TableEngine) -> None:
    put(engine, row(large=1e30))
    found = get(engine)
    assert found is not None
    assert type(found["large"]) is float


def test_what_is_not_there_is_left_out(engine: TableEngine) -> None:
    put(engine, row("a"), row("b"))
    keys = [RowKey(TABLE, pk, "x") for pk in ("b", "nobody", "a")]
    found = asyncio.run(engine.get(keys))
    assert sorted(row["PK"] for row in found) == ["a", "b"]


def test_many_rows_of_several_tables_are_read_at_once(engine: TableEngine) -> None:
    """Whatever their keys are written with, and more of them than DynamoDB reads at once."""
    names = ['"', "'", "\\", "[0]", "{}", "größer", "\U0001f600", "a\nb", "\u2028", "null", "7"]
    places = [(pk, sk) for pk in names for sk in names]
    tables = [TABLE, DATASET_REGISTRY.name]
    write(engine, *(Put(name, row(*place)) for name in tables for place in places), upto=1)
    keys = [RowKey(name, *place) for name in tables for place in places]
    found = asyncio.run(engine.get(keys))
    assert sorted((row["PK"], row["SK"]) for row in found) == sorted(2 * places)


def test_tables_do_not_mix(engine: TableEngine) -> None:
    put(engine, row())
    assert get(engine, table=DATASET_REGISTRY.name) is None


def test_rows_that_were_read_can_be_changed_without_harm(engine: TableEngine) -> None:
    given = {**row(), "list": ["kept"]}
    put(engine, given)
    given["list"].append("not")
    found = get(engine)
    assert found is not None
    found["list"].append("neither")
    assert get(engine) == row(list=["kept"])


# Positions: redelivery and races are harmless.


def test_a_later_position_replaces_the_row(engine: TableEngine) -> None:
    put(engine, row(position=1, said="old"), upto=1)
    put(engine, row(position=2, said="new"), upto=2)
    assert get(engine) == row(position=2, said="new")


@pytest.mark.parametrize("position", [1, 2])
def test_the_same_or_an_earlier_position_does_not(engine: TableEngine, position: int) -> None:
    put(engine, row(position=2, said="first"), upto=2)
    put(engine, row(position=position, said="again"), upto=3)
    assert get(engine) == row(position=2, said="first")


@pytest.mark.parametrize(("position", "gone"), [(1, False), (2, True), (3, True)])
def test_a_delete_spares_later_rows(engine: TableEngine, position: int, gone: bool) -> None:
    put(engine, row(position=2), upto=2)
    write(engine, Delete(RowKey(TABLE, "a", "x"), position), upto=3)
    assert (get(engine) is None) is gone


def test_deleting_what_is_not_there_is_fine(engine: TableEngine) -> None:
    write(engine, Delete(RowKey(TABLE, "a", "x"), 9), upto=9)
    assert asyncio.run(engine.reached("projection")) == 9


def test_a_replaced_row_leaves_its_old_place_in_the_index(engine: TableEngine) -> None:
    put(engine, in_breach("a", "TIER_1#a"), upto=1)
    put(engine, row("a", position=2), upto=2)
    assert worst(engine).rows == []


# Tracking.


def test_a_projection_that_never_started_is_at_0(engine: TableEngine) -> None:
    assert asyncio.run(engine.reached("projection")) == 0


def test_the_position_is_kept_with_the_rows(engine: TableEngine) -> None:
    put(engine, row(), upto=7)
    assert asyncio.run(engine.reached("projection")) == 7
    assert asyncio.run(engine.reached("another")) == 0


@pytest.mark.parametrize("upto", [6, 7])
def test_what_does_not_lead_further_is_not_applied(engine: TableEngine, upto: int) -> None:
    put(engine, row("a"), upto=7)
    write(engine, Put(TABLE, row("b", position=9)), Delete(RowKey(TABLE, "a", "x"), 9), upto=upto)
    assert (get(engine, "a"), get(engine, "b")) == (row("a"), None)
    assert asyncio.run(engine.reached("projection")) == 7


def test_it_moves_without_changes_too(engine: TableEngine) -> None:
    put(engine, upto=3)
    assert asyncio.run(engine.reached("projection")) == 3


def test_a_write_that_fails_leaves_nothing_behind(engine: TableEngine) -> None:
    with pytest.raises(TypeError):
        put(engine, row("a"), row("b", odd=object()), upto=3)
    assert get(engine, "a") is None
    assert asyncio.run(engine.reached("projection")) == 0


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


# Restarts.


@pytest.mark.parametrize("kind", [kind for kind in KINDS.values() if kind.durable])
def test_rows_and_tracking_survive_a_restart(kind: Kind, tmp_path: Path) -> None:
    with kind.ground(tmp_path) as opens:
        with opens() as engine:
            put(engine, row(said="before"), upto=5)
        with opens() as engine:
            assert get(engine) == row(said="before")
            assert asyncio.run(engine.reached("projection")) == 5


# Whole tables.


def scanned(engine: TableEngine, table: str, limit: int) -> list[list[str]]:
    pages: list[list[str]] = []
    after: tuple[str, ...] | None = None
    while True:
        page = asyncio.run(engine.scan(table, limit=limit, after=after))
        pages.append([f"{row['PK']}/{row['SK']}" for row in page.rows])
        after = page.next
        if after is None:
            return pages


def test_a_scan_shows_every_row_once_in_pages(engine: TableEngine) -> None:
    put(engine, *(row(pk, sk) for pk in "abc" for sk in "xy"))
    put(engine, row("other"), upto=2, table=DATASET_REGISTRY.name)
    pages = scanned(engine, TABLE, 4)
    assert len(pages[0]) == 4
    keys = sorted(key for page in pages for key in page)
    assert keys == ["a/x", "a/y", "b/x", "b/y", "c/x", "c/y"]


def test_another_generation_holds_rows_of_its_own(engine: TableEngine) -> None:
    second = SIGNAL_STATE.of_generation(2)
    put(engine, row("a"))
    asyncio.run(engine.ensure([second]))
    put(engine, in_breach("b", "1"), upto=2, table=second.name)
    assert (scanned(engine, TABLE, 9), scanned(engine, second.name, 9)) == ([["a/x"]], [["b/x"]])
    page = asyncio.run(engine.query_index(second.name, STATE_TIER_INDEX.name, "CRITICAL"))
    assert ranks(page) == ["1"]


def test_what_is_made_again_keeps_its_rows(engine: TableEngine) -> None:
    second = SIGNAL_STATE.of_generation(2)
    asyncio.run(engine.ensure([second]))
    put(engine, row("a"), table=second.name)
    asyncio.run(engine.ensure([second]))
    assert scanned(engine, second.name, 9) == [["a/x"]]


def test_a_dropped_table_is_empty_when_it_is_made_again(engine: TableEngine) -> None:
    second = SIGNAL_STATE.of_generation(2)
    asyncio.run(engine.drop([second]))
    asyncio.run(engine.ensure([second]))
    put(engine, row("a"), table=second.name)
    asyncio.run(engine.drop([second]))
    asyncio.run(engine.ensure([second]))
    assert scanned(engine, second.name, 9) == [[]]


def test_a_forgotten_projection_starts_again(engine: TableEngine) -> None:
    put(engine, row("a"), upto=7)
    asyncio.run(engine.forget("projection"))
    assert asyncio.run(engine.reached("projection")) == 0
    put(engine, row("b"), upto=3)
    assert asyncio.run(engine.reached("projection")) == 3
