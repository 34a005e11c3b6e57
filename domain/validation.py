"""
The small checks that contracts are made of: each tells what is wrong with one value.

Those that every update goes through return what they find instead of yielding it: for a value
that is right, which most are, that takes a third of the time.
"""

import math
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from domain.errors import Violation
from domain.timestamps import EARLIEST

LARGEST_INTEGER = 2**53 - 1
"""Beyond it, readers that keep numbers as floats would see another number."""

AHEAD = timedelta(hours=1)
"""How far other clocks may be ahead of ours."""


def required(field: str, value: object | None) -> Sequence[Violation]:
    if value is None or value == "":
        return (Violation(field, "REQUIRED", "is required"),)
    return ()


def text(field: str, value: str | None, *, most: int) -> Iterator[Violation]:
    if value is None:
        return
    if len(value) > most:
        yield Violation(field, "TOO_LONG", f"must have at most {most} characters")
    if not value.isprintable():
        yield Violation(field, "MALFORMED", "must consist of printable characters")


def lines(field: str, value: str | None, *, most: int) -> Iterator[Violation]:
    """Text that may be broken into lines and indented."""
    if value is None:
        return
    if len(value) > most:
        yield Violation(field, "TOO_LONG", f"must have at most {most} characters")
    if not value.translate(_LAYOUT).isprintable():
        yield Violation(field, "MALFORMED", "must consist of printable characters and line breaks")


def not_blank(field: str, value: str | None) -> Iterator[Violation]:
    """Text that may be left out, but not blank."""
    if value is not None and not value.strip():
        yield Violation(field, "REQUIRED", "must not be blank")


def word(field: str, value: str | None, *, such_as: str = "TUMBLING_5MIN") -> Sequence[Violation]:
    if value is None or (
        len(value) <= 64 and value.isascii() and value.isidentifier() and value == value.upper()
    ):
        return ()
    return (Violation(field, "MALFORMED", f"must be a word in capitals, such as {such_as}"),)


def names(field: str, values: Sequence[str], *, most: int) -> Iterator[Violation]:
    """A list of different names."""
    if len(values) > most:
        yield Violation(field, "TOO_MANY", f"must have at most {most} names")
    seen: set[str] = set()
    for index, value in enumerate(values[:most]):
        place = f"{field}[{index}]"
        yield from required(place, value)
        yield from text(place, value, most=200)
        if value in seen:
            yield Violation(place, "DUPLICATE", f"{value[:200]!r} is named twice")
        seen.add(value)


def share(field: str, value: float | None) -> Sequence[Violation]:
    if value is None or 0 <= value <= 1:
        return ()
    return (Violation(field, "OUT_OF_RANGE", "must be a finite number from 0 to 1"),)


def integer(
    field: str, value: int | None, *, least: int, most: int = LARGEST_INTEGER
) -> Sequence[Violation]:
    if value is None or least <= value <= most:
        return ()
    return (Violation(field, "OUT_OF_RANGE", f"must be {least} to {most}"),)


def number(field: str, value: float | None) -> Iterator[Violation]:
    if value is None:
        return
    if isinstance(value, int):
        yield from integer(field, value, least=-LARGEST_INTEGER)
    elif not math.isfinite(value):
        yield Violation(field, "OUT_OF_RANGE", "must be a finite number")


def plausible(field: str, moment: datetime | None, at: datetime) -> Sequence[Violation]:
    """A moment that may have been by now."""
    if moment is None:
        return ()
    if moment.utcoffset() is None:
        return (Violation(field, "MALFORMED", "must tell its offset from UTC"),)
    if moment > at + AHEAD:
        said = "must not be more than an hour ahead of the clock"
        return (Violation(field, "IN_THE_FUTURE", said),)
    if moment < EARLIEST:
        return (Violation(field, "OUT_OF_RANGE", "must not be before 1970"),)
    return ()


_LAYOUT = str.maketrans("", "", "\n\r\t")
