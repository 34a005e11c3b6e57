"""The machine's clock."""

from datetime import UTC, datetime


class SystemClock:
    def now(self) -> datetime:
        # Every read asks for it: what `to_millisecond` does besides would be for nothing.
        at = datetime.now(UTC)
        return at.replace(microsecond=at.microsecond // 1000 * 1000)
