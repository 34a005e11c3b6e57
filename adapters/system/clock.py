"""The machine's clock."""

from datetime import UTC, datetime


class SystemClock:
    def now(self) -> datetime:
        at = datetime.now(UTC)
        return at.replace(microsecond=at.microsecond // 1000 * 1000)
