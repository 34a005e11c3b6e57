"""What a stream has to send and what it has sent, in order; connections come and go."""

from collections import deque
from collections.abc import Sequence

from statestore_client.line import Standing
from statestore_client.models.signals import SignalUpdated
from statestore_client.outcomes import Report

FIRST_WINDOW = 100
"""How many may be without an answer before the server has said how many."""
MOST_IN_ONE = 100
"""How many updates go into one message."""

Sent = Standing[Report, SignalUpdated]


class InFlight:
    def __init__(self) -> None:
        self._unsent: deque[Sent] = deque()
        self._unanswered: deque[Sent] = deque()
        self._window = FIRST_WINDOW

    def __len__(self) -> int:
        return len(self._unsent) + len(self._unanswered)

    @property
    def unanswered(self) -> int:
        return len(self._unanswered)

    @property
    def all_sent(self) -> bool:
        return not self._unsent

    @property
    def may_send(self) -> bool:
        return bool(self._unsent) and len(self._unanswered) < self._window

    def everything(self) -> Sequence[Sent]:
        return (*self._unanswered, *self._unsent)

    def add(self, one: Sent) -> None:
        self._unsent.append(one)

    def begin(self) -> None:
        """A new connection: what has no answer is to be sent again, before all else."""
        self._unsent.extendleft(reversed(self._unanswered))
        self._unanswered.clear()
        self._window = FIRST_WINDOW

    def widen(self, window: int) -> None:
        """The server says how many may be without an answer; nothing, if 0."""
        self._window = window or self._window

    def next(self) -> Sequence[Sent]:
        """As many as may be sent in one message."""
        room = min(self._window - len(self._unanswered), MOST_IN_ONE, len(self._unsent))
        taken = [self._unsent.popleft() for _ in range(room)]
        for one in taken:
            one.sent += 1
        self._unanswered.extend(taken)
        return taken

    def first(self) -> Sent:
        """Whose answer comes next."""
        return self._unanswered[0]

    def answered(self) -> None:
        self._unanswered.popleft()

    def was_not_done(self) -> None:
        """Before a stream ends with a word of the store's, all that was done is answered."""
        for one in self._unanswered:
            one.sent -= 1
