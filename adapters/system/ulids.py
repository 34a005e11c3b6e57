"""Fresh names that sort by when they were made."""

import os

from attrs import define, field
from ulid import LaxMonotonicPolicy, ULIDGenerator

_RANDOM_BYTES = 10
_DRAWN = 400 * _RANDOM_BYTES


@define
class RandomPool:
    """Randomness from the system, drawn in bulk: a call for ten bytes costs as much as for many."""

    _bytes: bytes = b""
    _used: int = 0

    def __call__(self, timestamp: int) -> bytes:
        if self._used >= len(self._bytes):
            self._bytes, self._used = os.urandom(_DRAWN), 0
        self._used += _RANDOM_BYTES
        return self._bytes[self._used - _RANDOM_BYTES : self._used]


_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_PAIRS = [first + second for first in _DIGITS for second in _DIGITS]
_PLACES = range(120, -1, -10)


def written(raw: bytes) -> str:
    """As the library writes them, two digits at a time: every request is given one."""
    number = int.from_bytes(raw)
    return "".join([_PAIRS[number >> place & 1023] for place in _PLACES])


@define
class Ulids:
    """ULIDs that increase, also within a millisecond."""

    # The generator's own lock guards the pool as well.
    _generator: ULIDGenerator = field(
        factory=lambda: ULIDGenerator(randomness=RandomPool(), policy=LaxMonotonicPolicy())
    )

    def text(self) -> str:
        return written(self.raw())

    def raw(self) -> bytes:
        return self._generator.generate().bytes
