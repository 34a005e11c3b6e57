"""
When rows end.

An engine may throw an expired row away at any time later, or never: readers must not show it (T26).
"""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from adapters.row_layouts.engine import Row
from application.ports.clock import Clock


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


def living(rows: Sequence[Row], clock: Clock) -> Sequence[Row]:
    """Those that have not ended. Most rows never do, and then nobody asks for the time."""
    for row in rows:
        if "ttl" in row:
            now = clock.now()
            return [one for one in rows if alive(one, now)]
    return rows
