"""How moments are written."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.timestamps import moment, stamp, to_millisecond

TEN = datetime(2026, 1, 15, 10, tzinfo=UTC)

moments = st.datetimes(timezones=st.just(UTC)).map(to_millisecond)


def test_a_moment_is_written_with_three_decimals_and_z() -> None:
    assert stamp(TEN) == "2026-01-15T10:00:00.000Z"
    assert stamp(TEN + timedelta(milliseconds=7)) == "2026-01-15T10:00:00.007Z"
    assert stamp(TEN.replace(year=33)) == "0033-01-15T10:00:00.000Z"


def test_what_is_finer_than_a_millisecond_is_dropped_never_rounded_up() -> None:
    fine = TEN + timedelta(microseconds=1_999)
    assert to_millisecond(fine) == TEN + timedelta(milliseconds=1)
    assert stamp(fine) == "2026-01-15T10:00:00.001Z"


def test_a_moment_elsewhere_is_the_same_moment_in_utc() -> None:
    there = TEN.astimezone(timezone(timedelta(hours=2)))
    assert to_millisecond(there) == TEN
    assert to_millisecond(there).tzinfo is UTC
    assert moment("2026-01-15T12:00:00.000+02:00") == TEN
    assert stamp(there) == stamp(TEN)


def test_what_is_no_moment_is_refused() -> None:
    with pytest.raises(ValueError, match="yesterday"):
        moment("yesterday")


@settings(max_examples=60, deadline=None)
@given(st.datetimes(timezones=st.just(UTC)))
def test_less_than_a_millisecond_is_dropped(at: datetime) -> None:
    assert timedelta(0) <= at - to_millisecond(at) < timedelta(milliseconds=1)
    assert to_millisecond(at).microsecond % 1000 == 0


@settings(max_examples=60, deadline=None)
@given(moments)
def test_what_was_written_is_read_back(at: datetime) -> None:
    assert moment(stamp(at)) == at
    assert moment(stamp(at)).tzinfo is UTC


@settings(max_examples=60, deadline=None)
@given(moments, moments | st.none())
def test_strings_sort_as_the_moments_do(one: datetime, other: datetime | None) -> None:
    two = other or one
    assert (stamp(one) < stamp(two)) == (one < two)
