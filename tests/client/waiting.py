"""Waiting for what happens by itself, and not for ever."""

import sys
import threading
import time
from collections.abc import Callable

PATIENCE = 30.0
"""Seconds."""


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end
        threading.Event().wait(0.005)


def is_held_up(thread: threading.Thread) -> bool:
    """Whether it waits for somebody else: for room, a result, a lock."""
    frame = sys._current_frames().get(thread.ident or 0)
    return frame is not None and frame.f_code is threading.Condition.wait.__code__
