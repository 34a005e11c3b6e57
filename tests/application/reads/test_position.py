"""Positions as callers see them: tokens they hand back and never read."""

import base64

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from application.reads.paging import Page
from application.reads.position import Position

numbers = st.integers(0, 2**63 - 1)


@settings(max_examples=60, deadline=None)
@given(st.builds(Position, numbers, numbers, numbers))
def test_a_token_is_read_back(position: Position) -> None:
    assert Position.read(position.token()) == position


def test_a_token_can_be_part_of_an_address() -> None:
    assert all(Position(n).token().isalnum() for n in range(1_000))


def token(written: str) -> str:
    return base64.urlsafe_b64encode(written.encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "garbage",
    [
        "",
        "7",
        "abc",
        "ä",
        "====",
        Position(7).token() + "=",
        Position(7).token() + "\n",
        " " + Position(7).token(),
        token("1.0"),
        token("1.0.7.0"),
        token("1.0.-7"),
        token("-1.0.7"),
        token("1.0.+7"),
        token("1.0.07"),
        token("1.0. 7"),
        token("1.0.7_0"),
        token("1.0.٧"),
        token("1.0.x"),
        token("1.0." + "9" * 5_000),
    ],
    ids=range(19),
)
def test_garbage_is_no_token(garbage: str) -> None:
    with pytest.raises(ValueError, match="not a position token"):
        Position.read(garbage)


@settings(max_examples=150, deadline=None)
@given(st.text() | st.binary().map(lambda raw: base64.urlsafe_b64encode(raw).decode()))
def test_whatever_is_sent_is_a_token_or_refused(sent: str) -> None:
    try:
        position = Position.read(sent)
    except ValueError:
        return
    assert position.token() == sent


def test_a_page_can_be_changed_item_by_item() -> None:
    assert Page([1, 2], next=("2",)).map(str) == Page(["1", "2"], next=("2",))
