"""Spans of time and moments as people type them: 30min, 4h, 2d; 2026-01-15T10:00:00Z."""

import re
from datetime import timedelta

import typer

from domain.timestamps import stamp
from entrypoints.interfaces.timestamps import read_moment

_SPAN = re.compile(r"([1-9][0-9]{0,3})(min|h|d)", re.ASCII)
_UNITS = {"min": "minutes", "h": "hours", "d": "days"}


def span_of(text: str) -> timedelta:
    found = _SPAN.fullmatch(text)
    if found is None:
        raise typer.BadParameter(f"{text!r} is no span of time such as 30min, 4h or 2d")
    return timedelta(**{_UNITS[found[2]]: int(found[1])})


def moment_of(text: str) -> str:
    """The moment as the store tells it: UTC, to the millisecond."""
    try:
        return stamp(read_moment(text))
    except ValueError as error:
        raise typer.BadParameter(f"{text!r} {error}") from error
