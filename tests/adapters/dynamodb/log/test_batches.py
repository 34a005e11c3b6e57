"""Batches as items: in one piece or in parts, and only whole ones count."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.dynamodb.items.item_sizes import item_size
from adapters.dynamodb.log.batches import (
    MOST_PARTS,
    PART_BYTES,
    Batch,
    last_position,
    place,
    whole_batches,
)
from adapters.dynamodb.log.keys import Keys
from adapters.dynamodb.log.packing import Damaged, Placed, pack
from adapters.eventstore.log import NewEvent

KEYS = Keys("app")
LARGEST_ITEM = 400 * 1024


def a_batch(first: int, size: int, n: int = 1) -> Batch:
    return Batch(first, n, 5, b"b" * 16, bytes(size))


@pytest.mark.parametrize("size", [0, 1, PART_BYTES, PART_BYTES + 1, MOST_PARTS * PART_BYTES])
def test_a_batch_comes_back_from_its_items(size: int) -> None:
    batch = a_batch(7, size, n=3)
    items = batch.items(KEYS)
    assert all(item_size(item) < LARGEST_ITEM for item in items)
    assert [last_position(item) for item in items] == [9] * len(items)
    assert list(whole_batches(items)) == [batch]


@given(st.lists(st.sampled_from([1, PART_BYTES + 1, 2 * PART_BYTES + 1]), max_size=4), st.data())
def test_only_what_is_whole_counts(sizes: list[int], data: st.DataObject) -> None:
    batches = [a_batch(number, size) for number, size in enumerate(sizes, 1)]
    items = [item for batch in batches for item in batch.items(KEYS)]
    hidden = data.draw(st.integers(0, len(items)))
    shown = items[:hidden] + items[hidden + 1 :]
    found = list(whole_batches(shown))
    whole = [b for b in batches if all(item in shown for item in b.items(KEYS))]
    before = [b for b in batches if all(item in items[:hidden] for item in b.items(KEYS))]
    # A batch of one item may be missing altogether: that gap is the reader's to see.
    assert found[: len(before)] == before
    assert all(batch in whole for batch in found)


def test_a_batch_in_a_blob_names_it() -> None:
    batch = Batch(7, 3, 5, b"b" * 16, b"", "log/x")
    assert list(whole_batches(batch.items(KEYS))) == [batch]


def test_entries_have_their_places() -> None:
    placed = [Placed(n, NewEvent("a-1", n + 1, "x", b"d")) for n in range(3)]
    batch = Batch(10, 3, 5, b"b" * 16, pack(placed, place(10, 3, 5, b"b" * 16)))
    assert [(e.position, e.version) for e in batch.entries()] == [(10, 1), (11, 2), (12, 3)]


def test_a_batch_that_lies_elsewhere_is_not_believed() -> None:
    placed = [Placed(0, NewEvent("a-1", 1, "x", b"d"))]
    content = pack(placed, place(10, 1, 5, b"b" * 16))
    for wrong in (Batch(11, 1, 5, b"b" * 16, content), Batch(10, 1, 6, b"b" * 16, content)):
        with pytest.raises(Damaged):
            wrong.entries()
