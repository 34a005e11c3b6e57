"""The machine's clock."""

from datetime import UTC, datetime

from domain.moments import to_millisecond


class SystemClock:
    def now(self) -> datetime:
        return to_millisecond(datetime.now(UTC))
