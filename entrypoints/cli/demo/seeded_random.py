"""Chance that repeats itself: the same seed and the same question, the same answer."""

import base64
import hashlib
from datetime import datetime

from attrs import frozen
from ulid import ULID


@frozen
class Dice:
    seed: int

    def share(self, *question: object) -> float:
        """A number from 0 up to 1."""
        return int.from_bytes(self._bytes(question)[:6]) / 2**48

    def between(self, least: float, most: float, *question: object) -> float:
        return least + (most - least) * self.share(*question)

    def commit(self, *question: object) -> str:
        return self._bytes(question).hex()[:7]

    def word(self, *question: object) -> str:
        """Eight letters and digits, to tell things apart."""
        return base64.b32encode(self._bytes(question)[:5]).decode()

    def ulid(self, at: datetime, *question: object) -> str:
        since_1970 = int(at.timestamp() * 1000).to_bytes(6)
        return str(ULID.from_bytes(since_1970 + self._bytes(question)[:10]))

    def _bytes(self, question: tuple[object, ...]) -> bytes:
        return hashlib.sha256(repr((self.seed, *question)).encode()).digest()
