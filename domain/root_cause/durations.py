"""Spans of time in people's words."""

from datetime import timedelta

_UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


def span(passed: timedelta) -> str:
    """In its largest unit, begun ones not counted."""
    seconds = max(int(passed.total_seconds()), 0)
    for size, unit in _UNITS:
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return "now"


def beside_breach(passed: timedelta) -> str:
    """How long after the breach began something was, or before it if less than nothing passed."""
    return _beside(passed, "when the breach began", "after the breach began", "before the breach")


def beside_opening(passed: timedelta) -> str:
    """The same of when an incident was opened."""
    return _beside(passed, "when it was opened", "after it was opened", "before it was opened")


def _beside(passed: timedelta, when: str, after: str, before: str) -> str:
    if abs(passed) < timedelta(seconds=1):
        return when
    return f"{span(abs(passed))} {after if passed > timedelta(0) else before}"
