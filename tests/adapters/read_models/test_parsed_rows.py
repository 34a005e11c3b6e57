"""Rows are read once while they stay the same, and anew whenever anything in them is another."""

from typing import Any

import pytest
from attrs import define, field

from adapters.read_models.parsed_rows import Kept
from adapters.row_layouts.engine import Row
from adapters.row_layouts.signal_rows import from_row, to_row
from tests.adapters.row_layouts.sample_views import signal_card


@define
class Reading:
    rows: list[Row] = field(factory=list)

    def __call__(self, row: Row) -> int:
        self.rows.append(row)
        return len(self.rows)


def row(sk: str = "A", **more: Any) -> Row:
    return {"PK": "P", "SK": sk, "position": 1, **more}


def test_the_same_row_is_read_once() -> None:
    kept = Kept(Reading())
    assert [kept.of(row(score=1.5)) for _ in range(3)] == [1, 1, 1]


@pytest.mark.parametrize("other", [{"score": 2}, {"nested": {"a": [1, 3]}}, {"added": None}])
def test_a_row_that_changed_is_read_again(other: dict[str, Any]) -> None:
    """Also where the position is the same: a damaged row may have been repaired."""
    kept = Kept(Reading())
    before: dict[str, Any] = {"score": 1, "nested": {"a": [1, 2]}}
    assert kept.of(row(**before)) == 1
    assert kept.of(row(**{**before, **other})) == 2
    assert kept.of(row(**before)) == 3


def test_every_attribute_of_a_signal_counts() -> None:
    kept, stored = Kept(from_row), to_row(signal_card(), 1)
    kept.of(stored)
    later = {**stored, "version": stored["version"] + 1, "owner_team": "others"}
    assert kept.of(later) == from_row(later)


def test_only_so_many_are_kept_those_asked_for_last() -> None:
    reading = Reading()
    kept = Kept(reading, most=2)
    for name in ("A", "B", "A", "C"):
        kept.of(row(name))
    reading.rows.clear()
    for name in ("A", "C", "B"):
        kept.of(row(name))
    assert reading.rows == [row("B")]
