"""What a stream has to send and what it has sent, in order; connections come and go."""

import sys
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from statestore_client.streaming.send_queue import Item, Standing, Told


@dataclass(frozen=True, slots=True)
class Bounds:
    window: int
    """How many may be without an answer before the server has said how many."""
    in_one: int
    """How many go into one message."""
    messages: int = sys.maxsize
    """How many messages may be without an answer."""
    heaviest: int = sys.maxsize
    """Bytes that go into one message, unless one item is more."""
    weigh: Callable[[Any], int] = lambda item: 0


class InFlight(Generic[Item, Told]):
    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._unsent: deque[Standing[Item, Told]] = deque()
        self._unanswered: deque[Standing[Item, Told]] = deque()
        self._messages: deque[int] = deque()
        """How many answers each is still without."""
        self._window = bounds.window

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
        room = len(self._unanswered) < self._window and len(self._messages) < self._bounds.messages
        return bool(self._unsent) and room

    def everything(self) -> Sequence[Standing[Item, Told]]:
        return (*self._unanswered, *self._unsent)

    def add(self, one: Standing[Item, Told]) -> None:
        self._unsent.append(one)

    def begin(self) -> None:
        """A new connection: what has no answer is to be sent again, before all else."""
        self._unsent.extendleft(reversed(self._unanswered))
        self._unanswered.clear()
        self._messages.clear()
        self._window = self._bounds.window

    def widen(self, window: int) -> None:
        """The server says how many may be without an answer; nothing, if 0."""
        self._window = window or self._window

    def next(self) -> Sequence[Standing[Item, Told]]:
        """As many as may be sent in one message."""
        room = min(self._window - len(self._unanswered), self._bounds.in_one, len(self._unsent))
        taken: list[Standing[Item, Told]] = []
        weight = 0
        while len(taken) < room:
            weight += self._bounds.weigh(self._unsent[0].item)
            if taken and weight > self._bounds.heaviest:
                break
            taken.append(self._unsent.popleft())
            taken[-1].sent += 1
        self._unanswered.extend(taken)
        self._messages.append(len(taken))
        return taken

    def first(self) -> Standing[Item, Told]:
        """Whose answer comes next."""
        return self._unanswered[0]

    def answered(self) -> None:
        self._unanswered.popleft()
        self._messages[0] -= 1
        if self._messages[0] == 0:
            self._messages.popleft()

    def was_not_done(self) -> None:
        """What has no answer was certainly not done on this connection."""
        for one in self._unanswered:
            one.sent -= 1
