"""Fresh names that sort by when they were made."""

import os
import time
from collections.abc import Callable
from threading import Lock

from attrs import define, field

_RANDOM_BYTES = 10
_RANDOM_BITS = 8 * _RANDOM_BYTES
_DRAWN = 400 * _RANDOM_BYTES
_LENGTH = 16


@define
class RandomPool:
    """Randomness from the system, drawn in bulk: a call for ten bytes costs as much as for many."""

    _bytes: bytes = b""
    _used: int = 0

    def __call__(self) -> bytes:
        if self._used >= len(self._bytes):
            self._bytes, self._used = os.urandom(_DRAWN), 0
        self._used += _RANDOM_BYTES
        return self._bytes[self._used - _RANDOM_BYTES : self._used]


_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_PAIRS = [first + second for first in _DIGITS for second in _DIGITS]
_PLACES = range(120, -1, -10)


def written(raw: bytes) -> str:
    """As the library writes them, two digits at a time: every request is given one."""
    return _written(int.from_bytes(raw))


def _written(number: int) -> str:
    return "".join([_PAIRS[number >> place & 1023] for place in _PLACES])


@define
class Ulids:
    """ULIDs that increase: also within a millisecond, and when the clock is put back.

    The library's own generator takes more than twice as long, and every request and fact has one.
    """

    now: Callable[[], int] = time.time_ns
    """Nanoseconds since 1970."""
    _random: RandomPool = field(factory=RandomPool)
    _last: int = 0
    _lock: Lock = field(factory=Lock)

    def text(self) -> str:
        return _written(self._next())

    def raw(self) -> bytes:
        return self._next().to_bytes(_LENGTH)

    def _next(self) -> int:
        with self._lock:
            now = self.now() // 1_000_000
            if now > self._last >> _RANDOM_BITS:
                self._last = now << _RANDOM_BITS | int.from_bytes(self._random())
            else:
                self._last += 1
            return self._last
