"""Keys: no two things share one, and the log's are in its order."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.dynamodb.log.keys import LONGEST_PK, Keys, part_key, part_of

names = st.text(alphabet="ab#%1", max_size=6)
positions = st.integers(1, 10**15)


@given(names, names, names, names)
def test_names_do_not_meet(app: str, stream: str, other_app: str, other_stream: str) -> None:
    one = Keys(app).span(stream, 0)
    other = Keys(other_app).span(other_stream, 0)
    assert (one == other) == ((app, stream) == (other_app, other_stream))


@given(names, names, names, names)
def test_purposes_do_not_meet(purpose: str, stream: str, other: str, other_stream: str) -> None:
    one, two = Keys("a").snapshots(purpose, stream), Keys("a").snapshots(other, other_stream)
    assert (one == two) == ((purpose, stream) == (other, other_stream))


@given(positions, st.integers(0, 999))
def test_a_sort_key_tells_position_and_part(first: int, part: int) -> None:
    assert part_of(part_key(first, part)) == (first, part)
    assert Decimal(first) <= part_key(first, part) < Decimal(first + 1)


@given(positions, st.integers(1, 10**6))
def test_the_next_position_is_in_this_block_or_the_next(position: int, size: int) -> None:
    keys = Keys("a", size)
    assert keys.block_of(1) == 0
    assert keys.block_of(position + 1) - keys.block_of(position) in (0, 1)


def test_a_stream_id_that_is_too_long_is_refused() -> None:
    keys = Keys("a")
    longest = "x" * (LONGEST_PK - len("S#a#"))
    assert len(keys.stream(longest)) == LONGEST_PK
    with pytest.raises(ValueError, match="too long"):
        keys.stream(longest + "x")
