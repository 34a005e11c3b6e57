"""Waiting for what happens by itself, and not for ever."""

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
