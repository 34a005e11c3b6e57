"""Telling those who wait how their write ended."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

from attrs import frozen

Waiting = Future[Any] | asyncio.Future[Any]


@frozen
class Failed:
    """The outcome of a write that raised, as opposed to what it returned."""

    error: BaseException


Told = tuple[Waiting, Any]


def still_wanted(waiting: Waiting) -> bool:
    """False when the caller has gone already; afterwards a thread's future cannot be cancelled."""
    if isinstance(waiting, Future):
        return waiting.set_running_or_notify_cancel()
    return not waiting.cancelled()


def tell(outcomes: Iterable[Told]) -> None:
    """Resolve futures of threads at once, those of an event loop in one call to that loop.

    Waking a loop costs a write to its socket, more than an append itself: never once per caller.
    """
    by_loop: defaultdict[asyncio.AbstractEventLoop, list[Told]] = defaultdict(list)
    for waiting, outcome in outcomes:
        if isinstance(waiting, Future):
            _resolve(waiting, outcome)
        else:
            by_loop[waiting.get_loop()].append((waiting, outcome))
    for loop, told in by_loop.items():
        # A loop that has been closed has nobody left to tell.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_resolve_all, told)


def _resolve_all(told: Sequence[Told]) -> None:
    for waiting, outcome in told:
        if not waiting.done():
            _resolve(waiting, outcome)


def _resolve(waiting: Waiting, outcome: Any) -> None:
    if isinstance(outcome, Failed):
        waiting.set_exception(outcome.error)
    else:
        waiting.set_result(outcome)
