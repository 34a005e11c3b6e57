"""Spans as items: their events are kept inline exactly when that costs no more (S2-11)."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from adapters.dynamodb.items.item_sizes import item_size
from adapters.dynamodb.items.typed_values import binary, number
from adapters.dynamodb.log.keys import Keys
from adapters.dynamodb.log.packing import Placed, pack
from adapters.dynamodb.log.spans import MOST_AROUND, ONE_UNIT, _place, span_item
from adapters.eventstore.log import NewEvent

LARGEST = 10**38 - 1


@given(
    stream=st.text(st.characters(codec="utf-8"), max_size=40),
    version=st.integers(0, 10**12),
    batch=st.integers(1, 10**15),
    size=st.integers(600, 1_000),
)
def test_events_are_inline_exactly_when_the_item_costs_one_unit(
    stream: str, version: int, batch: int, size: int
) -> None:
    key = Keys("app").span(stream, version)
    placed = [Placed(0, NewEvent(stream, version, "x", Random(size).randbytes(size)))]
    item = span_item(key, stream, placed, batch=batch, ms=5)
    if "e" in item:
        assert item_size(item) <= ONE_UNIT
    else:
        content = binary(pack(placed, _place(stream, batch, 5)))
        assert item_size({**item, "at": number(5), "e": content}) > ONE_UNIT


def test_nothing_around_the_events_takes_more_than_is_reckoned_with() -> None:
    names = ("SK", "first", "last", "p", "at")
    around = {**{name: number(LARGEST) for name in names}, "PK": {"S": ""}, "e": binary(b"")}
    assert item_size(around) <= MOST_AROUND
