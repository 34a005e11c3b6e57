"""Names that sort by when they were made."""

from datetime import UTC, datetime
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from ulid import ULID

from adapters.system.ulids import RandomPool, Ulids, written

MOMENTS = st.integers(min_value=0, max_value=10**18)
"""Nanoseconds since 1970."""


def test_they_increase_and_are_never_the_same() -> None:
    ulids = Ulids()
    made = [ulids.raw() for _ in range(5_000)]
    assert made == sorted(set(made))


@given(st.lists(MOMENTS, min_size=2))
def test_they_increase_however_the_clock_moves(moments: list[int]) -> None:
    ulids = Ulids(now=iter(moments).__next__)
    texts = [ulids.text() for _ in moments]
    assert all(one < other for one, other in pairwise(texts))


@given(MOMENTS)
def test_they_tell_the_millisecond(moment: int) -> None:
    told = ULID(Ulids(now=lambda: moment).raw()).milliseconds
    assert told == moment // 1_000_000


def test_they_tell_the_time_of_the_machine() -> None:
    before = datetime.now(UTC).timestamp()
    told = ULID(Ulids().raw()).timestamp
    assert before - 0.001 <= told <= datetime.now(UTC).timestamp()


def test_text_and_bytes_have_their_length() -> None:
    assert len(Ulids().text()) == 26
    assert len(Ulids().raw()) == 16


def test_no_randomness_is_used_twice() -> None:
    pool = RandomPool()
    drawn = [pool() for _ in range(1_000)]
    assert len(set(drawn)) == 1_000
    assert {len(one) for one in drawn} == {10}


@given(st.binary(min_size=16, max_size=16))
def test_they_are_written_as_the_library_writes_them(raw: bytes) -> None:
    assert written(raw) == str(ULID(raw))
