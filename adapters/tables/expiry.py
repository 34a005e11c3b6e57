"""
When rows end.

An engine may throw an expired row away at any time later, or never: readers must not show it (T26).
"""

import math
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any


def ttl(ends_at: datetime | None) -> int | None:
    """The first full second at which the row may go."""
    return None if ends_at is None else math.ceil(ends_at.timestamp())


def end_of(row: Mapping[str, Any], since: datetime) -> datetime | None:
    """When the row ends: whole seconds were added to this moment, and then it was rounded up."""
    end = row.get("ttl")
    if end is None:
        return None
    return since + timedelta(seconds=int(end) - math.ceil(since.timestamp()))


def alive(row: Mapping[str, Any], now: datetime) -> bool:
    end = row.get("ttl")
    return end is None or now.timestamp() < end
