"""What every table engine promises about rows, positions and tables, one sentence at a time."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from adapters.row_layouts.catalogue import DATASET_REGISTRY, SIGNAL_STATE, STATE_TIER_INDEX
from adapters.row_layouts.engine import Delete, Put, RowKey, TableEngine
from tests.adapters.row_layouts.engine_calls import (
    TABLE,
    get,
    in_breach,
    put,
    ranks,
    row,
    scanned,
    worst,
    write,
)
from tests.adapters.row_layouts.engines import KINDS, Kind

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


def test_several_projections_may_file_at_once(engine: TableEngine) -> None:
    put(engine, row("shown", position=9), upto=9)
    late, gone = row("late", position=8), RowKey(TABLE, "shown", "x")

    async def all_at_once() -> None:
        await asyncio.gather(
            engine.write("projection", [Put(TABLE, late), Delete(gone, 9)], upto=8),
            engine.write("another", [Put(TABLE, row("a")), Put(TABLE, row("b"))], upto=3),
            engine.write("a third", [], upto=4),
        )

    asyncio.run(all_at_once())
    names = ("projection", "another", "a third")
    assert [asyncio.run(engine.reached(name)) for name in names] == [9, 3, 4]
    assert get(engine, "late") is None
    assert all(get(engine, pk) for pk in ("shown", "a", "b"))


def test_it_moves_without_changes_too(engine: TableEngine) -> None:
    put(engine, upto=3)
    assert asyncio.run(engine.reached("projection")) == 3


def test_a_write_that_fails_leaves_nothing_behind(engine: TableEngine) -> None:
    with pytest.raises(TypeError):
        put(engine, row("a"), row("b", odd=object()), upto=3)
    assert get(engine, "a") is None
    assert asyncio.run(engine.reached("projection")) == 0


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
