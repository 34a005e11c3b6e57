"""Waking those who wait for the log to grow."""

import asyncio
from collections.abc import Callable
from threading import Lock

from adapters.eventstore.appending.write_outcomes import Told


class HeadWatch:
    """Who waits for which position. Nobody polls, and no thread is held."""

    def __init__(self) -> None:
        self._guard = Lock()
        self._waiting: dict[asyncio.Future[bool], int] = {}
        self._listeners: set[Callable[[], None]] = set()

    async def beyond(self, position: int, head: Callable[[], int], timeout: float) -> bool:
        """True as soon as the head exceeds the position, False when the time is up first."""
        passed: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        with self._guard:
            self._waiting[passed] = position
        try:
            # Looked up after signing up: an append in between is seen by one of the two.
            if head() > position:
                return True
            await asyncio.wait((passed,), timeout=timeout)
            return head() > position
        finally:
            with self._guard:
                self._waiting.pop(passed, None)

    def listen(self, listener: Callable[[], None]) -> None:
        """Call the listener after every commit, on the thread that commits: it must be quick."""
        with self._guard:
            self._listeners.add(listener)

    def unlisten(self, listener: Callable[[], None]) -> None:
        with self._guard:
            self._listeners.discard(listener)

    def reached(self, head: int) -> list[Told]:
        """Call who listens; return who waited for this, and what to tell them."""
        with self._guard:
            passed = [waiting for waiting, position in self._waiting.items() if head > position]
            for waiting in passed:
                del self._waiting[waiting]
            listeners = tuple(self._listeners)
        for listener in listeners:
            listener()
        return [(waiting, True) for waiting in passed]
