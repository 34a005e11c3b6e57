"""
What appenders and readers of a log did and were told, in the order of one clock.

The clock is the machine's own monotonic one, so that histories of several processes on it can be
put together. `history_check` holds a history against what the log contains in the end.
"""

import time
from collections.abc import Sequence

from attrs import define, field, frozen

from adapters.eventstore.log import Append, Log, LogEntry, Receipt, StreamConflict
from application.errors import OutcomeUnknown, Unavailable

Outcome = Receipt | StreamConflict | Unavailable | OutcomeUnknown


@frozen
class Attempt:
    """An append. Without an outcome its caller was never told: the caller was killed, say."""

    append: Append
    began: int
    ended: int | None = None
    outcome: Outcome | None = None

    @property
    def acknowledged(self) -> bool:
        return isinstance(self.outcome, Receipt)

    @property
    def refused(self) -> bool:
        """Whether the caller was told that nothing was stored."""
        return isinstance(self.outcome, StreamConflict | Unavailable)


@frozen
class LogRead:
    """A read of the log; it asked for more than it got."""

    began: int
    after: int
    entries: Sequence[LogEntry]


@frozen
class StreamRead:
    """A read of a whole stream, from either end."""

    began: int
    stream: str
    entries: Sequence[LogEntry]
    newest_first: bool = False


@define
class History:
    attempts: list[Attempt] = field(factory=list)
    reads: list[LogRead | StreamRead] = field(factory=list)

    async def append(self, log: Log, append: Append) -> Outcome:
        """Try it once and note how it ended."""
        began = time.monotonic_ns()
        outcome = await outcome_of(log, append)
        self.attempts.append(Attempt(append, began, time.monotonic_ns(), outcome))
        return outcome

    def outcomes(self, kind: type[Outcome]) -> int:
        return sum(isinstance(attempt.outcome, kind) for attempt in self.attempts)


async def outcome_of(log: Log, append: Append) -> Outcome:
    try:
        return await log.append(append)
    except (StreamConflict, Unavailable, OutcomeUnknown) as error:
        return error
