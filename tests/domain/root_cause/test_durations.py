"""Spans of time as they are told."""

from datetime import timedelta

import pytest

from domain.root_cause.durations import beside_breach


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0, "when the breach began"),
        (-0.5, "when the breach began"),
        (-59, "59 s before the breach"),
        (-119, "1 min before the breach"),
        (-3600, "1 h before the breach"),
        (479, "7 min after the breach began"),
    ],
)
def test_what_was_beside_the_breach(seconds: float, told: str) -> None:
    assert beside_breach(timedelta(seconds=seconds)) == told
