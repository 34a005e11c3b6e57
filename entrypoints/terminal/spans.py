"""Spans of time as people type them: 30min, 4h, 2d."""

import re
from datetime import timedelta

import typer

_SPAN = re.compile(r"([1-9][0-9]{0,3})(min|h|d)", re.ASCII)
_UNITS = {"min": "minutes", "h": "hours", "d": "days"}


def span_of(text: str) -> timedelta:
    found = _SPAN.fullmatch(text)
    if found is None:
        raise typer.BadParameter(f"{text!r} is no span of time such as 30min, 4h or 2d")
    return timedelta(**{_UNITS[found[2]]: int(found[1])})
