"""The one thread that writes to a database."""

from concurrent.futures import Future
from threading import Lock, Thread
from typing import Any

from adapters.eventstore.waiting import Failed, Waiting, still_wanted, tell
from adapters.sqlite.transaction import Entry, Run, Transactions
from application.errors import Unavailable

LARGEST_GROUP = 256


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
        self._at_work = False
        """From when it is woken until it finds nothing that waits."""
        # A daemon: a process that forgot to close must still be able to end.
        self._thread = Thread(target=self._work, name=f"writer of {what}", daemon=True)
        self._thread.start()

    def put(self, run: Run, item: Any, waiting: Waiting) -> None:
        with self._gate:
            if not self._closed:
                self._waiting.append(Entry(run, item, waiting))
                self._call(waiting)
                return
        refuse(waiting, self._what)

    def _call(self, waiting: Waiting) -> None:
        """See to it that somebody takes what waits."""
        if self._at_work:
            return
        if isinstance(waiting, Future):
            self._wake()
        else:
            # Not before the event loop has had its turn: it has more to write, most of the time,
            # and a thread that begins with the first of it competes with the loop for each step.
            waiting.get_loop().call_soon(self._wake_for_what_waits)

    def _wake_for_what_waits(self) -> None:
        with self._gate:
            if self._waiting and not self._at_work:
                self._wake()

    def _wake(self) -> None:
        self._at_work = True
        self._idle.release()

    def close(self) -> None:
        """Store what waits, then end the thread."""
        with self._gate:
            self._closed = True
            if not self._at_work:
                self._wake()
        self._thread.join()

    def _work(self) -> None:
        while waiting := self._next_group():
            group = [entry for entry in waiting if still_wanted(entry.waiting)]
            if group:
                self._transactions.run(group)

    def _next_group(self) -> list[Entry]:
        """What waits, at least one; nothing once the writer is closed and all is stored."""
        while True:
            with self._gate:
                group, self._waiting = self._waiting[:LARGEST_GROUP], self._waiting[LARGEST_GROUP:]
                if group or self._closed:
                    return group
                self._at_work = False
            self._idle.acquire()


def refuse(waiting: Waiting, what: str) -> None:
    tell([(waiting, Failed(Unavailable(what, "it is closed")))])
