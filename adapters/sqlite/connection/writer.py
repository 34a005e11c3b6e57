"""
The one thread that writes to a database.

Writes that come to an event loop one by one are gathered for a few of its turns, so that they
share a transaction. The thread competes with the loop for the interpreter at each of its steps: a
transaction for two or three takes longer than it takes to wait for twenty.
"""

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future
from threading import Lock, Thread
from time import monotonic
from typing import Any

from adapters.eventstore.appending.write_outcomes import Failed, Waiting, still_wanted, tell
from adapters.sqlite.connection.transaction import Entry, Run, Transactions
from application.errors import Unavailable

LARGEST_GROUP = 256
ENOUGH = 64
"""Writes that wait for no more."""
QUIET_TURNS = 10
"""Turns of the event loop that bring no other write: then none is expected."""
LONGEST_WAIT = 0.01
"""Seconds that a write waits for others, at most."""


class Writer:
    """Takes writes in order; whatever waits shares a transaction (group commit)."""

    def __init__(self, transactions: Transactions, what: str) -> None:
        self._transactions = transactions
        self._what = what
        self._gate = Lock()
        self._waiting: list[Entry] = []
        self._closed = False
        # Held while there is nothing to do. A queue would wake the thread once per write.
        self._idle = Lock()
        self._idle.acquire()
        self._is_called = False
        """The thread was woken and has taken nothing yet."""
        self._at_work = False
        """It looks itself for what waits when it has done what it took."""
        self._gathering: asyncio.AbstractEventLoop | None = None
        """The loop that calls the thread when nothing more is to be expected."""
        self._several_come = False
        """Of those that expect others, the last group had more than one."""
        # A daemon: a process that forgot to close must still be able to end.
        self._thread = Thread(target=self._work, name=f"writer of {what}", daemon=True)
        self._thread.start()

    def put(self, run: Run, item: Any, waiting: Waiting, expects_others: bool = False) -> None:
        with self._gate:
            if not self._closed:
                self._waiting.append(Entry(run, item, waiting, expects_others))
                self._see_to(waiting)
                return
        refuse(waiting, self._what)

    def close(self) -> None:
        """Store what waits, then end the thread."""
        with self._gate:
            self._closed = True
            self._call()
        self._thread.join()

    # Whoever calls the thread. All of this is done behind the gate.

    def _see_to(self, waiting: Waiting) -> None:
        """A thread waits for nobody, nor does a loop for another, which may have ended."""
        if self._at_work or self._is_called:
            return
        if isinstance(waiting, Future) or self._gathering not in (None, waiting.get_loop()):
            self._call()
        elif self._gathering is None:
            loop = waiting.get_loop()
            loop.call_soon(self._gather, *self._gathering_by(loop))

    def _gathering_by(
        self, loop: asyncio.AbstractEventLoop
    ) -> tuple[asyncio.AbstractEventLoop, float, int, int]:
        self._gathering = loop
        return loop, monotonic() + LONGEST_WAIT, len(self._waiting), self._turns()

    def _turns(self) -> int:
        """Who writes alone does not wait for others, nor who expects none."""
        waits = self._several_come and any(entry.expects_others for entry in self._waiting)
        return QUIET_TURNS if waits else 1

    def _call(self) -> None:
        self._gathering = None
        if not self._is_called:
            self._is_called = True
            self._idle.release()

    # In the event loop.

    def _gather(self, loop: asyncio.AbstractEventLoop, until: float, seen: int, turns: int) -> None:
        with self._gate:
            if self._gathering is not loop:
                # Somebody else has called the thread.
                return
            count = len(self._waiting)
            turns = self._turns() if count > seen else turns - 1
            if turns and count < ENOUGH and monotonic() < until:
                loop.call_soon(self._gather, loop, until, count, turns)
            else:
                self._call()

    # In the thread.

    def _work(self) -> None:
        while waiting := self._next_group():
            group = [entry for entry in waiting if still_wanted(entry.waiting)]
            if group:
                self._transactions.run(group)

    def _next_group(self) -> list[Entry]:
        """What waits, at least one; nothing once the writer is closed and all is stored."""
        while True:
            with self._gate:
                self._rest()
            self._idle.acquire()
            with self._gate:
                self._is_called, self._at_work = False, True
                group, self._waiting = self._waiting[:LARGEST_GROUP], self._waiting[LARGEST_GROUP:]
                if group or self._closed:
                    self._learn(group)
                    return group

    def _learn(self, group: Sequence[Entry]) -> None:
        expecting = sum(entry.expects_others for entry in group)
        if expecting:
            self._several_come = expecting > 1

    def _rest(self) -> None:
        """Until somebody calls; if something waits already, it is seen to."""
        self._at_work = False
        if self._closed or len(self._waiting) >= ENOUGH:
            self._call()
        elif self._waiting:
            self._have_gathered()

    def _have_gathered(self) -> None:
        loop = _loop_of_all(self._waiting)
        if loop is None:
            self._call()
            return
        try:
            loop.call_soon_threadsafe(self._gather, *self._gathering_by(loop))
        except RuntimeError:
            # It has been closed: nobody of it waits any more.
            self._call()


def _loop_of_all(entries: Sequence[Entry]) -> asyncio.AbstractEventLoop | None:
    """The event loop that all of them came from, if it is one."""
    loops = {
        None if isinstance(entry.waiting, Future) else entry.waiting.get_loop() for entry in entries
    }
    return loops.pop() if len(loops) == 1 else None


def refuse(waiting: Waiting, what: str) -> None:
    tell([(waiting, Failed(Unavailable(what, "it is closed")))])
