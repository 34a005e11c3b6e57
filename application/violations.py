"""Every violation at once, each field's first cause only."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from domain.errors import Invalid, Violation
from domain.violations import MOST_VIOLATIONS, parts, refuse_any

__all__ = ["MOST_VIOLATIONS", "parsed", "parts", "refuse_any"]

T = TypeVar("T")


def parsed(parse: Callable[[], T], found: Sequence[Violation]) -> T:
    """Parse the input, unless anything of it could not be read.

    Raises:
        Invalid: With every violation, those that came up while the input was read included.
    """
    try:
        value = parse()
    except Invalid as invalid:
        refuse_any(found, invalid.violations)
        raise
    refuse_any(found)
    return value
