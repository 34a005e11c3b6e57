"""Names that sort by when they were made."""

from hypothesis import given
from hypothesis import strategies as st
from ulid import ULID

from adapters.system.ulids import RandomPool, Ulids, written


def test_they_increase_and_are_never_the_same() -> None:
    ulids = Ulids()
    made = [ulids.raw() for _ in range(5_000)]
    assert made == sorted(set(made))


def test_text_and_bytes_have_their_length() -> None:
    assert len(Ulids().text()) == 26
    assert len(Ulids().raw()) == 16


def test_no_randomness_is_used_twice() -> None:
    pool = RandomPool()
    drawn = [pool(0) for _ in range(1_000)]
    assert len(set(drawn)) == 1_000
    assert {len(one) for one in drawn} == {10}


@given(st.binary(min_size=16, max_size=16))
def test_they_are_written_as_the_library_writes_them(raw: bytes) -> None:
    assert written(raw) == str(ULID(raw))
