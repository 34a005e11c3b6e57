"""Whatever cannot be read, all else is gone through, once and in bounded time."""

import asyncio
from collections.abc import Collection, Sequence

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from adapters.sqlite.evidence.id_walk import (
    MOST_ID,
    MOST_IN_VAIN,
    SLICE,
    Keyed,
    Numbers,
    Tree,
    all_ids,
    id_of,
    number_of,
)
from application.errors import Damaged
from domain.ids import EvidenceId, is_evidence_id

KEYS = st.sets(st.integers(0, 3_000), max_size=80)
IDS = st.integers(0, MOST_ID)


@given(IDS, IDS)
def test_ids_are_ordered_as_their_numbers_are(one: int, other: int) -> None:
    assert is_evidence_id(id_of(one))
    assert number_of(id_of(one)) == one
    assert (id_of(one) < id_of(other)) == (one < other)
    assert id_of(-1) < id_of(one)


@given(st.sets(st.integers(0, 300)), st.integers(0, 300))
def test_numbers_are_known_by_their_ranges(numbers: set[int], one: int) -> None:
    known = Numbers()
    for number in sorted(numbers):
        known.add(number)
    assert (one in known) == (one in numbers)


@frozen
class Some:
    """Rows, of which some make every range unreadable that they are in."""

    keys: Collection[int]
    bad: Collection[int] = ()

    def read(self, low: int, high: int, most: int) -> Keyed:
        found = sorted(key for key in {*self.keys, *self.bad} if low < key <= high)[:most]
        if set(found) & set(self.bad):
            raise Damaged("the file", "a page is malformed")
        return [(key, (key, EvidenceId(id_of(key)))) for key in found]


def walked(table: Some, index: Some, *, is_suspect: bool = False) -> tuple[list[str], bool]:
    """All ids, and whether that may not be all."""

    async def walk() -> tuple[list[str], bool]:
        found: list[str] = []
        trees = Tree(table.read, 3_000), Tree(index.read, 3_000)
        try:
            async for ids in all_ids(*trees, is_suspect=is_suspect):
                found += ids
        except Damaged:
            return found, True
        return found, False

    return asyncio.run(walk())


@given(KEYS, KEYS, KEYS)
def test_all_that_table_or_index_can_show_is_found_once(
    keys: set[int], bad: set[int], bad_in_the_index: set[int]
) -> None:
    found, is_cut_short = walked(Some(keys, bad), Some(keys | bad, bad_in_the_index))
    shown = (keys - bad) | ((keys | bad) - bad_in_the_index if bad else set())
    assert sorted(found) == [id_of(key) for key in sorted(shown)]
    assert is_cut_short == bool(bad and bad_in_the_index)


def test_what_only_the_index_knows_is_found_where_something_is_wrong() -> None:
    assert walked(Some([1]), Some([1, 2]))[0] == [id_of(1)]
    assert walked(Some([1]), Some([1, 2]), is_suspect=True) == ([id_of(1), id_of(2)], False)


def test_more_than_a_slice() -> None:
    keys = range(2 * SLICE + 1)
    assert len(walked(Some(keys), Some(keys))[0]) == len(keys)


@pytest.mark.parametrize("back_to", [-1, 0, 7])
def test_what_leads_back_is_passed_over(back_to: int) -> None:
    asked = 0

    def read(low: int, high: int, most: int) -> Keyed:
        nonlocal asked
        asked += 1
        rows: Sequence[int] = [*range(8, 8 + SLICE - 1), back_to] if high - low > 1 else []
        return [(key, (key, EvidenceId(id_of(abs(key))))) for key in rows[:most]]

    async def walk() -> None:
        tree = Tree(read, 600)
        async for _ in tree.rows():
            pass
        assert asked < MOST_IN_VAIN

    asyncio.run(walk())


def test_where_nothing_can_be_read_it_is_given_up() -> None:
    asked = 0

    def read(low: int, high: int, most: int) -> Keyed:
        nonlocal asked
        asked += 1
        raise Damaged("the file", "its root is malformed")

    async def walk() -> None:
        tree = Tree(read, MOST_ID)
        assert [rows async for rows in tree.rows()] == []
        assert not tree.is_whole

    asyncio.run(walk())
    assert asked < 2 * MOST_IN_VAIN
