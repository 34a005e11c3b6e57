"""Moments as callers write them: RFC 3339 with an offset."""

import re
from collections.abc import Sequence
from datetime import datetime

from domain.errors import Violation
from domain.timestamps import to_millisecond

_RFC_3339 = re.compile(
    r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,12})?(?:[Zz]|[+-]\d\d:\d\d)", re.ASCII
)
EXPECTED = "must be a moment with an offset, such as 2026-01-15T10:00:00.000Z"


def read_moment(value: object) -> datetime:
    """Raises ValueError for what is not RFC 3339, or outside the years that can be told in UTC."""
    if not isinstance(value, str) or not _RFC_3339.fullmatch(value):
        raise ValueError(EXPECTED)
    try:
        return to_millisecond(datetime.fromisoformat(value.upper()))
    except (ValueError, OverflowError):
        raise ValueError(EXPECTED) from None


def backwards(since: datetime | None, until: datetime | None) -> Sequence[Violation]:
    """A span must not end before it begins."""
    if since and until and since > until:
        return (Violation("from", "INCONSISTENT", "must not be later than to"),)
    return ()


def refuse_backwards(
    since: datetime | None, until: datetime | None, found: list[Violation]
) -> None:
    """As `backwards`, for readers that still collect violations."""
    found += backwards(since, until)
